import Glibc

/// A new file; without another mode, only its owner can read it, for a secret.
package struct NewFile: ~Copyable, Sendable {
    private let path: String
    private let descriptor: FileDescriptor

    /// Creates an empty file with a mode, whatever the umask.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - mode: The permissions.
    /// - Throws: `SystemError`; `EEXIST` if the name exists, also as a symbolic link, which is not followed.
    package init(_ path: String, mode: UInt32 = 0o600) throws(SystemError) {
        // O_EXCL never follows a symbolic link (open(2)).
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        // unsafe because the path becomes a C string, valid during the call.
        let created = try FileDescriptor("open") { unsafe open(path, flags, 0o600) }
        let number = created.number
        try SystemError.attempt("fchmod") { fchmod(number, mode) }
        descriptor = created
        self.path = path
    }

    /// Appends a whole text and waits until it is on the disk.
    package func write(_ text: String) throws(SystemError) {
        let number = descriptor.number
        try FileDescriptor.write(text.utf8, to: number)
        try SystemError.attempt("fsync") { fsync(number) }
    }

    /// Removes the file again.
    package consuming func remove() {
        // unsafe because the path becomes a C string, valid during the call.
        _ = unsafe unlink(path)
    }
}
