import Glibc

/// A system call that failed.
package struct POSIXError: Error, Equatable, CustomStringConvertible {
    /// The value of `errno`.
    package let number: Int32

    package init(number: Int32) {
        self.number = number
    }

    /// The system's words, such as "Permission denied".
    package var description: String {
        // unsafe because strerror returns a pointer; its text is a constant or a buffer of this thread, copied at once.
        unsafe String(cString: strerror(number))
    }

    /// Makes a system call, and makes it again after a signal.
    ///
    /// `errno` is read before anything else can change it.
    static func attempt<Number: FixedWidthInteger>(_ call: () -> Number) throws(POSIXError) -> Number {
        while true {
            let result = call()
            if result >= 0 { return result }
            let number = errno
            guard number == EINTR else { throw POSIXError(number: number) }
        }
    }
}
