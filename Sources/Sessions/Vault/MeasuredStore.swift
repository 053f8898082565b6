import Metrics
import POSIX

import struct FoundationEssentials.Date

/// A store that counts and times what another store does.
///
/// A class, because a check passes it and must not copy its members.
final class MeasuredStore: Sendable {
    private let store: any SessionStore
    private let counter: StoreCounter

    init(_ store: any SessionStore, counter: StoreCounter) {
        self.store = store
        self.counter = counter
    }
}

extension MeasuredStore: SessionStore {
    func session(for ticket: Ticket, now: Date) async throws(StoreError) -> Session? {
        try await counter.measure(.read) { () async throws(StoreError) in try await store.session(for: ticket, now: now)
        }
    }

    func checkAtOnce(_ ticket: Ticket, withTokens: Bool, now: Date) throws(StoreError) -> ImmediateCheck {
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

    func beginCheck(
        _ ticket: Ticket,
        now: Date,
        _ answer: @escaping @Sendable (@escaping ReadyCheck) -> Void
    ) {
        let (start, counter) = (MonotonicClock.nanoseconds, counter)
        store.beginCheck(ticket, now: now) { check in
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

    func create(_ session: Session, now: Date) async throws(StoreError) -> Ticket {
        try await counter.measure(.create) { () async throws(StoreError) in try await store.create(session, now: now) }
    }

    func update(
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

    func remove(_ sessions: SessionChoice) async throws(StoreError) -> Int {
        let operation: StoreOperation =
            switch sessions {
            case .ids: .remove
            case .all: .member
            }
        return try await counter.measure(operation) { () async throws(StoreError) in try await store.remove(sessions) }
    }

    func count(of member: Member, now: Date) async throws(StoreError) -> Int? {
        try await counter.measure(.member) { () async throws(StoreError) in try await store.count(of: member, now: now)
        }
    }

    func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts {
        try await counter.measure(.sweep) { () async throws(StoreError) in
            try await store.sweep(shard: shard, now: now)
        }
    }

    // Only commands use what follows, and commands have no metrics.

    func records(shard: Int, headersOnly: Bool) async throws(StoreError) -> StoredRecords {
        try await store.records(shard: shard, headersOnly: headersOnly)
    }

    func add(_ records: [StoredRecord], shard: Int, isComplete: Bool) async throws(StoreError) {
        try await store.add(records, shard: shard, isComplete: isComplete)
    }

    var idleLimit: Double { store.idleLimit }
}
