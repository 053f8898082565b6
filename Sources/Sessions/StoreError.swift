/// The store cannot do its work; what was asked did not happen.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// No space, no inodes or no quota left.
        case full
        /// The directory or a file in it cannot be used: permission, type, read-only, input/output error.
        case unusable
        /// Somebody else holds the session for too long.
        case locked
        /// So much waits for the disk already that this was not begun; it can be tried again.
        case busy
        /// What is there is not what was stored.
        case damaged
        /// The system gave no random bytes.
        case noRandom = "no-random"
    }

    package let code: Code
    /// The operation that failed and the system's word for it, for the operator; no secret and no file name.
    package let detail: String

    package var description: String { detail }

    package init(_ code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }
}
