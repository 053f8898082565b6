package import POSIX

package import struct FoundationEssentials.Date

/// Durable records of sessions, in files or in a database, for all processes that use the same place.
///
/// An implementation cannot open a record: it knows the name, the header and the last use. Its methods are async, so that a
/// database can replace the files.
package protocol SessionRecords: Sendable {
    /// Adds records. They are durable when this returns.
    ///
    /// - Parameters:
    ///   - records: the records.
    ///   - origin: where they come from.
    /// - Returns: how many were added, or replaced a copy.
    /// - Throws: `StoreError` if not all of them are durable; then nothing remains of a single one.
    func add(_ records: [StoredRecord], _ origin: RecordOrigin) async throws(StoreError) -> Int

    /// Finds a session that is remembered, or reads its record, without waiting for another thread or machine.
    ///
    /// - Parameters:
    ///   - name: the name of the record.
    ///   - need: what the caller needs of the session.
    /// - Returns: what was found, or that only `beginRead` can read the record.
    /// - Throws: `StoreError` if the place fails.
    func find(_ name: RecordName, _ need: SessionNeed) throws(StoreError) -> FoundSession

    /// Begins to read a record that `find` cannot read, without a task.
    ///
    /// - Parameters:
    ///   - name: the name of the record.
    ///   - need: what the caller needs of the session.
    ///   - answer: receives the record once, on any thread; nil if it does not exist. It must not wait.
    func beginRead(
        _ name: RecordName,
        _ need: SessionNeed,
        _ answer: @escaping @Sendable (Result<SessionReading?, StoreError>) -> Void
    )

    /// Remembers for `find` a session that was opened, unless its record may have changed since.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - name: the name of its record.
    ///   - reading: the record.
    ///   - used: the last use, which may have been noted after the record was read.
    ///   - now: the current time.
    func remember(_ session: CheckedSession, _ name: RecordName, _ reading: SessionReading, used: Date, now: Date)

    /// Notes when a session was used, immediately or within a few seconds. If the note is lost, the session ends earlier.
    func noteUse(_ name: RecordName, _ now: Date)

    /// Replaces a record while no other process or task does.
    ///
    /// - Parameters:
    ///   - name: the name of the record.
    ///   - change: gets the newest bytes and the last use, and returns the record to store; nil to leave the record as it is.
    /// - Returns: false if there is no record, or if it was removed meanwhile, because it must stay removed.
    /// - Throws: what `change` throws, then nothing is stored; `StoreError` with the code `.locked` if others took too long, or
    ///   the change did; `CancellationError` if the task was cancelled while it waited for others.
    func change(
        _ name: RecordName,
        _ change: (_ bytes: [UInt8], _ used: Date) async throws -> StoredRecord?
    ) async throws -> Bool

    /// Ends sessions, durably and for all processes that use the place.
    ///
    /// - Returns: the number of sessions that this call ended, including expired ones that were not swept yet.
    /// - Throws: `StoreError`; with the code `.busy` nothing has happened, with any other code some sessions may remain.
    func remove(_ sessions: SessionChoice) async throws(StoreError) -> Int

    /// Removes ended sessions from one part of the place, while others use it.
    ///
    /// - Parameters:
    ///   - shard: the part, from 0 to 255.
    ///   - now: the current time.
    ///   - idle: the latest last use with which a session has ended.
    /// - Returns: what was removed and what was left.
    /// - Throws: `StoreError` if the part cannot be read.
    func sweep(shard: Int, now: Date, idle: Date) async throws(StoreError) -> SweepCounts

    /// Reads records, without the tickets of their sessions. This does not count as use of the sessions.
    ///
    /// - Parameters:
    ///   - part: which records.
    ///   - headersOnly: whether the caller needs only the headers; the rest of the bytes may then be missing.
    /// - Returns: the records; nil if finding those of a member would take long.
    /// - Throws: `StoreError` if the part cannot be read.
    func records(_ part: SessionPart, headersOnly: Bool) async throws(StoreError) -> StoredRecords?
}

/// Where records come from that are added.
package enum RecordOrigin: Sendable {
    /// New sessions. A record whose name is taken is not added.
    case new
    /// Another place, in which all of them are in one part, from 0 to 255: a record that is already there is replaced only if
    /// an earlier copy brought it.
    ///
    /// If the records are all that there are, those that earlier copies brought and that are not among them are removed,
    /// because their sessions have ended since.
    case copy(shard: Int, isComplete: Bool)
}

/// What a caller needs of a session.
package enum SessionNeed: Sendable {
    /// The identity and the times of the session.
    case identity
    /// Also the times of the tokens.
    case tokenTimes
    /// The whole record, with the tokens and the profile.
    case record
}

/// What is found of a session without waiting.
package enum FoundSession: Sendable {
    /// A session that was opened before, and whose record has not changed since, and its last use.
    case remembered(CheckedSession, used: Date)
    /// The record; nil if there is none.
    case read(SessionReading?)
    case mustWait
}

/// The record of a session as it was read.
package struct SessionReading: Sendable {
    /// What shows later whether a session is still as its record.
    package enum Validator: Sendable {
        case file(FileStamp)
        /// Where the query began, and when the server was certainly the primary.
        case row(NearCache.Mark, proven: ContinuousClock.Instant)
    }

    package let bytes: [UInt8]
    package let used: Date
    /// Nil if the session is not to be remembered.
    package let validator: Validator?

    package init(bytes: [UInt8], used: Date, validator: Validator?) {
        (self.bytes, self.used, self.validator) = (bytes, used, validator)
    }
}

/// The sessions to end.
package enum SessionChoice: Sendable {
    /// Sessions by ID; an unknown session has already ended.
    case ids([SessionID])
    /// All sessions of a member; a session that the member creates meanwhile may stay.
    case all(of: Member)
    /// The sessions that a provider ends; a session that a member creates meanwhile may stay.
    case signedOut(LogoutNotice)
}

/// The records to read.
package enum SessionPart: Sendable {
    /// One part of the place, from 0 to 255: the first byte of the IDs in it.
    case shard(Int)
    case member(Member)

    /// How many records a place reads at most to find those of a member for a number on a page: some tens of milliseconds.
    package static let memberLimit = 2_000
}
