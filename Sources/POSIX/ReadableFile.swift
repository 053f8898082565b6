import Glibc

/// A file that is open for reading, closed on deinit.
///
/// Status and content belong to the same descriptor, so a check of the status applies to the content even if the path
/// leads to another file by now.
package struct ReadableFile: ~Copyable, Sendable {
    private let descriptor: FileDescriptor
    package let status: FileStatus

    /// Opens the file at a path.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - followsLinks: Whether to open what a symbolic link at the path points to.
    /// - Throws: `SystemError`; `EISDIR` for a directory, `ELOOP` for a symbolic link that is not followed.
    package init(_ path: String, followsLinks: Bool = true) throws(SystemError) {
        // O_NONBLOCK because opening a FIFO would otherwise wait for a writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        // unsafe because the path becomes a C string, valid during the call.
        let opened = try FileDescriptor("open") { unsafe open(path, flags) }
        let status = try FileStatus(opened)
        guard status.kind != .directory else { throw SystemError("open", EISDIR) }
        descriptor = opened
        self.status = status
    }

    /// Reads the file from its current position to its end.
    ///
    /// - Parameter limit: The maximum size, in bytes.
    /// - Returns: The bytes.
    /// - Throws: `SystemError`; `EFBIG` for a file over the limit.
    package func contents(limit: Int) throws(SystemError) -> [UInt8] {
        let number = descriptor.number
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            // unsafe because the call writes through a pointer, at most the number of bytes in the array.
            let count = try SystemError.attempt("read") { unsafe read(number, &buffer, buffer.count) }
            guard count > 0 else { return contents }
            guard contents.count + count <= limit else { throw SystemError("read", EFBIG) }
            contents += buffer[..<count]
        }
    }
}
