package import struct FoundationEssentials.Date

/// Everything that a site keeps: sessions and personal tokens, used states and kept forms.
package final class Vault: Sendable {
    package let sessions: any SessionStore
    /// Lists and ends sessions for an operator.
    package let administration: any AdministeredStore
    package let tokens: any PersonalTokenStore
    package let states: SpentStateVault
    package let forms: KeptFormVault
    private let counter: StoreCounter

    /// - Parameters:
    ///   - sessions: the store of sessions and personal tokens.
    ///   - records: the place of everything else.
    ///   - keptTotal: the maximum size of all kept forms together, in bytes.
    ///   - spentStates: the maximum number of marks of used states.
    ///   - counter: counts and times what is done.
    ///   - random: the source of tickets and nonces.
    package init(
        _ sessions: any MemberStore,
        _ records: any Records,
        keptTotal: Int = 64 << 20,
        spentStates: Int = 50_000,
        counter: StoreCounter = StoreCounter(),
        random: RandomBytes = .system()
    ) {
        let measured = MeasuredStore(sessions, counter: counter)
        (self.sessions, tokens, administration) = (measured, measured, sessions)
        self.counter = counter
        states = SpentStateVault(in: records, maximum: spentStates, counter: counter)
        forms = KeptFormVault(in: records, total: keptTotal, random: random, counter: counter)
    }
}

extension Vault: SweptStore {
    package func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts {
        var counts = try await sessions.sweep(shard: shard, now: now)
        // All forms each time: there are few, and an expired form must be removed soon.
        counts.unclaimed = try await counter.measure(.sweep) { () async throws(StoreError) in
            try await forms.sweep(now: now)
        }
        counter.add(counts, shard: shard, at: now)
        return counts
    }

    /// All marks in one pass, because states expire after minutes, and sweeping shard by shard takes longer than that.
    package func sweepMarks(now: Date) async throws(StoreError) -> SweepCounts {
        var counts = SweepCounts()
        counts.forgotten = try await counter.measure(.sweep) { () async throws(StoreError) in
            try await states.sweep(now: now)
        }
        counter.add(counts, shard: nil, at: now)
        return counts
    }
}
