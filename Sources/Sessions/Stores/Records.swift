package import POSIX

package import struct FoundationEssentials.Date

/// Durable records, in files or in a database, for all processes that use the same place.
///
/// An implementation cannot open the record of a session or of a form. `StoredRecord` and `TokenRecord` tell it the owner and
/// the end of a session or token. After an error with the code `.busy` nothing has happened; after every other error, a change
/// may have happened.
package protocol Records: Sendable {
    /// Adds records. They are durable when this returns, except forms.
    ///
    /// - Returns: how many were added, or replaced an earlier copy; owners do not count. Of several callers that add a record
    ///   with one name, in this process or another, one adds it.
    /// - Throws: `StoreError`; what has happened then depends on the records: see `NewRecords`.
    func put(_ records: NewRecords) async throws(StoreError) -> Int

    /// Reads records, which does not count as their use.
    ///
    /// - Throws: `StoreError` if the place fails.
    func read(_ selection: RecordSelection) async throws(StoreError) -> ReadRecords

    /// Removes a record and returns its bytes, to only one of several callers, in this process or another.
    ///
    /// - Returns: nil if it does not exist.
    /// - Throws: `StoreError` if the place fails; then the record may be gone.
    func take(_ kind: RecordKind, _ name: RecordName) async throws(StoreError) -> [UInt8]?

    /// Removes records, durably and for all processes that use the place.
    ///
    /// - Returns: how many sessions or tokens this call removed, including ended ones that were not swept yet.
    /// - Throws: `StoreError`; some may be removed.
    func remove(_ choice: RecordChoice) async throws(StoreError) -> Int

    /// Removes records that have ended from one part of the place, while others use it.
    ///
    /// - Returns: what was removed, and what is left.
    /// - Throws: `StoreError` if the part cannot be read; some may be removed.
    func sweep(_ part: SweptPart, now: Date) async throws(StoreError) -> SweptRecords

    /// Notes when a record was used, immediately or within a few seconds. If the note is lost, its last use looks earlier.
    func noteUse(_ record: UsedRecord, _ now: Date)

    // MARK: Sessions

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

    /// Replaces the record of a session while no other process or task does.
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
}

extension Records {
    /// The bytes of a state or form; nil if it does not exist, and no bytes if something else has its name.
    package func get(_ kind: RecordKind, _ name: RecordName) async throws(StoreError) -> [UInt8]? {
        try await read(.record(kind, name)).records.first?.bytes
    }

    /// A token, and the owner with the name in it; the owner is nil if it is missing or damaged.
    ///
    /// - Returns: nil if the token does not exist or is damaged.
    package func token(_ id: PersonalTokenID) async throws(StoreError) -> (token: TokenRecord, owner: TokenOwner?)? {
        let found = try await read(.token(id)).records
        guard let token = found.first.flatMap(TokenRecord.init) else { return nil }
        return (token, found.dropFirst().first.flatMap { TokenOwner(bytes: $0.bytes) })
    }

    /// The tokens that can be read, also those that have ended; see `RecordSelection.tokens`.
    package func tokens(of owners: [[UInt8]]?) async throws(StoreError) -> [TokenRecord] {
        try await read(.tokens(of: owners)).records.compactMap(TokenRecord.init)
    }

    /// The owners that can be read; see `RecordSelection.owners`.
    package func owners(_ names: [[UInt8]]?) async throws(StoreError) -> [TokenOwner] {
        try await read(.owners(names)).records.compactMap { TokenOwner(bytes: $0.bytes) }
    }
}

/// What a record without an owner is for.
package enum RecordKind: Sendable {
    /// The mark of a state that was used: durable, and without bytes.
    case state
    /// A form that waits for its sender: not durable, because after a loss of power the browser still has the form.
    case form
}

// MARK: - Adding and reading

