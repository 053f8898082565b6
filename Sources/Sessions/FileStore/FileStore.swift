import Glibc
import POSIX

import struct Crypto.SymmetricKey
package import struct FoundationEssentials.Date

/// Stores each session in its own file, and other records beside them.
///
/// A damaged or foreign file costs one sign-in and affects no other session.
package struct FileStore: Sendable {
    let directories: StoreDirectories
    let files: FileSystem
    /// Used states, kept forms and personal tokens.
    package let records: any Records
    package let idleLimit: Double
    /// A separate thread, so that sweeping neither waits behind a flood nor delays a sign-in.
    let sweeping = WriterThreads(count: 1)
    /// A separate thread, because removing all sessions of a member reads the whole store.
    let forgetting = WriterThreads(count: 1, limit: 4)
    /// A separate thread, so that the number on a page neither delays a removal nor waits for one.
    let counting = WriterThreads(count: 1, limit: 4)
    let writers = WriterThreads(count: 16)
    private let random: RandomBytes
    private let lockPatience: Duration
    /// The possible sizes of a record.
    static let sizes = 1...Record.maximumByteCount
    let owner = User.current.id
    private let remembered: RememberedSessions<FileStamp>

    /// Opens the store, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - directory: its path; the directory above it must exist.
    ///   - idleLimit: a session that was not used for this long has ended.
    ///   - lockPatience: how long an update waits for another update of the same session.
    ///   - remembered: the maximum number of sessions that are remembered for checks; 0 turns this off.
    ///   - random: the source of tickets and nonces.
    ///   - files: the system calls to use.
    /// - Throws: `StoreError` with a remedy if the directory cannot be used or other users have access to it.
    package init(
        directory: String,
        idleLimit: Duration,
        lockPatience: Duration = .seconds(15),
        remembered: Int = 2_048,
        random: RandomBytes = .system(),
        files: FileSystem = FileSystem()
    ) throws(StoreError) {
        let files = files.at(directory)
        self.files = files
        self.random = random
        self.idleLimit = idleLimit / .seconds(1)
        self.lockPatience = lockPatience
        self.remembered = RememberedSessions(capacity: remembered, displacement: .atSecondRead)
        directories = try StoreDirectories(path: directory, files: files)
        records = FileRecords(in: directories, writers: writers, sweeper: sweeping, files: files)
    }
}

// MARK: - Reading

extension FileStore: SessionStore {
    /// Reads on the caller's thread, which costs less than handing the work to another thread.
    package func session(for ticket: Ticket, now: Date) async throws(StoreError) -> Session? {
        let keys = TicketKeys(ticket)
        guard let file = try openRecord(keys.name) else { return nil }
        return try liveSession(in: file, key: keys.key, now: now)
    }

    package func checkAtOnce(_ ticket: Ticket, withTokens: Bool, now: Date) throws(StoreError) -> ImmediateCheck {
        .known(try checked(ticket, withTokens, now))
    }

    package func beginCheck(
        _ ticket: Ticket,
        now: Date,
        _ answer: @escaping @Sendable (@escaping ReadyCheck) -> Void
    ) {
        answer { () throws(StoreError) in try self.checked(ticket, true, now) }
    }

    /// Asks the system only whether the record is the one that was opened before, if it was.
    private func checked(_ ticket: Ticket, _ withTokens: Bool, _ now: Date) throws(StoreError) -> CheckedSession? {
        let name = TicketKeys.name(of: ticket)
        if let entry = remembered.find(name), !withTokens || entry.session.tokens != .unknown,
            // Any error is that of the record, and reading the record finds it again.
            let status = try? files.status(name, in: directories.sessions), entry.proof == FileStamp(status),
            now < entry.session.expires,
            // Reading the record notes the use of the session.
            !isUseDue(status, now)
        {
            return entry.session
        }
        guard let session = try read(name, ticket, withTokens, now) else {
            remembered.forget(name)
            return nil
        }
        return session
    }

