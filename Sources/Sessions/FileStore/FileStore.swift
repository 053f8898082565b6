import Glibc
import POSIX

package import struct FoundationEssentials.Date

/// Stores each record in a file of its own, in a directory for its kind.
///
/// The modification time of the file of a session or token is the last use; that of the file of a state or form is the time at
/// which the record ends. A damaged or foreign file costs one sign-in and affects no other session. The directory of tokens
/// and owners is locked while files are added, replaced or removed.
package struct FileStore: Sendable {
    let directories: StoreDirectories
    let files: FileSystem
    /// A separate thread, so that sweeping neither waits behind a flood nor delays a sign-in.
    let sweeping = WriterThreads(count: 1)
    /// A separate thread, because removing all sessions of a member reads the whole store.
    let forgetting = WriterThreads(count: 1, limit: 4)
    /// A separate thread, so that the number on a page neither delays a removal nor waits for one.
    let counting = WriterThreads(count: 1, limit: 4)
    /// A separate thread, so that a flood of forms delays no sign-in.
    let keeper = WriterThreads(count: 1)
    /// A separate thread, because listing tokens reads every file.
    let lister = WriterThreads(count: 1, limit: 64)
    /// The threads that write what a sign-in waits for.
    let writers = WriterThreads(count: 16)
    private let lockPatience: Duration
    /// The possible sizes of a record.
    static let sizes = 1...Record.maximumByteCount
    let owner = User.current.id
    private let remembered: RememberedSessions<FileStamp>

    /// Opens the store, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - directory: its path; the directory above it must exist.
    ///   - lockPatience: how long an update waits for another update of the same session.
    ///   - remembered: the maximum number of sessions that are remembered for checks; 0 turns this off.
    ///   - files: the system calls to use.
    /// - Throws: `StoreError` with a remedy if the directory cannot be used or other users have access to it.
    package init(
        directory: String,
        lockPatience: Duration = .seconds(15),
        remembered: Int = 2_048,
        files: FileSystem = FileSystem()
    ) throws(StoreError) {
        let files = files.at(directory)
        self.files = files
        self.lockPatience = lockPatience
        self.remembered = RememberedSessions(capacity: remembered, displacement: .atSecondRead)
        directories = try StoreDirectories(path: directory, files: files)
    }
}

// MARK: - Reading

extension FileStore: Records {
    /// Asks the system only whether the record is the one that was opened before, if it was.
    ///
    /// It reads on the caller's thread, which costs less than handing the work to another thread.
    package func find(_ name: RecordName, _ need: SessionNeed) throws(StoreError) -> FoundSession {
        if need != .record, let entry = remembered.find(name),
            need == .identity || entry.session.tokens != .unknown,
            // Any error is that of the record, and reading the record finds it again.
            let status = try? files.status(name, in: directories.sessions), entry.proof == FileStamp(status)
        {
            return .remembered(entry.session, used: status.modificationDate)
        }
        return .read(try read(name, need))
    }

    package func beginRead(
        _ name: RecordName,
        _ need: SessionNeed,
        _ answer: @escaping @Sendable (Result<SessionReading?, StoreError>) -> Void
    ) {
        answer(Result { () throws(StoreError) in try read(name, need) })
    }

    private func read(_ name: RecordName, _ need: SessionNeed) throws(StoreError) -> SessionReading? {
        guard let file = try openRecord(name), let (bytes, status) = try contents(of: file) else {
            remembered.forget(name)
            return nil
        }
        // Only checks need what is remembered.
        let validator = need == .record ? nil : SessionReading.Validator.file(FileStamp(status))
        return SessionReading(bytes: bytes, used: status.modificationDate, validator: validator)
    }

    package func remember(
        _ session: CheckedSession,
        _ name: RecordName,
        _ reading: SessionReading,
        used: Date,
        now: Date
    ) {
        // A record is never written in place: as long as the stamp of its name stays, the session is as good as its record.
        // A use that was noted now has changed the stamp.
        guard case .file(let stamp)? = reading.validator, used == reading.used,
            stamp.age(at: now.timeIntervalSince1970) > FileStamp.resolution
        else { return }
        remembered.remember(session, name, stamp)
    }

    /// Sessions in a store that became read-only stay valid until the idle limit, and tokens stay valid.
    package func noteUse(_ record: UsedRecord, _ now: Date) {
        switch record {
        case .session(let name): try? files.setModified(now, name.relativePath, in: directories.sessions)
        case .token(let id): try? files.setModified(now, id.description, in: directories.tokens)
        }
    }

