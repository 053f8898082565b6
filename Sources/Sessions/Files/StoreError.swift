package import Encoding
import Glibc
import POSIX

/// The store failed; the requested operation did not happen.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// No space, no inodes or no quota left.
        case full
        /// The directory or a file in it cannot be used: permissions, type, read-only, input/output error.
        case unusable
        /// Another update holds the lock of the session for too long.
        case locked
        /// Too much other work is waiting for the disk; the operation was not started and can be tried again.
        case busy
        /// The database did not answer in time; what was requested may have happened.
        case unreachable
        /// The stored bytes were changed.
        case damaged
        /// The system gave no random bytes.
        case noRandom = "no-random"
    }

    package let code: Code
    /// The failed operation and the system's error message, for the operator; never a secret or the name of a record.
    package var detail: String { advice.description }
    /// The same, with what to do apart.
    package let advice: Advice

    package var description: String { detail }

    package init(_ code: Code, detail: String, remedy: String? = nil) {
        self.code = code
        advice = Advice(detail, remedy)
    }

    /// `store copy --finish` moves the sessions of the database to another place.
    package static let movingDatabase = moving("the database")

    /// `store copy --finish` moves the sessions of a place to another place.
    static func moving(_ place: String) -> StoreError {
        let advice = "store copy --finish moves its sessions: try again when store copy --finish has ended"
        return StoreError(.locked, detail: "\(place) is locked: \(advice)")
    }

    /// Classifies a failed system call; the detail is the directory, the call and the system's error message.
    init(_ error: SystemError) {
        let detail = "\(error.directory.map { "\($0): " } ?? "")\(error.call): \(error)"
        switch error.number {
        case _ where error.call == FileSystem.Call.random.rawValue: self.init(.noRandom, detail: detail)
        case ENOSPC, EDQUOT: self.init(.full, detail: detail)
        default: self.init(.unusable, detail: detail)
        }
    }
}

/// Opens a file or directory that the operator configured; explains a failure with a remedy.
func asStoreError<Result: ~Copyable>(
    opening what: String,
    remedy: @autoclosure () -> String? = nil,
    _ body: () throws(SystemError) -> Result
) throws(StoreError) -> Result {
    do {
        return try body()
    } catch {
        switch error.number {
        case ENOTDIR, ELOOP:
            throw StoreError(
                .unusable,
                detail:
                    "\(what) is not a directory, or is a symbolic link: move it away, and the program makes a directory"
            )
        case ENOENT:
            throw StoreError(
                .unusable,
                detail: "\(what) does not exist: create it, or mount the file system that contains it"
            )
        case EACCES:
            let detail = "\(User.current.described) cannot open \(what): \(error)"
            throw StoreError(.unusable, detail: detail, remedy: remedy())
        default: throw StoreError(error)
        }
    }
}

/// Runs system calls and turns a failure into a `StoreError`.
func asStoreError<Result: ~Copyable>(
    _ body: () throws(SystemError) -> Result
) throws(StoreError) -> Result {
    do {
        return try body()
    } catch {
        throw StoreError(error)
    }
}
