import CFCGI
import Glibc

/// The lock of a directory in which processes replace and remove each other's sockets; released on deinit.
struct DirectoryLock: ~Copyable {
    private let descriptor: Descriptor

    /// Waits for the lock of the directory that contains a path.
    ///
    /// Nil if the directory cannot be opened for reading; binding a socket there then fails with a better message, or
    /// proceeds without the protection.
    init?(around path: String) {
        let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        // unsafe because the path goes over as a C string, which the call only reads.
        let number = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard let descriptor = try? Descriptor(number, "lock \(directory)") else { return nil }
        while flock(descriptor.number, LOCK_EX) != 0 {
            guard errno == EINTR else { return nil }
        }
        self.descriptor = descriptor
    }
}
