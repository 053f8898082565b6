package import Glibc

/// The metadata of a file (stat(2)).
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable {
        case regular
        case directory
        case socket
        case fifo
        case other
    }

    /// Two names with equal identities are the same file, as long as it is open or has a name.
    package struct Identity: Sendable, Equatable {
        package let device: UInt64
        package let node: UInt64
    }

    package let kind: Kind
    /// The lower twelve bits of the mode.
    package let permissions: UInt32
    /// A user id.
    package let owner: UInt32
    /// A group id.
    package let group: UInt32
    /// Bytes.
    package let size: Int
    package let identity: Identity
    /// Nanoseconds since 1970; a time outside the range of the type becomes the nearest one in it.
    package let modified: Int64
    /// When the content, the owner, the permissions or the names of the file changed last, in the same unit.
    package let changed: Int64

    package init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFSOCK: .socket
            case S_IFIFO: .fifo
            default: .other
            }
        permissions = status.st_mode & 0o7777
        owner = status.st_uid
        group = status.st_gid
        size = Int(status.st_size)
        identity = Identity(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
    }

    /// Reads the metadata of the file at a path; follows symbolic links.
    package init(path: String) throws(SystemError) {
        var status = stat()
        // unsafe because the path becomes a C string and the call writes to the variable through a pointer.
        try SystemError.attempt("stat") { unsafe stat(path, &status) }
        self.init(status)
    }

    /// Reads the metadata of an open file.
    package init(_ file: borrowing FileDescriptor) throws(SystemError) {
        let number = file.number
        var status = stat()
        // unsafe because the call writes to the variable through a pointer.
        try SystemError.attempt("fstat") { unsafe fstat(number, &status) }
        self.init(status)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, isOut) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isSumOut) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        guard isOut || isSumOut else { return sum }
        return time.tv_sec < 0 ? .min : .max
    }
}
