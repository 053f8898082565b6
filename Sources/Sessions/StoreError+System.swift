import Glibc
import POSIX

extension StoreError {
    /// Says what failed in the system's words.
    init(_ error: SystemError) {
        let detail = "\(error.call): \(error)"
        switch error.number {
        case _ where error.call == FileSystem.Call.random.rawValue: self.init(.noRandom, detail: detail)
        case ENOSPC, EDQUOT: self.init(.full, detail: detail)
        default: self.init(.unusable, detail: detail)
        }
    }
}

/// Opens what the operator has named, and says of a failure what to do about it.
func asStoreError<Result: ~Copyable>(
    opening what: String,
    _ body: () throws(SystemError) -> Result
) throws(StoreError) -> Result {
    do {
        return try body()
    } catch {
        switch error.number {
        case ENOTDIR, ELOOP:
            throw StoreError(.unusable, detail: "\(what) is a symbolic link or of another kind")
        case ENOENT:
            throw StoreError(
                .unusable,
                detail: "\(what) does not exist: create it, or mount the file system that contains it"
            )
        case EACCES:
            throw StoreError(.unusable, detail: "user \(User.current.name) cannot open \(what): \(error)")
        default: throw StoreError(error)
        }
    }
}

/// Runs system calls and says of a failed one what it means for the store.
func asStoreError<Result: ~Copyable>(
    _ body: () throws(SystemError) -> Result
) throws(StoreError) -> Result {
    do {
        return try body()
    } catch {
        throw StoreError(error)
    }
}
