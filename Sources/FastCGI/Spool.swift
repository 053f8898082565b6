import CSystem
import Glibc

/// A file in memory that stands in for a peer which sends or takes slowly, so that libfcgi never waits for one.
final class Spool {
    private let descriptor: Descriptor

    init() throws(FastCGIError) {
        // unsafe because the name goes over as a C string, which the call only reads; 1 is MFD_CLOEXEC.
        descriptor = try Descriptor(unsafe memfd_create("fastcgi", 1), "create a file in memory")
    }

    /// A descriptor of its own from which these bytes can be read: libfcgi may close what it is given.
    func copy(holding bytes: [UInt8]) -> Int32? {
        guard empty() else { return nil }
        var written = 0
        while written < bytes.count {
            // unsafe because the system call reads the bytes through a pointer within the array's bounds.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return unsafe pwrite(descriptor.number, rest.baseAddress, rest.count, off_t(written))
            }
            guard count > 0 else { return nil }
            written += count
        }
        let copy = dup(descriptor.number)
        return copy >= 0 ? copy : nil
    }

    func close(copy: Int32) {
        _ = Glibc.close(copy)
    }

    /// What somebody writes to a descriptor; nil if they or the system fail.
    func contents(written write: (Int32) -> Bool) -> [UInt8]? {
        guard empty(), write(descriptor.number) else { return nil }
        let size = Int(lseek(descriptor.number, 0, SEEK_CUR))
        var contents = [UInt8](repeating: 0, count: max(0, size))
        // unsafe because the system call writes through a pointer within the array's bounds.
        let count = unsafe contents.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor.number, buffer.baseAddress, buffer.count, 0)
        }
        return count == size ? contents : nil
    }

    private func empty() -> Bool {
        ftruncate(descriptor.number, 0) == 0 && lseek(descriptor.number, 0, SEEK_SET) == 0
    }
}
