import Foundation
import PostgreSQLStore
import Sessions
import Synchronization
import TestSupport
import Testing

/// Sessions that a gateway need not ask for again, and how soon it learns that they have ended.
@Suite(.timeLimit(.minutes(2))) struct NearCacheTests {
    private let now = Date.testStart
    private let place: DatabasePlace

    init() async throws {
        place = try await DatabasePlace()
    }

    /// A gateway's store with a cache; one without a listener learns of nothing.
    private func gateway(_ limit: Duration, listens: Bool = true, capacity: Int = 32_768) throws -> PostgreSQLStore {
        let cache = NearCache(limit: limit, capacity: capacity)
        var notices: DatabaseClient.Listener?
        if listens { notices = { cache.receive($0) } }
        let client = try DatabaseClient(named(listens ? "listener" : "gateway"), notices: notices)
        return PostgreSQLStore(client, cache: cache)
    }

    private func named(_ name: String) throws -> DatabaseTarget {
        try #require(DatabaseTarget(place.address + " application_name=\(name)"))
    }

    /// The last statement of a connection that listens: it began with this one, and proves the primary since.
    private static let watches =
        "application_name = 'listener' AND (query = 'LISTEN linkedin_signin' OR query LIKE '%linkedin_signin.prove()%')"

    /// Waits until the database tells a gateway of what happens.
    private func waitForListeners(_ count: Int) async throws {
        let query = Statement(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND \(Self.watches) AND state = 'idle'
            """
        )
        while try await place.client.read(query)[0].integer(0) != Int64(count) { await Task.yield() }
    }

    private func deleteUnannounced() async throws {
        _ = try await place.client.write(Statement("DELETE FROM linkedin_signin.session"))
    }

    private func isGone(_ ticket: Ticket, in store: PostgreSQLStore) async throws -> Bool {
        try await store.sessions.check(ticket, withTokens: true, now: now) == nil
    }

    @Test func `a remembered session is found without waiting, and a miss counts once`() async throws {
        let store = try gateway(.seconds(60))
        let ticket = try await store.sessions.create(.example(), now: now)
        guard case .mustWait = try store.sessions.checkAtOnce(ticket, withTokens: true, now: now) else {
            throw Unexpected()
        }
        #expect(try await isGone(ticket, in: store) == false)
        guard case .known(let session?) = try store.sessions.checkAtOnce(ticket, withTokens: true, now: now) else {
            throw Unexpected()
        }
        #expect(session.identity == Session.example().identity)
        let figures = try #require(store.cacheFigures)
        #expect(figures.hits == 1 && figures.misses == 1)
        // Without a cache, every check asks the database.
        let client = try DatabaseClient(place.target)
        let plain = PostgreSQLStore(client, cache: nil)
        guard case .mustWait = try plain.sessions.checkAtOnce(ticket, withTokens: true, now: now) else {
            throw Unexpected()
        }
    }

    private struct Unexpected: Error {}

    /// The result of a check without a task.
    private func check(_ ticket: Ticket, in sessions: SessionVault) async throws -> CheckedSession? {
        let check = await withCheckedContinuation { (continuation: CheckedContinuation<ReadyCheck, Never>) in
            sessions.beginCheck(ticket, now: now) { continuation.resume(returning: $0) }
        }
        return try check()
    }

    @Test func `a check without a task finds what another check finds, and remembers it`() async throws {
        let store = try gateway(.seconds(60))
        let ticket = try await store.sessions.create(.example(), now: now)
        // The first one waits for the proof that the server is the primary.
        #expect(try await check(ticket, in: store.sessions) == CheckedSession(.example()))
        guard case .known(let session?) = try store.sessions.checkAtOnce(ticket, withTokens: true, now: now) else {
            throw Unexpected()
        }
        #expect(session == CheckedSession(.example()))
        #expect(store.cacheFigures?.misses == 1)
        let unknown = try #require(Ticket(cookieValue: String(repeating: "A", count: 43)))
        #expect(try await check(unknown, in: store.sessions) == nil)
        try await store.sessions.remove(ticket)
        #expect(try await check(ticket, in: store.sessions) == nil)
        let plain = PostgreSQLStore(try DatabaseClient(place.target), cache: nil)
        let limited = SessionVault(in: plain, idleLimit: .seconds(60))
        let idle = try await limited.create(.example(), now: now.addingTimeInterval(-61))
        let live = try await limited.create(.example(), now: now)
        #expect(try await check(idle, in: limited) == nil)
        #expect(try await check(live, in: limited) == CheckedSession(.example()))
        await plain.shutdown()
        await #expect(throws: StoreError.self) { try await check(live, in: limited) }
    }

    @Test func `a session is read once within the limit, and again after it`() async throws {
        let store = try gateway(.milliseconds(300))
        let ticket = try await store.sessions.create(.example(), now: now)
        #expect(try await isGone(ticket, in: store) == false)
        let start = ContinuousClock.now
        try await deleteUnannounced()
        #expect(try await isGone(ticket, in: store) == false)
        while try await isGone(ticket, in: store) == false {}
        #expect(ContinuousClock.now - start < .milliseconds(1_300))
        let without = try gateway(.zero)
        let other = try await without.sessions.create(.example(), now: now)
        #expect(try await isGone(other, in: without) == false)
        try await deleteUnannounced()
        #expect(try await isGone(other, in: without))
    }

    @Test func `an end of many sessions is told in few messages, and each is seen by another machine`() async throws {
        let (one, other) = (try gateway(.seconds(60)), try gateway(.seconds(60)))
        let messages = Mutex(0)
        let listener = try DatabaseClient(named("listener"), notices: { _ in messages.withLock { $0 += 1 } })
        try await waitForListeners(3)
        var tickets: [Ticket] = []
        for _ in 0..<300 {
            let ticket = try await one.sessions.create(.example(), now: now)
            #expect(try await isGone(ticket, in: other) == false)
            tickets.append(ticket)
        }
        var ids: [SessionID] = []
        for shard in 0..<256 { ids += try await one.sessions.list(shard: shard, now: now).live.map(\.id) }
        #expect(try await one.sessions.remove(.ids(ids)) == 300)
        let start = ContinuousClock.now
        for ticket in tickets {
            while try await isGone(ticket, in: other) == false { await Task.yield() }
        }
        #expect(ContinuousClock.now - start < .seconds(5))
        while messages.withLock({ $0 }) < 2 { await Task.yield() }
        #expect(messages.withLock { $0 } == 2)
        await listener.shutdown()
    }

    @Test func `a sign-out on one machine is seen by another long before the limit`() async throws {
        let (one, other) = (try gateway(.seconds(60)), try gateway(.seconds(60)))
        try await waitForListeners(2)
        for _ in 0..<20 {
            let ticket = try await one.sessions.create(.example(), now: now)
            #expect(try await isGone(ticket, in: other) == false)
            try await one.sessions.remove(ticket)
            #expect(try await isGone(ticket, in: one))
            let start = ContinuousClock.now
            while try await isGone(ticket, in: other) == false { await Task.yield() }
            #expect(ContinuousClock.now - start < .seconds(1))
        }
    }

    @Test func `removing all sessions of a member is seen at once by its machine and soon by another`() async throws {
        let (one, other) = (try gateway(.seconds(60)), try gateway(.seconds(60)))
        try await waitForListeners(2)
        var tickets: [Ticket] = []
        for _ in 0..<40 { tickets.append(try await one.sessions.create(.example(), now: now)) }
        for store in [one, other] {
            for ticket in tickets { #expect(try await isGone(ticket, in: store) == false) }
        }
        #expect(try await one.sessions.remove(.all(of: Session.example().identity.member)) == tickets.count)
        for ticket in tickets { #expect(try await isGone(ticket, in: one)) }
        let start = ContinuousClock.now
        for ticket in tickets {
            while try await isGone(ticket, in: other) == false { await Task.yield() }
        }
        #expect(ContinuousClock.now - start < .seconds(1))
    }

    @Test func `all sessions of a member end on another machine long before the limit`() async throws {
        let (one, other) = (try gateway(.seconds(60)), try gateway(.seconds(60)))
        try await waitForListeners(2)
        var tickets: [Ticket] = []
        for _ in 0..<5 { tickets.append(try await one.sessions.create(.example(), now: now)) }
        for ticket in tickets { #expect(try await isGone(ticket, in: other) == false) }
        #expect(try await one.sessions.remove(.all(of: Session.example().identity.member)) == 5)
        let start = ContinuousClock.now
        for ticket in tickets { while try await isGone(ticket, in: other) == false { await Task.yield() } }
        #expect(ContinuousClock.now - start < .seconds(1))
    }

    @Test func `an update is seen at once by the machine that made it`() async throws {
        let store = try gateway(.seconds(60))
        let ticket = try await store.sessions.create(.example(), now: now)
        #expect(try await store.sessions.check(ticket, withTokens: true, now: now) == CheckedSession(.example()))
        _ = try await store.sessions.update(ticket, now: now) { $0.identity.name = "changed" }
        #expect(try await store.sessions.check(ticket, withTokens: true, now: now)?.identity.name == "changed")
    }

    @Test func `a listener that is lost empties the cache, and listens again`() async throws {
        let store = try gateway(.seconds(60))
        try await waitForListeners(1)
        let ticket = try await store.sessions.create(.example(), now: now)
        #expect(try await isGone(ticket, in: store) == false)
        try await deleteUnannounced()
        #expect(try await isGone(ticket, in: store) == false)
        _ = try await place.client.write(
            Statement(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND \(Self.watches)
                """
            )
        )
        while try await isGone(ticket, in: store) == false { await Task.yield() }
        try await waitForListeners(1)
    }

    @Test func `a session ends at its own limits although it is in the cache`() async throws {
        let store = try gateway(.seconds(60))
        let ticket = try await store.sessions.create(.example(expires: now.addingTimeInterval(100)), now: now)
        #expect(try await isGone(ticket, in: store) == false)
        #expect(try await store.sessions.check(ticket, withTokens: true, now: now.addingTimeInterval(100)) == nil)
        let idle = try await store.sessions.create(.example(), now: now)
        #expect(try await isGone(idle, in: store) == false)
        #expect(try await store.sessions.check(idle, withTokens: true, now: now.addingTimeInterval(3_601)) == nil)
    }

    @Test func `a full cache costs readings, and no wrong answer`() async throws {
        let store = try gateway(.seconds(60), capacity: 64)
        var tickets: [Ticket] = []
        for number in 0..<200 {
            tickets.append(try await store.sessions.create(.example(subject: "\(number)"), now: now))
        }
        for _ in 0..<3 {
            for (number, ticket) in tickets.enumerated() {
                #expect(
                    try await store.sessions.check(ticket, withTokens: true, now: now)?.identity.subject == "\(number)"
                )
            }
        }
        let figures = try #require(store.cacheFigures)
        #expect(figures.hits + figures.misses == 600 && 200...550 ~= figures.misses)
        #expect(figures.bytes < 256 << 10)
    }

    @Test func `what is in the cache has times and identity, and pages that need tokens read the database`()
        async throws
    {
        let store = try gateway(.seconds(60))
        let ticket = try await store.sessions.create(.example(), now: now)
        var kept = ""
        for _ in 0..<2 { dump(try await store.sessions.check(ticket, withTokens: true, now: now), to: &kept) }
        #expect(kept.contains("782bbtaQ"))
        #expect(!kept.contains("access-canary") && !kept.contains("profile-canary"))
        #expect(try await store.sessions.session(for: ticket, now: now) == .example())
        try await deleteUnannounced()
        #expect(try await isGone(ticket, in: store) == false)
        #expect(try await store.sessions.session(for: ticket, now: now) == nil)
    }

    @Test func `checks and a sign-out at the same time never bring a session back`() async throws {
        let store = try gateway(.seconds(60))
        for _ in 0..<100 {
            let ticket = try await store.sessions.create(.example(), now: now)
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask { _ = try await store.sessions.check(ticket, withTokens: true, now: now) }
                }
                group.addTask { try await store.sessions.remove(ticket) }
                for _ in 0..<8 {
                    group.addTask { _ = try await store.sessions.check(ticket, withTokens: true, now: now) }
                }
                try await group.waitForAll()
            }
            #expect(try await isGone(ticket, in: store))
        }
    }

    @Test func `the texts of a session in the cache are limited in size`() async throws {
        let store = try gateway(.seconds(60))
        var long = Session.example()
        long.identity.name = String(repeating: "n", count: 4_096)
        let ticket = try await store.sessions.create(long, now: now)
        for _ in 0..<2 {
            #expect(try await store.sessions.check(ticket, withTokens: true, now: now)?.identity == long.identity)
        }
        #expect(try #require(store.cacheFigures).hits == 0)
    }
}
