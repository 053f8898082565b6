import CSystem
import Glibc

/// Standard input, standard output and standard error.
package enum StandardStreams {
    /// Opens `/dev/null` for each standard stream that is closed.
    ///
    /// Otherwise the next file or connection would get the number of the stream, and everything that is printed would go
    /// there. Reading from a closed standard input and writing to a closed standard output still fail.
    ///
    /// Only the main thread may call this, before anything else opens a descriptor.
    ///
    /// - Throws: `SystemError` if `/dev/null` cannot be opened.
    package static func openMissing() throws(SystemError) {
        for (stream, access) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
        where fcntl(stream, F_GETFD) == -1 {
            // A new descriptor gets the lowest free number (open(2)), which is that of the stream.
            // unsafe because the path becomes a C string, valid during the call.
            try SystemError.attempt("open") { unsafe open("/dev/null", access) }
        }
    }
}

/// Standard input, without a buffer.
package enum StandardInput {
    /// Reads until the end, or until there are more than `limit` bytes.
    ///
    /// - Returns: What was read; nil if it is longer than the limit.
    /// - Throws: `SystemError` if standard input cannot be read.
    package static func read(atMost limit: Int) throws(SystemError) -> [UInt8]? {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while content.count <= limit {
            let count = try SystemError.attempt("read") {
                // unsafe because the call writes through a pointer, at most as many bytes as the buffer has.
                unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
            }
            guard count > 0 else { return content }
            content += buffer[..<count]
        }
        return nil
    }
}

/// Standard error, without a buffer.
package enum StandardError {
    /// Writes a whole text; blocks until the reader has taken it.
    package static func write(_ text: String) throws(SystemError) {
        try FileDescriptor.write(text.utf8, to: STDERR_FILENO)
    }

    /// Whether standard error is connected to systemd's journal, which then reads a priority from each line.
    ///
    /// A child process inherits `JOURNAL_STREAM` even if its standard error is redirected, so the device and the inode in
    /// it must be those of standard error (systemd.exec(5), `$JOURNAL_STREAM`).
    ///
    /// - Parameter environment: Returns the value of an environment variable.
    /// - Returns: Whether they are the same stream.
    package static func isJournal(environment: (String) -> String? = Environment.variable) -> Bool {
        guard let stream = environment("JOURNAL_STREAM") else { return false }
        var status = stat()
        // unsafe because the call writes to the variable through a pointer.
        guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}

/// Standard output, which `print` writes to through a buffer.
package enum StandardOutput {
    /// Writes everything that was printed.
    ///
    /// - Throws: `SystemError` if any of it could not be written, for example because the disk is full.
    package static func flush() throws(SystemError) {
        try SystemError.attempt("write") { flush_standard_output() }
    }
}
