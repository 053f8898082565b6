import CSystem
import Glibc

/// What the system refused, for the operator: the operation, the system's own name for the reason, and what to do.
package struct FastCGIError: Error, Equatable, CustomStringConvertible {
    /// What was tried, with the path or address it was tried on.
    package let operation: String
    /// The symbolic error number (`EACCES`), or nil if the refusal is ours.
    package let errorName: String?
    /// What the operator can do about it; may be empty.
    package let hint: String

    init(_ operation: String, code: Int32? = nil, hint: String = "") {
        self.operation = operation
        errorName = code.map(Self.name)
        self.hint = hint
    }

    /// One line for a log or a terminal.
    package var description: String {
        let reason = errorName.map { ": \($0)" } ?? ""
        let remedy = hint.isEmpty ? "" : " (\(hint))"
        return "cannot \(operation)\(reason)\(remedy)"
    }

    /// The symbolic name of an error number.
    static func name(_ code: Int32) -> String {
        // unsafe because the C library answers with a pointer; it points to a constant, or nowhere.
        guard let name = unsafe strerrorname_np(code) else { return "error \(code)" }
        return unsafe String(cString: name)
    }
}
