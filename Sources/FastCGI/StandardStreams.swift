import CFCGI
import Glibc

/// The standard output and standard error of the process.
package enum StandardStreams {
    /// Whether standard error is connected to systemd's journal, which then reads a priority from each line.
    ///
    /// A child process inherits `JOURNAL_STREAM` even if its standard error is redirected, so the device and the inode in
    /// it must be those of standard error (systemd.exec(5), `$JOURNAL_STREAM`).
    ///
    /// - Parameter environment: reads an environment variable.
    /// - Returns: whether it is the same stream.
    package static func isJournal(environment: (String) -> String? = Listener.processEnvironment) -> Bool {
        guard let stream = environment("JOURNAL_STREAM") else { return false }
        var status = stat()
        // unsafe because the system call fills in a local value through a pointer.
        guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    /// Writes everything that was printed to standard output.
    ///
    /// - Throws: `FastCGIError` if any of it could not be written, such as on a full disk.
    package static func flushOutput() throws(FastCGIError) {
        let code = flush_standard_output()
        guard code == 0 else { throw FastCGIError("write to standard output", code: code) }
    }
}
