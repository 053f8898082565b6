import POSIX

/// A lock on a state directory, until the end of this object or of the process.
///
/// Each `serve` shares it, so that one can replace another. `store copy --finish` needs it alone, because it moves sessions
/// that a `serve` would miss.
package final class StateDirectoryLock: Sendable {
    private let directory: FileDescriptor

    /// Takes the lock without waiting.
    ///
    /// - Parameters:
    ///   - path: the state directory, which exists.
    ///   - isShared: whether others may share it.
    ///   - files: the system calls to use.
    /// - Throws: `StoreError` with the code `.locked` if another process has the lock.
    package init(_ path: String, isShared: Bool, files: FileSystem = FileSystem()) throws(StoreError) {
        let files = files.at(path)
        directory = try asStoreError { () throws(SystemError) in
            try files.openDirectory(StoreDirectories.withoutSlashes(path), in: .working)
        }
        let isLocked = try asStoreError { () throws(SystemError) in try files.tryLock(directory, isShared: isShared) }
        guard isLocked else {
            let place = "the state directory \(path)"
            guard !isShared else { throw .moving(place) }
            throw StoreError(.locked, detail: "\(place) is locked: serve uses it: stop serve")
        }
    }
}
