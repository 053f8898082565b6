import CSystem
import Glibc
import POSIX

/// A file in memory that replaces the socket of a slow peer, so that libfcgi never waits for one.
final class Spool {
    private let descriptor: FileDescriptor

    init() throws(FastCGIError) {
        descriptor = FileDescriptor(
            try FastCGIError.attempt("memfd_create", to: "create a file in memory") {
                // unsafe because the name becomes a C string, valid during the call; 1 is MFD_CLOEXEC.
                unsafe memfd_create("fastcgi", 1)
            }
        )
    }

    /// Returns a new descriptor from which these bytes can be read, because libfcgi may close the one it gets.
    func copy(holding bytes: [UInt8]) -> Int32? {
        guard empty(), (try? FileDescriptor.write(bytes, to: descriptor.number)) != nil,
            lseek(descriptor.number, 0, SEEK_SET) == 0
        else { return nil }
        let copy = dup(descriptor.number)
        return copy >= 0 ? copy : nil
    }

    func close(copy: Int32) {
        _ = Glibc.close(copy)
    }

    /// Returns what a function writes to the descriptor it gets; nil if the function or the system fails.
    func contents(written write: (Int32) -> Bool) -> [UInt8]? {
        guard empty(), write(descriptor.number) else { return nil }
        let size = Int(lseek(descriptor.number, 0, SEEK_CUR))
        var contents = [UInt8](repeating: 0, count: max(0, size))
        // unsafe because the call writes through a pointer within the bounds of the array.
        let count = unsafe contents.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor.number, buffer.baseAddress, buffer.count, 0)
        }
        return count == size ? contents : nil
    }

    private func empty() -> Bool {
        ftruncate(descriptor.number, 0) == 0 && lseek(descriptor.number, 0, SEEK_SET) == 0
    }
}
