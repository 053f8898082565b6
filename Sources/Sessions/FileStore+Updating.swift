import Glibc

package import struct FoundationEssentials.Date

extension FileStore {
    /// Changes a session while nobody else does, in this process or another.
    ///
    /// What is held meanwhile is the lock of the record's file, and no thread: it ends with the process, however that
    /// dies.
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
        guard let session = try liveSession(in: file, keys: keys, now: now) else { return nil }
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

    /// False if the record is not the one that was read: somebody removed it, and removed it stays.
    private func replace(
        _ name: RecordName,
        identity: FileIdentity,
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
        // If this fails the newer record stays: a refresh token that was used cannot be taken back.
        try files.synchronize(shard)
        return true
    }

    private func isCurrent(_ name: RecordName, identity: FileIdentity) throws(SystemError) -> Bool {
        do {
            return try files.status(name.relativePath, in: directories.sessions).identity == identity
        } catch {
            guard error.number == ENOENT else { throw error }
            return false
        }
    }
}

// MARK: - Locking

extension FileStore {
    private enum Attempt: ~Copyable {
        case missing
        case busy
        case locked(FileDescriptor)
    }

    /// The record's open file with its lock held; nil if there is no record.
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
            // Asking again costs some microseconds; waiting in the system would cost a thread.
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    private func tryLock(_ name: RecordName) throws(StoreError) -> Attempt {
        guard let file = try openRecord(name) else { return .missing }
        do {
            guard try files.tryLock(file) else { return .busy }
            // Who held the lock before may have put another file in the place of the one that is locked now.
            return try isCurrent(name, identity: files.status(file).identity) ? .locked(file) : .busy
        } catch {
            throw StoreError(error)
        }
    }
}
