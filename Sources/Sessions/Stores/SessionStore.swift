package import struct FoundationEssentials.Date

/// Stores sessions.
///
/// Its methods are async, so that a store that several machines share can replace the file store.
package protocol SessionStore: Sendable {
    /// Stores a new session under a new ticket. The session is durable when this returns.
    ///
    /// - Throws: `StoreError` if the session could not be made durable; then nothing of it remains.
    func create(_ session: Session, now: Date) async throws(StoreError) -> Ticket

    /// Reads the session of a ticket; nil if it is unknown, expired, idle or damaged. This counts as use of the session.
    ///
    /// - Throws: `StoreError` if the store fails.
    func session(for ticket: Ticket, now: Date) async throws(StoreError) -> Session?

    /// Reads what the check of a request needs of a session, if that is possible without waiting for another thread or
    /// machine; otherwise as `session(for:now:)`.
    ///
    /// - Parameters:
    ///   - ticket: the ticket.
    ///   - withTokens: whether the caller needs to know about the tokens; a check without them may cost less.
    ///   - now: the current time.
    /// - Returns: what is known of the session, or that only `beginCheck` can find it.
    /// - Throws: `StoreError` if the store fails.
    func checkAtOnce(_ ticket: Ticket, withTokens: Bool, now: Date) throws(StoreError) -> ImmediateCheck

    /// Begins a check that `checkAtOnce` cannot do, without a task.
    ///
    /// - Parameters:
    ///   - ticket: the ticket.
    ///   - now: the current time.
    ///   - answer: receives the check once, on any thread, when it need not wait any more; it must not wait either.
    func beginCheck(_ ticket: Ticket, now: Date, _ answer: @escaping @Sendable (@escaping ReadyCheck) -> Void)

    /// Changes a session while no other process or task does.
    ///
    /// The change sees the newest state, so that only the first of several callers refreshes a token. If the change
    /// throws, or leaves the session unchanged, nothing is written.
    ///
    /// - Returns: the changed session; nil if there is none.
    ///
    /// - Throws: what `change` throws, or a `StoreError`.
    func update(
        _ ticket: Ticket,
        now: Date,
        _ change: @Sendable (inout Session) async throws -> Void
    ) async throws -> Session?

    /// Counts the sessions of a member that have not ended.
    ///
    /// - Parameters:
    ///   - member: the member.
    ///   - now: the current time.
    /// - Returns: the number of sessions; nil if counting would take long.
    /// - Throws: `StoreError` if the store fails.
    func count(of member: Member, now: Date) async throws(StoreError) -> Int?

    /// Ends sessions, durably and for all processes that use the store.
    ///
    /// - Returns: the number of sessions that this call ended, including expired ones that were not swept yet.
    /// - Throws: `StoreError`; with the code `.busy` nothing has happened, with any other code some sessions may remain.
    func remove(_ sessions: SessionChoice) async throws(StoreError) -> Int

    /// Removes ended sessions from one part of the store, while others use the store.
    ///
    /// - Parameters:
    ///   - shard: the part, from 0 to 255.
    ///   - now: the current time.
    /// - Returns: what was removed and what was left.
    /// - Throws: `StoreError` if the part cannot be read.
    func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts

    /// Reads the sessions in one part of the store, without their tickets. This does not count as use of the sessions.
    ///
    /// - Parameters:
    ///   - shard: the part, from 0 to 255: the first byte of the IDs in it.
    ///   - headersOnly: whether the caller needs only the headers; the store may then leave out the rest of the bytes.
    /// - Returns: the records in this part.
    /// - Throws: `StoreError` if the part cannot be read.
    func records(shard: Int, headersOnly: Bool) async throws(StoreError) -> StoredRecords

    /// Adds records of another store durably, all of one part; a record that is already there is replaced only if an earlier
    /// copy brought it.
    ///
    /// - Parameters:
    ///   - records: the records.
    ///   - shard: their part.
    ///   - isComplete: whether these are all that there are; records that earlier copies brought and that are not among these are
    ///     removed, because their sessions have ended since.
    /// - Throws: `StoreError` if not all of them are durable.
    func add(_ records: [StoredRecord], shard: Int, isComplete: Bool) async throws(StoreError)

    /// The seconds after which a session that was not used has ended.
    var idleLimit: Double { get }
}

/// The sessions to end.
package enum SessionChoice: Sendable {
    /// Sessions by ID; an unknown session has already ended.
    case ids([SessionID])
    /// All sessions of a member; a session that the member creates meanwhile may stay.
    case all(of: Member)
}

extension SessionStore {
    /// Ends the session of a ticket as `remove(.ids)` does.
    package func remove(_ ticket: Ticket) async throws(StoreError) {
        _ = try await remove(.ids([SessionID(TicketKeys.name(of: ticket))]))
    }

    /// Lists the sessions in one part of the store.
    ///
    /// - Throws: `StoreError` if the part cannot be read.
    package func list(shard: Int, now: Date) async throws(StoreError) -> SessionList {
        SessionList(try await records(shard: shard, headersOnly: true), now: now, idleLimit: idleLimit)
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
}

/// The rest of a check, which does not wait; nil as for `SessionStore.check`.
package typealias ReadyCheck = @Sendable () throws(StoreError) -> CheckedSession?

/// The result of a check that does not wait.
package enum ImmediateCheck: Sendable {
    /// The session; nil as for `SessionStore.check`.
    case known(CheckedSession?)
    case mustWait
}

/// A store that the sweeper walks through, one shard at a time.
package protocol SweptStore: Sendable {
    /// Removes expired records from one shard of the store, which others can use at the same time.
    ///
    /// - Parameters:
    ///   - shard: the number of the shard, from 0 to 255.
    ///   - now: the current time.
    /// - Returns: what was removed and what was left.
    /// - Throws: `StoreError` if the shard cannot be read.
    func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts

    /// Removes the marks of states that have expired, in all shards, and counts the others.
    ///
    /// - Returns: what was removed.
    /// - Throws: `StoreError` if the marks cannot be read.
    func sweepMarks(now: Date) async throws(StoreError) -> SweepCounts
}
