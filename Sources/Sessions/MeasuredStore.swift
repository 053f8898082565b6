import Metrics
import POSIX

package import struct FoundationEssentials.Date

/// A store that counts and times what another store does.
///
/// A class, because a check passes it and must not copy its members.
package final class MeasuredStore: Sendable {
    private let store: any CompleteStore
    private let counter: StoreCounter

    package init(_ store: any CompleteStore, counter: StoreCounter) {
        self.store = store
        self.counter = counter
    }

    private func measure<Result>(
        _ operation: StoreOperation,
        _ body: () async throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        let start = MonotonicClock.nanoseconds
        defer { counter.add(operation, since: start) }
        do {
            return try await body()
        } catch {
            counter.add(error, in: operation)
            throw error
        }
    }
}

extension MeasuredStore: SessionStore {
    package func session(for ticket: Ticket, now: Date) async throws(StoreError) -> Session? {
        try await measure(.read) { () async throws(StoreError) in try await store.session(for: ticket, now: now) }
    }

    package func check(_ ticket: Ticket, withTokens: Bool, now: Date) async throws(StoreError) -> CheckedSession? {
        try await measure(.read) { () async throws(StoreError) in
            try await store.check(ticket, withTokens: withTokens, now: now)
        }
    }

    package func checkAtOnce(_ ticket: Ticket, withTokens: Bool, now: Date) throws(StoreError) -> ImmediateCheck {
        let start = MonotonicClock.nanoseconds
        do throws(StoreError) {
            let result = try store.checkAtOnce(ticket, withTokens: withTokens, now: now)
            // Otherwise the caller checks in another way, which is counted.
            if case .known = result { counter.add(.read, since: start) }
            return result
        } catch {
            counter.add(.read, since: start)
            counter.add(error, in: .read)
            throw error
        }
    }

    package func beginCheck(
        _ ticket: Ticket,
        now: Date,
        _ answer: @escaping @Sendable (@escaping ReadyCheck) -> Void
    ) -> Bool {
        let (start, counter) = (MonotonicClock.nanoseconds, counter)
        return store.beginCheck(ticket, now: now) { check in
            answer { () throws(StoreError) in
                defer { counter.add(.read, since: start) }
                do throws(StoreError) {
                    return try check()
                } catch {
                    counter.add(error, in: .read)
                    throw error
                }
            }
        }
    }

    package func create(_ session: Session, now: Date) async throws(StoreError) -> Ticket {
        try await measure(.create) { () async throws(StoreError) in try await store.create(session, now: now) }
    }

    package func update(
        _ ticket: Ticket,
        now: Date,
        _ change: @Sendable (inout Session) async throws -> Void
    ) async throws -> Session? {
        let start = MonotonicClock.nanoseconds
        defer { counter.add(.update, since: start) }
        do {
            return try await store.update(ticket, now: now, change)
        } catch let error as StoreError {
            counter.add(error, in: .update)
            throw error
        }
    }

    package func remove(_ ticket: Ticket) async throws(StoreError) {
        try await measure(.remove) { () async throws(StoreError) in try await store.remove(ticket) }
    }

    package func count(of member: Member, now: Date) async throws(StoreError) -> Int? {
        try await measure(.member) { () async throws(StoreError) in try await store.count(of: member, now: now) }
    }

    package func removeAll(of member: Member) async throws(StoreError) -> Int {
        try await measure(.member) { () async throws(StoreError) in try await store.removeAll(of: member) }
    }
}

extension MeasuredStore: SpentStateStore {
    package func spend(
        _ state: String,
        from client: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> SpendOutcome {
        try await measure(.state) { () async throws(StoreError) in
            try await store.spend(state, from: client, expires: expires, now: now)
        }
    }

    package func isSpent(_ state: String) async throws(StoreError) -> Bool {
        try await measure(.state) { () async throws(StoreError) in try await store.isSpent(state) }
    }
}

extension MeasuredStore: KeptFormStore {
    package func keep(
        _ form: KeptForm,
        from client: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> KeepOutcome {
        try await measure(.form) { () async throws(StoreError) in
            try await store.keep(form, from: client, expires: expires, now: now)
        }
    }

    package func kept(_ ticket: Ticket, now: Date) async throws(StoreError) -> KeptForm? {
        try await measure(.form) { () async throws(StoreError) in try await store.kept(ticket, now: now) }
    }

    package func take(_ ticket: Ticket, now: Date) async throws(StoreError) -> TakenForm? {
        try await measure(.form) { () async throws(StoreError) in try await store.take(ticket, now: now) }
    }

    package func putBack(_ taken: TakenForm) async throws(StoreError) {
        try await measure(.form) { () async throws(StoreError) in try await store.putBack(taken) }
    }

    package func discard(_ taken: TakenForm) async {
        let start = MonotonicClock.nanoseconds
        await store.discard(taken)
        counter.add(.form, since: start)
    }

    package var keptBytes: Int { store.keptBytes }
}

extension MeasuredStore: SweptStore {
    package func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts {
        let counts = try await measure(.sweep) { () async throws(StoreError) in
            try await store.sweep(shard: shard, now: now)
        }
        counter.add(counts, shard: shard, at: now)
        return counts
    }

    package func sweepMarks(now: Date) async throws(StoreError) -> SweepCounts {
        let counts = try await measure(.sweep) { () async throws(StoreError) in try await store.sweepMarks(now: now) }
        counter.add(counts, shard: nil, at: now)
        return counts
    }
}

extension MeasuredStore: AdministeredStore {
    package func list(shard: Int, now: Date) async throws(StoreError) -> SessionList {
        try await measure(.administer) { () async throws(StoreError) in try await store.list(shard: shard, now: now) }
    }

    package func remove(_ ids: [SessionID]) async throws(StoreError) -> Int {
        try await measure(.administer) { () async throws(StoreError) in try await store.remove(ids) }
    }
}

extension MeasuredStore: PersonalTokenStore {
    package func makeToken(_ grant: TokenGrant, owner: Identity) async throws(StoreError) -> PersonalToken? {
        try await measure(.token) { () async throws(StoreError) in try await store.makeToken(grant, owner: owner) }
    }

    package func find(_ token: PersonalToken, now: Date) async throws(StoreError) -> FoundToken? {
        try await measure(.token) { () async throws(StoreError) in try await store.find(token, now: now) }
    }

    package func tokens(of member: Member?, now: Date) async throws(StoreError) -> [ListedToken] {
        try await measure(.token) { () async throws(StoreError) in try await store.tokens(of: member, now: now) }
    }

    package func revokeTokens(_ ids: [PersonalTokenID], of member: Member?) async throws(StoreError) -> Int {
        try await measure(.token) { () async throws(StoreError) in try await store.revokeTokens(ids, of: member) }
    }

    package func revokeAllTokens(of member: Member) async throws(StoreError) -> Int {
        try await measure(.token) { () async throws(StoreError) in try await store.revokeAllTokens(of: member) }
    }

    package func tokenOwner(_ member: Member) async throws(StoreError) -> Identity? {
        try await measure(.token) { () async throws(StoreError) in try await store.tokenOwner(member) }
    }

    package func tokenOwners() async throws(StoreError) -> [Identity] {
        try await measure(.token) { () async throws(StoreError) in try await store.tokenOwners() }
    }

    package func updateOwner(_ identity: Identity) async throws(StoreError) {
        try await measure(.token) { () async throws(StoreError) in try await store.updateOwner(identity) }
    }
}
