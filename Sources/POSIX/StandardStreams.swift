import CSystem
import Glibc

/// Standard error, without a buffer.
package enum StandardError {
    /// Writes a whole text; blocks until the reader has taken it.
    package static func write(_ text: String) throws(SystemError) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = try SystemError.attempt("write") {
                // unsafe because the call reads through a pointer, as many bytes as the buffer has.
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(written)
        }
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
