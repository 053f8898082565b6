/// The store failed; the requested operation did not happen.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// No space, no inodes or no quota left.
        case full
        /// The directory or a file in it cannot be used: permissions, type, read-only, input/output error.
        case unusable
        /// Another update holds the lock of the session for too long.
        case locked
        /// Too many writes are waiting for the disk; the operation was not started and can be tried again.
        case busy
        /// The stored bytes were changed.
        case damaged
        /// The system gave no random bytes.
        case noRandom = "no-random"
    }

    package let code: Code
    /// The failed operation and the system's error message, for the operator; never a secret or the name of a record.
    package let detail: String

    package var description: String { detail }

    package init(_ code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }
}
