import CSystem
import Glibc

/// A system call that failed.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The name of the call's manual page, such as `open`.
    package let call: String
    /// The value of `errno`.
    package let number: Int32
    /// The directory in which the call failed; nil if the caller knows the path.
    package let directory: String?

    package init(_ call: String, _ number: Int32, in directory: String? = nil) {
        (self.call, self.number, self.directory) = (call, number, directory)
    }

    /// The text of the C library for the error, such as "Permission denied".
    package var description: String {
        // unsafe because strerror returns a pointer: to a constant or to a buffer of this thread, copied here.
        unsafe String(cString: strerror(number))
    }

    /// The symbolic name of the error, such as `EACCES`.
    package var name: String {
        // unsafe because the C library returns a pointer: to a constant, or null.
        guard let name = unsafe strerrorname_np(number) else { return "error \(number)" }
        return unsafe String(cString: name)
    }

    /// Makes a system call, and repeats it if a signal interrupted it.
    ///
    /// Reads `errno` directly after the call, before other code can change it.
    ///
    /// - Parameters:
    ///   - call: The name of the call's manual page.
    ///   - body: Makes the call and returns its result; a negative number is a failure.
    /// - Returns: The result, not negative.
    /// - Throws: `SystemError` with the error number of the call.
    @discardableResult
    package static func attempt<Number: FixedWidthInteger>(
        _ call: String,
        _ body: () -> Number
    ) throws(SystemError) -> Number {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            guard number == EINTR else { throw SystemError(call, number) }
        }
    }
}
