import POSIX

package import struct FoundationEssentials.Date

/// Stores sessions, each under a ticket that only the member's browser has.
///
/// It seals and opens the records of sessions, and decides which sessions have ended.
package final class SessionVault: Sendable {
    private let records: any Records
    private let limit: IdleLimit
    private let random: RandomBytes
    private let counter: StoreCounter

    /// - Parameters:
    ///   - records: where the records are.
    ///   - idleLimit: a session that was not used for this long has ended.
    ///   - random: the source of tickets and nonces.
    ///   - counter: counts and times the operations.
    package init(
        in records: any Records,
        idleLimit: Duration,
        random: RandomBytes = .system(),
        counter: StoreCounter = StoreCounter()
    ) {
        (self.records, self.random, self.counter) = (records, random, counter)
        limit = IdleLimit(idleLimit)
    }

    /// Stores a new session under a new ticket.
    ///
    /// - Returns: the ticket; the session is durable.
    /// - Throws: `StoreError` if the session could not be made durable; then nothing of it remains.
    package func create(_ session: Session, now: Date) async throws(StoreError) -> Ticket {
        try await counter.measure(.create) { () async throws(StoreError) in
            // The first attempt succeeds unless the random bytes repeat; no two sessions may have the same ticket.
            for _ in 0..<3 {
                let ticket = try Ticket(random: random)
                let record = try seal(session, TicketKeys(ticket), used: now)
                if try await records.put(.sessions([record], .new)) == 1 { return ticket }
            }
            throw StoreError(.noRandom, detail: "random bytes repeat")
        }
    }

    private func seal(_ session: Session, _ keys: TicketKeys, used: Date) throws(StoreError) -> StoredRecord {
        StoredRecord(
            id: SessionID(keys.name),
            bytes: try Record.seal(session, key: keys.key, nonce: random(SealedBytes.nonceCount)),
            used: used,
            header: RecordHeader(session)
        )
    }

    /// Changes a session while no other process or task does.
    ///
    /// The change sees the newest state, so that only the first of several callers refreshes a token. If the change
    /// throws, or leaves the session unchanged, nothing is written.
    ///
    /// - Returns: the changed session; nil if there is none.
    /// - Throws: what `change` throws; `StoreError` with the code `.locked` if others took too long, or the change did;
    ///   `CancellationError` if the task was cancelled while it waited for others.
    package func update(
        _ ticket: Ticket,
        now: Date,
        _ change: @Sendable (inout Session) async throws -> Void
    ) async throws -> Session? {
        let start = MonotonicClock.nanoseconds
        defer { counter.add(.update, since: start) }
        let keys = TicketKeys(ticket)
        var changed: Session?
        do {
            let isStored = try await records.change(keys.name) { bytes, used in
                guard let session = Record.open(bytes, key: keys.key),
                    lastUse(of: keys.name, used, expires: session.expires, now: now) != nil
                else { return nil }
                var new = session
                try await change(&new)
                changed = new
                return new == session ? nil : try seal(new, keys, used: now)
            }
            return isStored ? changed : nil
        } catch let error as StoreError {
            counter.add(error, in: .update)
            throw error
        }
    }

    /// Ends sessions, durably and for all processes that use the store.
    ///
    /// - Returns: the number of sessions that this call ended, including expired ones that were not swept yet.
    /// - Throws: `StoreError`; with the code `.busy` nothing has happened, with any other code some sessions may remain.
    package func remove(_ sessions: SessionChoice) async throws(StoreError) -> Int {
        let operation: StoreOperation =
            switch sessions {
            case .ids: .remove
            case .all, .signedOut: .member
            }
        return try await counter.measure(operation) { () async throws(StoreError) in
            try await records.remove(.sessions(sessions))
        }
    }

    /// Ends the session of a ticket as `remove(.ids)` does.
    package func remove(_ ticket: Ticket) async throws(StoreError) {
        _ = try await remove(.ids([SessionID(ticket)]))
    }

    /// Counts the sessions of a member that have not ended.
    ///
    /// - Returns: the number of sessions; nil if counting would take long.
    /// - Throws: `StoreError` if the store fails.
    package func count(of member: Member, now: Date) async throws(StoreError) -> Int? {
        try await counter.measure(.member) { () async throws(StoreError) in
            let found = try await records.read(.member(member))
            return found.isComplete ? SessionList(found, now: now, limit).live.count : nil
        }
    }

    /// Lists the sessions in one part of the store, from 0 to 255.
    ///
    /// - Throws: `StoreError` if the part cannot be read.
    package func list(shard: Int, now: Date) async throws(StoreError) -> SessionList {
        SessionList(try await records.read(.shard(shard, headersOnly: true)), now: now, limit)
    }

    /// Removes ended sessions from one part of the store, from 0 to 255, while others use the store.
    ///
    /// - Throws: `StoreError` if the part cannot be read.
    package func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts {
        try await counter.measure(.sweep) { () async throws(StoreError) in
            try await records.sweep(.shard(shard, idle: limit.latestEnd(at: now)), now: now).counts
        }
    }
}

// MARK: - Reading

