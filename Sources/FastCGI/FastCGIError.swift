package import POSIX

import var Glibc.EACCES
import var Glibc.EADDRINUSE
import var Glibc.EEXIST
import var Glibc.ENAMETOOLONG
import var Glibc.EPERM
import var Glibc.EROFS

/// A failed operation, for the operator: what was tried, the error of the system, and what to do.
package struct FastCGIError: Error, Equatable, CustomStringConvertible {
    /// What was tried, with the path or address.
    package let operation: String
    /// The error of the system; nil if a check of this program failed.
    package let cause: SystemError?
    /// What the operator can do about it; may be empty.
    package let hint: String

    init(_ operation: String, _ cause: SystemError? = nil, hint: String = "") {
        self.operation = operation
        self.cause = cause
        self.hint = hint
    }

    /// Whether another process uses the address.
    package var isInUse: Bool { cause?.number == EADDRINUSE }

    /// Whether every later attempt fails too, until an operator changes a setting or a permission.
    package var isForOperator: Bool {
        // A check of this program, such as one for an unknown user.
        guard let number = cause?.number else { return true }
        return [EACCES, EEXIST, ENAMETOOLONG, EPERM, EROFS].contains(number)
    }

    /// One line for a log or a terminal.
    package var description: String {
        let reason = cause.map { ": \($0)" } ?? ""
        let remedy = hint.isEmpty ? "" : " (\(hint))"
        return "cannot \(operation)\(reason)\(remedy)"
    }

    /// Makes a system call, and says what it was for if it fails.
    ///
    /// - Parameters:
    ///   - call: The name of the call's manual page.
    ///   - operation: What the call is for, after "cannot".
    ///   - hint: What the operator can do about a failure.
    ///   - body: Makes the call; a negative result is a failure.
    /// - Returns: The result of the call.
    /// - Throws: `FastCGIError` if the call fails.
    @discardableResult
    static func attempt(
        _ call: String,
        to operation: @autoclosure () -> String,
        hint: @autoclosure () -> String = "",
        _ body: () -> Int32
    ) throws(FastCGIError) -> Int32 {
        do throws(SystemError) {
            return try SystemError.attempt(call, body)
        } catch {
            throw FastCGIError(operation(), error, hint: hint())
        }
    }
}
