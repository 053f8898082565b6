package import struct FoundationEssentials.Date

/// Everything that a site keeps: sessions and personal tokens, used states and kept forms.
package final class Vault: Sendable {
    package let sessions: SessionVault
    package let tokens: PersonalTokenVault
    package let states: SpentStateVault
    package let forms: KeptFormVault
    /// What is wrong with records that belong to another user, and what to do; nil if there are none.
    package let messageAboutForeignRecords: @Sendable () -> String?
    private let counter: StoreCounter

    /// - Parameters:
    ///   - records: the place of everything.
    ///   - idleLimit: a session that was not used for this long has ended.
    ///   - keptTotal: the maximum size of all kept forms together, in bytes.
    ///   - spentStates: the maximum number of marks of used states.
    ///   - issuers: the issuers by which the place may have named LinkedIn's members.
    ///   - counter: counts and times what is done.
    ///   - random: the source of tickets and nonces.
    ///   - message: what is wrong with records that belong to another user, and what to do; nil if there are none.
    package init(
        in records: any Records,
        idleLimit: Duration = .seconds(604_800),
        keptTotal: Int = 64 << 20,
        spentStates: Int = 50_000,
        issuers: FormerIssuers = FormerIssuers(),
        counter: StoreCounter = StoreCounter(),
        random: RandomBytes = .system(),
        messageAboutForeignRecords message: @escaping @Sendable () -> String? = { nil }
    ) {
        sessions = SessionVault(in: records, idleLimit: idleLimit, random: random, counter: counter)
        (self.counter, messageAboutForeignRecords) = (counter, message)
        states = SpentStateVault(in: records, maximum: spentStates, counter: counter)
        forms = KeptFormVault(in: records, total: keptTotal, random: random, counter: counter)
        tokens = PersonalTokenVault(in: records, issuers: issuers, random: random, counter: counter)
    }
}

extension Vault: SweptStore {
    package func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts {
        var counts = try await sessions.sweep(shard: shard, now: now)
        (counts.unclaimed, counts.expiredTokens) = try await counter.measure(.sweep) { () async throws(StoreError) in
            // All forms each time: there are few, and an expired form must be removed soon. Tokens end after days.
            (try await forms.sweep(now: now), shard == 0 ? try await tokens.sweep(now: now) : 0)
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
