import Glibc

/// A file that is open for reading, and closed when its owner is done with it.
///
/// What is checked is what is read: status and content are those of one descriptor, whatever happens to the path meanwhile.
package struct ReadableFile: ~Copyable, Sendable {
    private struct Descriptor: ~Copyable, Sendable {
        let number: Int32

        init(_ number: Int32) {
            self.number = number
        }

        deinit {
            Glibc.close(number)
        }
    }

    private let descriptor: Descriptor
    package let status: FileStatus

    /// Opens the file at a path.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - followsLinks: Whether to open what a symbolic link at the path points to.
    /// - Throws: `POSIXError`; `EISDIR` for a directory, `ELOOP` for a symbolic link that is not followed.
    package init(_ path: String, followsLinks: Bool = true) throws(POSIXError) {
        // Not waiting, because the other end of a FIFO may never come.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        // unsafe because the path is a C string for the length of the call.
        let opened = Descriptor(try POSIXError.attempt { unsafe open(path, flags) })
        let status = try FileStatus(descriptor: opened.number)
        guard status.kind != .directory else { throw POSIXError(number: EISDIR) }
        descriptor = opened
        self.status = status
    }

    /// Reads the file from its current position to its end.
    ///
    /// - Parameter limit: the largest size, in bytes.
    /// - Returns: the bytes.
    /// - Throws: `POSIXError`; `EFBIG` for a file beyond the limit.
    package func contents(limit: Int) throws(POSIXError) -> [UInt8] {
        let number = descriptor.number
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            // unsafe because the call writes behind a pointer, at most as many bytes as the array has.
            let count = try POSIXError.attempt { unsafe read(number, &buffer, buffer.count) }
            guard count > 0 else { return contents }
            guard contents.count + count <= limit else { throw POSIXError(number: EFBIG) }
            contents += buffer[..<count]
        }
    }
}
