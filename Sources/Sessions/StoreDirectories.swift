import Glibc
import Synchronization

/// The directories of a store, held open, so that every name is looked up in a place that was checked.
///
/// If others take their place (a backup, a disk that is back), those are opened under the same descriptors: readers
/// need neither a lock nor a restart.
final class StoreDirectories: Sendable {
    private struct Parts: ~Copyable {
        let sessions: FileDescriptor
        let spent: FileDescriptor
        let kept: FileDescriptor
    }

    /// The names of the directories in the store's own.
    static let parts = ["sessions", "spent", "kept"]

    let sessions: FileDescriptor
    let spent: FileDescriptor
    let kept: FileDescriptor
    private let path: String
    private let files: FileSystem
    private let reopening = Mutex(())
    private let start = ContinuousClock.now
    /// Seconds after the start.
    private let lastCheck = Atomic<Int64>(0)

    /// Creates what is missing of the directories, for this user alone.
    init(path: String, files: FileSystem) throws(StoreError) {
        self.path = Self.withoutSlashes(path)
        self.files = files
        try Self.make(self.path, files: files)
        let parts = try Self.open(self.path, files: files)
        sessions = parts.sessions
        spent = parts.spent
        kept = parts.kept
    }

    /// Makes sure that these are the directories at the path; for whoever is about to write.
    func refresh() throws(StoreError) {
        guard !isCurrent else { return }
        try reopening.withLock { _ throws(StoreError) in
            guard !isCurrent else { return }
            let parts = try Self.open(path, files: files)
            try asStoreError { () throws(SystemError) in
                try files.replace(sessions, with: parts.sessions)
                try files.replace(spent, with: parts.spent)
                try files.replace(kept, with: parts.kept)
            }
        }
    }

    /// As `refresh`, at most once a second; for whoever did not find what may be in another directory by now.
    ///
    /// - Returns: true if it is worth looking again.
    func refreshNowAndThen() throws(StoreError) -> Bool {
        let now = (ContinuousClock.now - start).components.seconds
        let last = lastCheck.load(ordering: .relaxed)
        guard now > last, !isCurrent else {
            if now > last { lastCheck.store(now, ordering: .relaxed) }
            return false
        }
        try refresh()
        return true
    }

    private var isCurrent: Bool {
        isCurrent(sessions, "sessions") && isCurrent(spent, "spent") && isCurrent(kept, "kept")
    }

    private func isCurrent(_ directory: borrowing FileDescriptor, _ name: String) -> Bool {
        guard let here = try? files.status(directory).identity,
            let there = try? files.status("\(path)/\(name)", in: .working).identity
        else { return false }
        return here == there
    }
}

// MARK: - Opening

extension StoreDirectories {
    /// A slash at the end would make the system follow a symbolic link before it.
    static func withoutSlashes(_ path: String) -> String {
        path.lastIndex { $0 != "/" }.map { String(path[...$0]) } ?? path
    }

    private static func make(_ path: String, files: FileSystem) throws(StoreError) {
        do {
            try files.makeDirectory(path, in: .working)
        } catch {
            switch error.number {
            case EEXIST: return
            case ENOENT:
                throw StoreError(.unusable, detail: "the directory above the store's directory is missing: create it")
            default: throw StoreError(error)
            }
        }
    }

    private static func open(_ path: String, files: FileSystem) throws(StoreError) -> Parts {
        let root = try asStoreError(opening: "the store's directory") { () throws(SystemError) in
            try files.openDirectory(path, in: .working)
        }
        try check(root, what: "the store's directory", files: files)
        return Parts(
            sessions: try openPart("sessions", of: root, files: files),
            spent: try openPart("spent", of: root, files: files),
            kept: try openPart("kept", of: root, files: files)
        )
    }

    private static func openPart(
        _ name: String,
        of root: borrowing FileDescriptor,
        files: FileSystem
    ) throws(StoreError) -> FileDescriptor {
        let what = "the directory \"\(name)\" of the store"
        let part = try asStoreError(opening: what) { () throws(SystemError) in
            try files.openOrMakeDirectory(name, in: root)
        }
        try check(part, what: what, files: files)
        return part
    }

    /// - Throws: `StoreError` with a remedy if the directory is not a user's alone.
    static func check(
        _ directory: borrowing FileDescriptor,
        what: String,
        owner: UInt32 = FileSystem.effectiveUser,
        files: FileSystem
    ) throws(StoreError) {
        let status = try asStoreError { () throws(SystemError) in try files.status(directory) }
        guard status.owner == owner else {
            throw StoreError(
                .unusable,
                detail: "\(what) belongs to user \(status.owner), not to user \(owner): chown it"
            )
        }
        guard status.permissions & 0o077 == 0 else {
            let mode = String(status.permissions, radix: 8)
            throw StoreError(.unusable, detail: "\(what) is open to other users (mode \(mode)): chmod 700 it")
        }
    }
}
