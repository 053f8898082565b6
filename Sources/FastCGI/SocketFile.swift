import Glibc

/// The file of a Unix socket, known by more than its path.
struct SocketFile: Sendable {
    let path: String
    private let device: dev_t
    private let inode: ino_t

    /// What is at the path, if it is a socket.
    init?(at path: String) {
        guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        self.path = path
        device = status.st_dev
        inode = status.st_ino
    }

    /// Removes the file unless another has taken its place.
    func remove() {
        guard let now = SocketFile(at: path), now.device == device, now.inode == inode else { return }
        // unsafe because the path goes over as a C string, which the call only reads.
        _ = unsafe unlink(path)
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
