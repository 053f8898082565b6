import Glibc

/// The file of a Unix socket, identified by its inode and not only by its path.
///
/// Processes replace, mark and remove such files only while they hold the lock of the directory, so that none touches a
/// file that another has just put in place.
struct SocketFile: Sendable {
    let path: String
    /// Whether the process that listens at it is about to stop: see `markLeaving`.
    let isLeaving: Bool
    private let device: dev_t
    private let inode: ino_t

    /// What is at the path, if it is a socket.
    init?(at path: String) {
        guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        self.path = path
        isLeaving = status.st_mode & S_ISVTX != 0
        device = status.st_dev
        inode = status.st_ino
    }

    /// Whether the file is still at its path.
    var isCurrent: Bool {
        guard let now = SocketFile(at: path) else { return false }
        return now.device == device && now.inode == inode
    }

    /// Removes the file unless another has taken its place.
    func remove() {
        let lock = DirectoryLock(around: path)
        // unsafe because the path goes over as a C string, which the call only reads.
        if isCurrent { _ = unsafe unlink(path) }
        _ = consume lock
    }

    /// Lets another process put its socket in place of this one, although somebody still answers here.
    ///
    /// The mark is the sticky bit, which means nothing for a socket: it goes with the file and needs no other file.
    func markLeaving() {
        let lock = DirectoryLock(around: path)
        if isCurrent, let status = Self.status(path) {
            // unsafe because the path goes over as a C string, which the call only reads.
            _ = unsafe chmod(path, status.st_mode & 0o7777 | S_ISVTX)
        }
        _ = consume lock
    }

    static func exists(_ path: String) -> Bool {
        status(path) != nil
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        // unsafe because the path goes over as a C string and the call fills in a local value.
        return unsafe lstat(path, &status) == 0 ? status : nil
    }
}
