import Foundation
import Sessions
import TestSupport
import Testing

/// What an operator sees of every store, and ends in it.
@Suite(.timeLimit(.minutes(2))) struct AdministrationTests {
    let now = Date.testStart

    private func after(_ seconds: Double) -> Date { now.addingTimeInterval(seconds) }

    private func list(_ store: AnyStore, at time: Date) async throws -> SessionList {
        var all = SessionList()
        for shard in 0..<RecordName.shardCount {
            let part = try await store.sessions.list(shard: shard, now: time)
            #expect(part.live.allSatisfy { $0.id.shard == shard })
            all += part
        }
        return all
    }

    @Test(arguments: StoreKind.allCases)
    func `the list shows identity and times of each session, and nothing that opens it`(_ kind: StoreKind) async throws
    {
        let test = try await TestStore(kind)
        var bare = Session.example(subject: "bare", tokens: nil, profile: nil)
        (bare.identity.name, bare.identity.email) = (nil, nil)
        let tickets = [
            try await test.store.sessions.create(.example(), now: now),
            try await test.store.sessions.create(bare, now: after(9)),
        ]
        let listed = try await list(test.store, at: after(10)).live.sorted { $0.used < $1.used }
        #expect(listed.map(\.identity) == [Session.example().identity, bare.identity])
        #expect(listed.map(\.created) == [Session.example().created, bare.created])
        #expect(listed.map(\.expires) == [Session.example().expires, bare.expires])
        #expect(listed.map(\.used) == [now, after(9)])
        let ids = listed.map(\.id)
        #expect(ids == tickets.map { SessionID($0) })
        for (id, ticket) in zip(ids, tickets) {
            #expect(id.description.count == 32 && !ticket.cookieValue.contains(id.description))
            #expect(Ticket(cookieValue: id.description) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the list separates sessions that have ended and records that cannot be read`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        _ = try await test.store.sessions.create(.example(expires: after(60)), now: now)
        _ = try await test.store.sessions.create(.example(), now: after(-3_540))
        #expect(try await list(test.store, at: after(59)).live.count == 2)
        let later = try await list(test.store, at: after(61))
        #expect(later.live.isEmpty && later.ended.count == 2 && later.unreadable.isEmpty)
        #expect(try await test.store.sessions.remove(.ids(later.ended)) == 2)
        _ = try await test.store.sessions.create(.example(), now: now)
        for bytes in [
            [UInt8]("LISS".utf8), [UInt8]("LISS".utf8) + [0, 2, 0, 0, 0, 0, 1], [UInt8](repeating: 255, count: 300),
        ] {
            try await test.place.rewrite { _ in bytes }
            let damaged = try await list(test.store, at: now)
            #expect(damaged.live.isEmpty && damaged.ended.isEmpty && damaged.unreadable.count == 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `listing does not count as use`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let ticket = try await test.store.sessions.create(.example(), now: now)
        _ = try await list(test.store, at: after(3_000))
        await test.place.settle()
        #expect(try await test.store.sessions.session(for: ticket, now: after(3_601)) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `a session removed by its ID has ended for every store on the place, and no other`(
        _ kind: StoreKind
    ) async throws {
        let test = try await TestStore(kind)
        let second = try test.place.open(StoreOptions())
        let (ended, stays) = (
            try await test.store.sessions.create(.example(), now: now),
            try await test.store.sessions.create(.example(), now: now)
        )
        for store in [test.store, second] { #expect(try await store.sessions.session(for: ended, now: now) != nil) }
        let id = SessionID(ended)
        #expect(try await second.sessions.remove(.ids([id])) == 1)
        for store in [test.store, second] {
            #expect(try await store.sessions.session(for: ended, now: now) == nil)
            #expect(try await store.sessions.session(for: stays, now: now) != nil)
        }
        #expect(try await second.sessions.remove(.ids([id])) == 0)
        #expect(try await second.sessions.remove(.ids([])) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `an update during the removal of its session brings nothing back`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let ticket = try await test.store.sessions.create(.example(), now: now)
        let id = SessionID(ticket)
        let updated = try await test.store.sessions.update(ticket, now: now) { session in
            let count = try await test.store.sessions.remove(.ids([id]))
            #expect(count == 1)
            session.tokens?.accessToken = "second"
        }
        #expect(updated == nil)
        #expect(try await test.place.records().isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `more sessions than fit into one transaction are removed`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        for _ in 0..<600 { _ = try await test.store.sessions.create(.example(), now: now) }
        let ids = try await list(test.store, at: now).live.map(\.id)
        #expect(Set(ids).count == 600)
        #expect(try await test.store.sessions.remove(.ids(ids)) == 600)
        #expect(try await test.place.records().isEmpty)
    }
}
