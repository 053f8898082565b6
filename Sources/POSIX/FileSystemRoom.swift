import Glibc

/// How much room a file system has (statvfs(3)).
package struct FileSystemRoom: Sendable, Equatable {
    /// Bytes that users other than root can still write.
    package let freeBytes: Int
    /// Files that users other than root can still create; nil if the file system has no fixed number.
    package let freeFiles: Int?

    /// Reads the room of the file system that contains a path.
    ///
    /// - Throws: `SystemError` if there is nothing at the path.
    package init(at path: String) throws(SystemError) {
        var status = statvfs()
        // unsafe because the path becomes a C string and the call writes to the variable through a pointer.
        try SystemError.attempt("statvfs") { unsafe statvfs(path, &status) }
        let (bytes, isOver) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        freeBytes = isOver ? .max : Int(clamping: bytes)
        freeFiles = status.f_files == 0 ? nil : Int(clamping: status.f_favail)
    }
}
