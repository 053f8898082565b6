import Glibc

extension StoreError {
    /// Says what failed in the system's words.
    init(_ error: SystemError) {
        let detail = "\(error.call.rawValue): \(FileSystem.message(error.number))"
        switch (error.call, error.number) {
        case (.random, _): self.init(.noRandom, detail: detail)
        case (_, ENOSPC), (_, EDQUOT): self.init(.full, detail: detail)
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
            let reason = FileSystem.message(error.number)
            throw StoreError(.unusable, detail: "user \(FileSystem.currentUserName) cannot open \(what): \(reason)")
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