    /// Opens a record; nil if it does not exist, or if something other than a file has its name.
    private func openRecord(_ name: RecordName) throws(StoreError) -> FileDescriptor? {
        do {
            return try files.openFile(name, in: directories.sessions)
        } catch {
            guard error.number == ENOENT else { return try rejectRecord(name, because: error) }
        }
        guard try directories.refreshAtMostOncePerSecond() else { return nil }
        do {
            return try files.openFile(name, in: directories.sessions)
        } catch {
            return error.number == ENOENT ? nil : try rejectRecord(name, because: error)
        }
    }

    /// Returns nil if an error concerns one record only.
    ///
    /// - Throws: `StoreError` if the error concerns the whole store.
    private func rejectRecord(_ name: RecordName, because error: SystemError) throws(StoreError) -> FileDescriptor? {
        switch error.number {
        case ELOOP, ENOTDIR, ENXIO: return nil
        case EACCES:
            // If the file can be looked at, only this file is wrong; otherwise the directory is inaccessible.
            if (try? files.status(name.relativePath, in: directories.sessions)) != nil { return nil }
            throw StoreError(error)
        default: throw StoreError(error)
        }
    }

    /// The bytes and the status of an open record; nil if it cannot be a record.
    private func contents(of file: borrowing FileDescriptor) throws(StoreError) -> (bytes: [UInt8], status: FileStatus)?
    {
        do {
            let status = try files.status(file)
            return try files.contents(of: file, status, owner: owner, sizes: Self.sizes).map { ($0, status) }
        } catch {
            throw StoreError(error)
        }
    }
}

// MARK: - Writing

extension FileStore {
    /// Meanwhile this holds the lock of the record's file, but no thread.
    ///
    /// The lock ends with the process, however the process ends.
    package func change(
        _ name: RecordName,
        _ change: (_ bytes: [UInt8], _ used: Date) async throws -> StoredRecord?
    ) async throws -> Bool {
        guard let file = try await lockedRecord(name), let (bytes, status) = try contents(of: file) else {
            return false
        }
        let isStored: Bool
        if let record = try await change(bytes, status.modificationDate) {
            isStored = try await writers.run(.underway) { () throws(StoreError) in
                try asStoreError { () throws(SystemError) in
                    try replace(name, identity: status.identity, with: record)
                }
            }
        } else {
            isStored = try asStoreError { () throws(SystemError) in
                try isCurrent(name, identity: status.identity)
            }
        }
        file.release()
        return isStored
    }

    /// Replaces a record; false if it is not the record that was read, because a removed session must stay removed.
    private func replace(
        _ name: RecordName,
        identity: FileStatus.Identity,
        with record: StoredRecord
    ) throws(SystemError) -> Bool {
        let shard = try files.openDirectory(name.shard, in: directories.sessions)
        let temporary = try files.writeTemporary(record.bytes, modified: record.used, in: shard)
        do {
            try files.lock(shard)
            guard try isCurrent(name, identity: identity) else {
                try? files.unlink(temporary, in: shard)
                return false
            }
            try files.rename(temporary, to: name.file, in: shard)
            try files.unlock(shard)
        } catch {
            try? files.unlink(temporary, in: shard)
            throw error
        }
        // If this fails, the newer record stays: a refresh token that was used cannot be used again.
        try files.synchronize(shard)
        return true
    }

    private func isCurrent(_ name: RecordName, identity: FileStatus.Identity) throws(SystemError) -> Bool {
        try files.statusIfPresent(name.relativePath, in: directories.sessions)?.identity == identity
    }

    private enum LockAttempt: ~Copyable {
        case missing
        case busy
        case locked(FileDescriptor)
    }

    /// Opens and locks a record; nil if it does not exist.
    private func lockedRecord(_ name: RecordName) async throws -> FileDescriptor? {
        let deadline = ContinuousClock.now + lockPatience
        var pause = Duration.milliseconds(2)
        while true {
            switch try tryLock(name) {
            case .missing: return nil
            case .locked(let file): return file
            case .busy: break
            }
            guard ContinuousClock.now < deadline else {
                throw StoreError(.locked, detail: "another update of the session takes too long")
            }
            // Trying again costs some microseconds; waiting in the system call would occupy a thread.
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    private func tryLock(_ name: RecordName) throws(StoreError) -> LockAttempt {
        guard let file = try openRecord(name) else { return .missing }
        do {
            guard try files.tryLock(file) else { return .busy }
            // The previous holder of the lock may have replaced the file that is locked now.
            return try isCurrent(name, identity: files.status(file).identity) ? .locked(file) : .busy
        } catch {
            throw StoreError(error)
        }
    }
}
