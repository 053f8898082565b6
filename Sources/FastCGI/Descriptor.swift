import Glibc

/// A file descriptor with one owner, closed when the owner lets go of it.
struct Descriptor: ~Copyable, Sendable {
    let number: Int32

    /// Takes over what a system call returned.
    ///
    /// - Throws: `FastCGIError` with the current error number if that was a failure.
    init(_ number: Int32, _ operation: @autoclosure () -> String) throws(FastCGIError) {
        guard number >= 0 else { throw FastCGIError(operation(), code: errno) }
        self.number = number
    }

    deinit {
        _ = close(number)
    }
}
