import CSystem
import Glibc

/// A file in memory that a library can open by its path as long as this object lives.
package final class MemoryFile: Sendable {
    private let descriptor: FileDescriptor

    /// - Parameters:
    ///   - name: A name for people who debug the process.
    ///   - bytes: The content.
    /// - Throws: `SystemError` if the system has no memory.
    package init(named name: String, holding bytes: [UInt8]) throws(SystemError) {
        // unsafe because the name becomes a C string, valid during the call; 1 is MFD_CLOEXEC.
        let opened = try FileDescriptor("memfd_create") { unsafe memfd_create(name, 1) }
        try FileDescriptor.write(bytes, to: opened.number)
        descriptor = opened
    }

    /// A path that leads to the file only in this process.
    package var path: String { "/proc/self/fd/\(descriptor.number)" }
}