    /// Reads and opens the record of a session, and remembers the session.
    private func read(
        _ name: RecordName,
        _ ticket: Ticket,
        _ withTokens: Bool,
        _ now: Date
    ) throws(StoreError) -> CheckedSession? {
        guard let file = try openRecord(name), let (bytes, status) = try contents(of: file),
            let session = ClosedRecord(bytes)?.check(TicketKeys.key(of: ticket), withTokens: withTokens),
            isLive(file, status, expires: session.expires, now: now)
        else { return nil }
        let stamp = FileStamp(status)
        // A record is never written in place: as long as the stamp of its name stays, the session is as good as its record.
        // A use that was noted now has changed the stamp.
        if stamp.age(at: now.timeIntervalSince1970) > FileStamp.resolution, !isUseDue(status, now) {
            remembered.remember(session, name, stamp)
        }
        return session
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

    /// The session in an open record, if the record is valid and the session has not ended; notes its use.
    private func liveSession(
        in file: borrowing FileDescriptor,
        key: SymmetricKey,
        now: Date
    ) throws(StoreError) -> Session? {
        guard let (bytes, status) = try contents(of: file),
            let session = Record.open(bytes, key: key),
            isLive(file, status, expires: session.expires, now: now)
        else { return nil }
        return session
    }

    /// Whether a session has neither expired nor been idle for too long; if so, notes its use.
    private func isLive(_ file: borrowing FileDescriptor, _ status: FileStatus, expires: Date, now: Date) -> Bool {
        let unused = now.timeIntervalSince(status.modificationDate)
        guard now < expires, unused < idleLimit else { return false }
        // Sessions in a store that became read-only stay valid until the idle limit.
        if isUseDue(status, now) { try? files.setModified(now, of: file) }
        return true
    }

    /// Whether the use of a session is to be noted.
    private func isUseDue(_ status: FileStatus, _ now: Date) -> Bool {
        UseInterval.isOver(since: status.modificationDate, at: now, idleLimit: idleLimit)
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

// MARK: - Creating

extension FileStore {
    package func create(_ session: Session, now: Date) async throws(StoreError) -> Ticket {
        // The first attempt succeeds unless the random bytes repeat; no two sessions may have the same ticket.
        for _ in 0..<3 {
            let ticket = try Ticket(random: random)
            let keys = TicketKeys(ticket)
            let record = try Record.seal(session, key: keys.key, nonce: random(SealedBytes.nonceCount))
            let isNew = try await writers.run(.underway, in: directories) { () throws(SystemError) in
                try add(record, name: keys.name, used: now)
            }
            if isNew { return ticket }
        }
        throw StoreError(.noRandom, detail: "random bytes repeat")
    }

    /// False if the name is taken.
    func add(_ record: [UInt8], name: RecordName, used: Date) throws(SystemError) -> Bool {
        let shard = try files.openOrMakeDirectory(name.shard, in: directories.sessions)
        return try files.publish(record, as: name.file, modified: used, in: shard)
    }
}

// MARK: - Updating

extension FileStore {
    /// Changes a session while no other process or task does.
    ///
    /// Meanwhile this holds the lock of the record's file, but no thread. The lock ends with the process, however the
    /// process ends.
    ///
    /// - Throws: what `change` throws; `StoreError` with the code `.locked` if others took too long;
    ///   `CancellationError` if the task was cancelled while it waited for them.
    package func update(
        _ ticket: Ticket,
        now: Date,
        _ change: @Sendable (inout Session) async throws -> Void
    ) async throws -> Session? {
        let keys = TicketKeys(ticket)
        guard let file = try await lockedRecord(keys.name) else { return nil }
        guard let session = try liveSession(in: file, key: keys.key, now: now) else { return nil }
        let identity = try asStoreError { () throws(SystemError) in try files.status(file).identity }
        var changed = session
        try await change(&changed)
        let isStored: Bool
        if changed == session {
            isStored = try asStoreError { () throws(SystemError) in
                try isCurrent(keys.name, identity: identity)
            }
        } else {
            let record = try Record.seal(changed, key: keys.key, nonce: random(SealedBytes.nonceCount))
            isStored = try await writers.run(.underway) { () throws(StoreError) in
                try asStoreError { () throws(SystemError) in
                    try replace(keys.name, identity: identity, with: record, used: now)
                }
            }
        }
        file.release()
        return isStored ? changed : nil
    }

    /// Replaces a record; false if it is not the record that was read, because a removed session must stay removed.
    private func replace(
        _ name: RecordName,
        identity: FileStatus.Identity,
        with record: [UInt8],
        used: Date
    ) throws(SystemError) -> Bool {
        let shard = try files.openDirectory(name.shard, in: directories.sessions)
        let temporary = try files.writeTemporary(record, modified: used, in: shard)
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