extension SessionVault {
    /// Reads the session of a ticket, which counts as use of the session.
    ///
    /// - Returns: the session; nil if it is unknown, expired, idle or damaged.
    /// - Throws: `StoreError` if the store fails.
    package func session(for ticket: Ticket, now: Date) async throws(StoreError) -> Session? {
        try await counter.measure(.read) { () async throws(StoreError) in
            let keys = TicketKeys(ticket)
            guard let reading = try await read(keys.name), let session = Record.open(reading.bytes, key: keys.key),
                use(CheckedSession(session), keys.name, reading, now: now)
            else { return nil }
            return session
        }
    }

    private func read(_ name: RecordName) async throws(StoreError) -> SessionReading? {
        if case .read(let reading) = try records.find(name, .record) { return reading }
        let result: Result<SessionReading?, StoreError> = await withCheckedContinuation { continuation in
            records.beginRead(name, .record) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Reads what the check of a request needs of a session, if that is possible without waiting for another thread or
    /// machine; otherwise as `session(for:now:)`.
    ///
    /// - Parameters:
    ///   - ticket: the ticket.
    ///   - withTokens: whether the caller needs to know about the tokens; a check without them may cost less.
    ///   - now: the current time.
    /// - Returns: what is known of the session, or that only `beginCheck` can find it.
    /// - Throws: `StoreError` if the store fails.
    package func checkAtOnce(_ ticket: Ticket, withTokens: Bool, now: Date) throws(StoreError) -> ImmediateCheck {
        let start = MonotonicClock.nanoseconds
        do throws(StoreError) {
            let name = TicketKeys.name(of: ticket)
            let session: CheckedSession?
            switch try records.find(name, withTokens ? .tokenTimes : .identity) {
            case .remembered(let found, let used):
                session = lastUse(of: name, used, expires: found.expires, now: now) == nil ? nil : found
            case .read(let reading): session = open(reading, ticket, name, withTokens: withTokens, now: now)
            // The caller checks in another way, which is counted.
            case .mustWait: return .mustWait
            }
            counter.add(.read, since: start)
            return .known(session)
        } catch {
            counter.add(.read, since: start)
            counter.add(error, in: .read)
            throw error
        }
    }

    /// Begins a check that `checkAtOnce` cannot do, without a task.
    ///
    /// - Parameters:
    ///   - ticket: the ticket.
    ///   - now: the current time.
    ///   - answer: receives the check once, on any thread, when it need not wait any more; it must not wait either. The record
    ///     is opened on the thread that asks for the rest of the check.
    package func beginCheck(
        _ ticket: Ticket,
        now: Date,
        _ answer: @escaping @Sendable (@escaping ReadyCheck) -> Void
    ) {
        let (start, name) = (MonotonicClock.nanoseconds, TicketKeys.name(of: ticket))
        records.beginRead(name, .tokenTimes) { [self] result in
            answer { () throws(StoreError) in
                defer { self.counter.add(.read, since: start) }
                do throws(StoreError) {
                    return self.open(try result.get(), ticket, name, withTokens: true, now: now)
                } catch {
                    self.counter.add(error, in: .read)
                    throw error
                }
            }
        }
    }

    /// Does what `checkAtOnce` does, and waits if necessary.
    ///
    /// - Returns: what is known of the session; nil as for `session(for:now:)`.
    /// - Throws: `StoreError` if the store fails.
    package func check(_ ticket: Ticket, withTokens: Bool, now: Date) async throws(StoreError) -> CheckedSession? {
        if case .known(let session) = try checkAtOnce(ticket, withTokens: withTokens, now: now) { return session }
        let check = await withCheckedContinuation { (continuation: CheckedContinuation<ReadyCheck, Never>) in
            beginCheck(ticket, now: now) { continuation.resume(returning: $0) }
        }
        return try check()
    }

    /// What a check needs of the session in a record, if the record is valid and the session has not ended.
    private func open(
        _ reading: SessionReading?,
        _ ticket: Ticket,
        _ name: RecordName,
        withTokens: Bool,
        now: Date
    ) -> CheckedSession? {
        guard let reading,
            let session = ClosedRecord(reading.bytes)?.check(TicketKeys.key(of: ticket), withTokens: withTokens),
            use(session, name, reading, now: now)
        else { return nil }
        return session
    }

    /// Whether a session has not ended; notes its use, and remembers the session.
    private func use(_ session: CheckedSession, _ name: RecordName, _ reading: SessionReading, now: Date) -> Bool {
        let used = lastUse(of: name, reading.used, expires: session.expires, now: now)
        records.remember(session, name, reading, used: used ?? reading.used, now: now)
        return used != nil
    }

    /// The last use of a session, now if it is time to note the use; nil if the session has ended.
    private func lastUse(of name: RecordName, _ used: Date, expires: Date, now: Date) -> Date? {
        guard now < expires, !limit.isOver(since: used, at: now) else { return nil }
        guard limit.isNoteDue(since: used, at: now) else { return used }
        records.noteUse(.session(name), now)
        return now
    }
}

/// The rest of a check, which does not wait; nil as for `SessionVault.check`.
package typealias ReadyCheck = @Sendable () throws(StoreError) -> CheckedSession?

/// The result of a check that does not wait.
package enum ImmediateCheck: Sendable {
    /// The session; nil as for `SessionVault.check`.
    case known(CheckedSession?)
    case mustWait
}
