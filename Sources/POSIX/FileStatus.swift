import Glibc

/// What the system says about a file (stat(2)).
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable {
        case regular
        case directory
        case other
    }

    package let kind: Kind
    /// The lower twelve bits of the mode.
    package let permissions: UInt32
    package let owner: UInt32
    /// Bytes.
    package let size: Int
    package let device: UInt64
    package let node: UInt64
    /// Nanoseconds since 1970.
    package let modified: Int64

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            default: .other
            }
        permissions = status.st_mode & 0o7777
        owner = status.st_uid
        size = Int(status.st_size)
        device = UInt64(status.st_dev)
        node = UInt64(status.st_ino)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// Looks at the file behind a path; symbolic links are followed.
    package init(path: String) throws(POSIXError) {
        var status = stat()
        // unsafe because both arguments are pointers that live for the call.
        _ = try POSIXError.attempt { unsafe stat(path, &status) }
        self.init(status)
    }

    init(descriptor: Int32) throws(POSIXError) {
        var status = stat()
        // unsafe because the call fills the value behind a pointer.
        _ = try POSIXError.attempt { unsafe fstat(descriptor, &status) }
        self.init(status)
    }
}
