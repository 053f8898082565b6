import CSystem
import Glibc
import POSIX

/// The file of a Unix socket, identified by its inode and not only by its path.
///
/// Processes replace, mark and remove socket files only while they hold the lock of the directory, so that a process
/// does not change a file that another has just put in place.
struct SocketFile: Sendable {
    let path: String
    /// Whether the process that listens at the socket is about to stop: see `markLeaving`.
    let isLeaving: Bool
    private let identity: FileStatus.Identity

    /// Reads what is at the path; nil if it is not a socket.
    init?(at path: String) {
        guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        self.path = path
        isLeaving = status.st_mode & S_ISVTX != 0
        identity = FileStatus(status).identity
    }

    /// Whether the file is still at its path.
    var isCurrent: Bool { SocketFile(at: path)?.identity == identity }

    /// Removes the file, unless another file has replaced it.
    func remove() {
        let lock = DirectoryLock(around: path)
        // unsafe because the path becomes a C string, valid during the call.
        if isCurrent { _ = unsafe unlink(path) }
        _ = consume lock
    }

    /// Lets another process put its socket in place of this one, although this one still answers.
    ///
    /// The mark is the sticky bit, which has no meaning for a socket. It is removed with the file, and needs no second file.
    func markLeaving() {
        let lock = DirectoryLock(around: path)
        if isCurrent, let status = Self.status(path) {
            // unsafe because the path becomes a C string, valid during the call.
            _ = unsafe chmod(path, status.st_mode & 0o7777 | S_ISVTX)
        }
        _ = consume lock
    }

    static func exists(_ path: String) -> Bool {
        status(path) != nil
    }

    /// The directory that contains a path.
    static func directory(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        // unsafe because the path becomes a C string and the call writes to the variable through a pointer.
        return unsafe lstat(path, &status) == 0 ? status : nil
    }
}

/// The lock of a directory in which processes replace and remove each other's sockets; released on deinit.
struct DirectoryLock: ~Copyable {
    /// Microseconds between attempts.
    private static let pause: UInt32 = 10_000
    private let descriptor: FileDescriptor

    /// Waits for the lock of the directory that contains a path.
    ///
    /// Nil if the directory cannot be opened for reading, or if another process holds the lock for longer. The caller goes
    /// on without the lock; if it cannot bind a socket in this directory, that error has the better message.
    ///
    /// - Parameters:
    ///   - path: the path of a socket.
    ///   - patience: how long to wait at most.
    init?(around path: String, patience: Duration = .seconds(1)) {
        let directory = SocketFile.directory(of: path)
        // unsafe because the path becomes a C string, valid during the call.
        let number = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let descriptor = FileDescriptor(number)
        // The wait has a limit: every user who can open the directory can hold its lock, but none of them may keep this
        // program from starting or stopping.
        let attempts = Int(patience / .microseconds(Int(Self.pause)))
        for attempt in 0... {
            if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 { break }
            guard attempt < attempts, errno == EWOULDBLOCK || errno == EINTR else { return nil }
            usleep(Self.pause)
        }
        self.descriptor = descriptor
    }
}
