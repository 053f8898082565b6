import Glibc

/// Standard error, without a buffer.
package enum StandardError {
    /// Writes all of a text; blocks as long as its reader does.
    package static func write(_ text: String) throws(POSIXError) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = try POSIXError.attempt {
                // unsafe because the call reads behind a pointer, as many bytes as the buffer has.
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(written)
        }
    }
}
