package import struct FoundationEssentials.Date

/// Keeps forms while their senders sign in; what it holds opens only to the ticket that it gave away.
package protocol KeptRequestStore: Sendable {
    /// Stores a request under a new ticket.
    ///
    /// - Parameters:
    ///   - request: what to keep.
    ///   - sender: a number for who sends it, of whom each has a share of the room. It is not stored.
    ///   - expires: when it is too old to be sent, and may be removed.
    ///   - now: what counts as the present.
    /// - Returns: the ticket, or why there is no room.
    /// - Throws: `StoreError` if it could not be stored; then nothing of it remains.
    func keep(
        _ request: KeptRequest,
        from sender: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> KeepOutcome

    /// The request of a ticket, which stays; nil for an unknown, expired or taken one.
    ///
    /// - Throws: `StoreError` if it is damaged, or the store cannot tell.
    func kept(_ ticket: Ticket, now: Date) async throws(StoreError) -> KeptRequest?

    /// Takes the request of a ticket out, as nobody else then can, in this process or another; nil as for `kept`.
    ///
    /// - Throws: `StoreError` if it is damaged, and then gone, or if the store cannot tell; then it may be gone.
    func take(_ ticket: Ticket, now: Date) async throws(StoreError) -> TakenRequest?

    /// Puts back what was taken and not used.
    ///
    /// - Throws: `StoreError` if that is not possible; then it is gone.
    func putBack(_ taken: TakenRequest) async throws(StoreError)

    /// Removes what was taken; what cannot be removed is left to the sweeper.
    func discard(_ taken: TakenRequest) async
}

/// What became of a request that was to be kept.
package enum KeepOutcome: Sendable {
    case kept(Ticket)
    /// All that is kept takes as much room as there may be.
    case full
    /// What this sender keeps takes a quarter of that.
    case shareTaken
}

/// A request that was taken out of the store, and what the store needs to put it back.
package struct TakenRequest: Sendable {
    package let request: KeptRequest
    let name: RecordName
    /// Where it lies meanwhile.
    let temporary: String
}
