package import struct FoundationEssentials.Date

/// Where sessions live.
///
/// Async, so that a store shared by several machines can take the place of files.
package protocol SessionStore: Sendable {
    /// Stores a new session under a new ticket; it is durable when this returns.
    ///
    /// - Throws: `StoreError` if it could not be made durable; then nothing of it remains.
    func create(_ session: Session, now: Date) async throws(StoreError) -> Ticket

    /// The live session of a ticket, or nil for an unknown, expired, idle or damaged one. Counts as use of it.
    ///
    /// - Throws: `StoreError` if the store cannot tell.
    func session(for ticket: Ticket, now: Date) async throws(StoreError) -> Session?

    /// Changes a session while no other process or task does; nil if there is none.
    ///
    /// The change sees the newest state, so that of several who want to refresh a token only the first does it. If
    /// the change throws, or leaves the session as it was, nothing is written.
    ///
    /// - Throws: what `change` throws, or a `StoreError`.
    func update(
        _ ticket: Ticket,
        now: Date,
        _ change: @Sendable (inout Session) async throws -> Void
    ) async throws -> Session?

    /// Ends a session; unknown ones are ended already.
    func remove(_ ticket: Ticket) async throws(StoreError)
}

/// Remembers which sign-ins came back, so that each does so once.
package protocol SpentStateStore: Sendable {
    /// Marks a state as used.
    ///
    /// - Parameters:
    ///   - state: the state as sent to the provider; only a hash of it is kept.
    ///   - sender: a number for who brings it, of whom each has a share of the marks. It is not stored.
    ///   - expires: when the mark may be forgotten, because the state is too old to be accepted anyway.
    ///   - now: what counts as the present.
    /// - Returns: whether it is marked now and was not before, by whichever process.
    /// - Throws: `StoreError` if the mark could not be made durable; the state then counts as used. With the code
    ///   `.busy` nothing has happened.
    func spend(
        _ state: String,
        from sender: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> SpendOutcome

    /// Whether a state is marked as used; a mark that may be forgotten counts while it is there.
    ///
    /// - Throws: `StoreError` if the store cannot tell.
    func isSpent(_ state: String) async throws(StoreError) -> Bool
}

/// What became of a state that was to be marked as used.
package enum SpendOutcome: Sendable {
    case spent
    /// It was marked before.
    case usedBefore
    /// There are as many marks as there may be; nothing has happened.
    case full
    /// A quarter of them are this sender's; nothing has happened.
    case shareTaken
}
