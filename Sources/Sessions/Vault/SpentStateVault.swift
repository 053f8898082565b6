import struct Crypto.SHA256
package import struct FoundationEssentials.Date

/// Remembers the states of the callbacks that were received, so that each state is accepted once.
package struct SpentStateVault: Sendable {
    private let records: any Records
    private let counter: StoreCounter
    private let ledger: SpentLedger

    /// - Parameters:
    ///   - records: where the marks are.
    ///   - maximum: the maximum number of marks.
    ///   - counter: counts and times the operations.
    init(in records: any Records, maximum: Int, counter: StoreCounter) {
        (self.records, self.counter) = (records, counter)
        ledger = SpentLedger(maximum: maximum)
    }

    /// Marks a state as used.
    ///
    /// - Parameters:
    ///   - state: the state as sent to the provider; only a hash of it is stored.
    ///   - client: a number for the client address, each of which has a share of the marks. It is not stored.
    ///   - expires: when the mark may be removed, because the state is then too old to be accepted.
    ///   - now: the current time.
    /// - Returns: whether the state was marked now, was marked before by any process, or cannot be marked.
    /// - Throws: `StoreError` if the mark could not be made durable; the state then counts as used. With the code
    ///   `.busy` nothing has happened.
    package func spend(
        _ state: String,
        from client: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> SpendOutcome {
        try await counter.measure(.state) { () async throws(StoreError) in
            if let refusal = ledger.reserve(for: client, until: expires, now: now) { return refusal }
            do throws(StoreError) {
                let mark = NewRecords.record([], .state, Self.name(of: state), ends: expires)
                if try await records.put(mark) == 1 { return .spent }
            } catch {
                // The mark may exist nevertheless; then the next sweep counts it.
                ledger.release(for: client, until: expires)
                throw error
            }
            ledger.release(for: client, until: expires)
            return .usedBefore
        }
    }

    /// Whether a state is marked as used; an expired mark counts until it is removed.
    ///
    /// - Throws: `StoreError` if the store fails.
    package func isSpent(_ state: String) async throws(StoreError) -> Bool {
        try await counter.measure(.state) { () async throws(StoreError) in
            try await records.get(.state, Self.name(of: state)) != nil
        }
    }

    /// Removes the marks of states that have expired, and counts the others.
    ///
    /// - Returns: how many were removed.
    /// - Throws: `StoreError` if the marks cannot be read.
    func sweep(now: Date) async throws(StoreError) -> Int {
        let start = ledger.added
        let swept = try await records.sweep(.records(.state), now: now)
        ledger.recount(swept.counts.live, since: start, free: swept.room)
        return swept.counts.expired
    }

    private static func name(of state: String) -> RecordName {
        RecordName(hash: SHA256.hash(data: Array(state.utf8)))
    }
}

/// The result of marking a state as used.
package enum SpendOutcome: Sendable {
    case spent
    /// The state was marked before.
    case usedBefore
    /// The number of marks has reached its maximum; nothing has happened.
    case full
    /// This client has used its `FairShare` of the maximum; nothing has happened.
    case shareTaken
}
