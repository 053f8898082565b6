import CSystem
import Glibc

/// A file descriptor with one owner, closed when the owner releases it.
package struct FileDescriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Takes ownership of an open descriptor.
    package init(_ number: Int32) {
        self.number = number
    }

    /// Takes ownership of the descriptor that a system call returns.
    ///
    /// - Parameters:
    ///   - call: The name of the call's manual page.
    ///   - body: Makes the call.
    /// - Throws: `SystemError` if the call fails.
    package init(_ call: String, _ body: () -> Int32) throws(SystemError) {
        number = try SystemError.attempt(call, body)
    }

    /// The working directory, for calls that look up a name in a directory; paths work too.
    package static let working = FileDescriptor(AT_FDCWD)

    /// The flag of open(2) for a file whose time of access reading does not change; only for the file's owner.
    package static var withoutAccessTime: Int32 { open_without_access_time }

    /// Writes all bytes to an open descriptor; blocks until the file or the reader has taken them.
    package static func write(_ bytes: some Sequence<UInt8>, to number: Int32) throws(SystemError) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let written = try SystemError.attempt("write") {
                // unsafe because the call reads through a pointer, as many bytes as the buffer has.
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(written)
        }
    }

    /// Ends the ownership at a visible place in the code.
    package consuming func release() {}

    deinit {
        // An error has no effect: data that must reach the disk was synchronized before.
        _ = close(number)
    }
}