/// Records to add; one whose name is taken is not added.
package enum NewRecords: Sendable {
    /// A state or form, which `sweep` may remove when it has ended. After an error, a form is not there, and a state may be.
    case record([UInt8], RecordKind, RecordName, ends: Date)
    /// Sessions. After an error with new ones, nothing remains of a single one.
    case sessions([StoredRecord], RecordOrigin)
    /// Tokens, and those of their owners that are missing; none if there is no room for a token. After an error, some may be
    /// there.
    case tokens([TokenRecord], owners: [TokenOwner], room: TokenRoom? = nil)
    /// What replaces an owner with the same name; nothing happens if there is none.
    case replacement(TokenOwner)
}

/// Where sessions come from that are added.
package enum RecordOrigin: Sendable {
    /// New sessions.
    case new
    /// Another place, in which all of them are in one part, from 0 to 255: a record that is already there is replaced only if
    /// an earlier copy brought it.
    ///
    /// If the records are all that there are, those that earlier copies brought and that are not among them are removed,
    /// because their sessions have ended since.
    case copy(shard: Int, isComplete: Bool)
}

/// How many tokens there may be when a token is added, also if several processes add tokens at the same time.
package struct TokenRoom: Sendable {
    /// For all owners together.
    package let total: Int
    /// For one owner.
    package let owned: Int
    /// The names of the owner.
    package let names: [[UInt8]]

    package init(total: Int, owned: Int, names: [[UInt8]]) {
        (self.total, self.owned, self.names) = (total, owned, names)
    }
}

/// Records to read.
package enum RecordSelection: Sendable {
    /// A state or form.
    case record(RecordKind, RecordName)
    /// A token, and after it its owner.
    case token(PersonalTokenID)
    /// The tokens of owners with some names, and perhaps those of others; nil: all tokens.
    case tokens(of: [[UInt8]]?)
    /// Owners with some names, in the order of the names; nil: all owners.
    case owners([[UInt8]]?)
    /// The sessions in one part of the place, from 0 to 255; of a record of which only the header is needed, the rest of the
    /// bytes may be missing.
    case shard(Int, headersOnly: Bool)
    /// The headers of the sessions of a member.
    case member(Member)

    /// How many records a place reads at most to find those of a member for a number on a page: some tens of milliseconds.
    package static let memberLimit = 2_000
}

// MARK: - Use and removal

/// A record with a last use.
package enum UsedRecord: Sendable {
    case session(RecordName)
    case token(PersonalTokenID)
}

/// The records to remove.
package enum RecordChoice: Sendable {
    case sessions(SessionChoice)
    /// Tokens, and the owners that have none left.
    case tokens(TokenChoice)
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

/// The tokens to remove.
package enum TokenChoice: Sendable {
    /// Tokens by ID, and the owners with some names, unless an owner has other tokens that can be read.
    case ids(Set<PersonalTokenID>, owners: [[UInt8]] = [])
    /// Tokens that have ended, and what programs left that ended while they added a token.
    case ended(Date)

    package func contains(_ token: TokenRecord) -> Bool {
        switch self {
        case .ids(let ids, _): ids.contains(token.id)
        case .ended(let now): token.grant.expires <= now
        }
    }
}

/// The records to sweep.
package enum SweptPart: Sendable {
    /// The sessions in one part of the place, from 0 to 255; a session has also ended if its last use was `idle` or earlier.
    case shard(Int, idle: Date)
    /// All records of a kind, which have ended if their end is now or earlier.
    case records(RecordKind)
}

/// What a sweep removed, and what it left.
package struct SweptRecords: Sendable {
    package var counts = SweepCounts()
    /// The records that are left, if they are forms.
    package var forms: [RecordEntry] = []
    /// How many more states the place has room for; nil if it does not say.
    package var room: Int?

    package init(expired: Int = 0, live: Int = 0) {
        (counts.expired, counts.live) = (expired, live)
    }
}

/// A record without its bytes.
package struct RecordEntry: Sendable {
    package let name: RecordName
    package let byteCount: Int
    /// When `sweep` may remove it.
    package let ends: Date

    package init(name: RecordName, byteCount: Int, ends: Date) {
        (self.name, self.byteCount, self.ends) = (name, byteCount, ends)
    }
}

// MARK: - Checking

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
