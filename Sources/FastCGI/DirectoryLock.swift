import CSystem
import Glibc

/// The lock of a directory in which processes replace and remove each other's sockets; released on deinit.
struct DirectoryLock: ~Copyable {
    private static let attempts = 100
    /// Microseconds between attempts.
    private static let pause: UInt32 = 10_000
    private let descriptor: Descriptor

    /// Waits at most a second for the lock of the directory that contains a path.
    ///
    /// Nil if the directory cannot be opened for reading, or another process holds the lock for longer; binding a socket
    /// there then fails with a better message, or proceeds without the protection.
    init?(around path: String) {
        let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        // unsafe because the path goes over as a C string, which the call only reads.
        let number = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard let descriptor = try? Descriptor(number, "lock \(directory)") else { return nil }
        // Every user who can open the directory can hold its lock: nobody may keep this program from starting or stopping.
        for attempt in 0... {
            if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 { break }
            guard attempt < Self.attempts, errno == EWOULDBLOCK || errno == EINTR else { return nil }
            usleep(Self.pause)
        }
        self.descriptor = descriptor
    }
}
