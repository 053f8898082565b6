import Foundation
import PostgreSQLStore
import Sessions
import TestSupport
import Testing

/// A primary whose commits wait for a standby that is not there.
@Suite(.timeLimit(.minutes(2))) struct StandbyTests {
    private let now = Date.testStart
    private let server: PostgreSQLServer
    private let place: DatabasePlace

    init() async throws {
        server = try PostgreSQLServer(settings: ["fsync=off"])
        place = try await DatabasePlace(on: server)
    }

    /// Lets commits wait until the end of the test.
    private func loseStandby() async throws {
        _ = try await place.client.read(Statement("ALTER SYSTEM SET synchronous_standby_names = 'nobody'"))
        _ = try await place.client.read(Statement("SELECT pg_reload_conf()"))
        var limits = DatabaseLimits()
        limits.answer = .milliseconds(100)
        let probe = try DatabaseClient(place.target, limits: limits)
        // Commits that do not wait yet are acknowledged.
        while (try? await probe.findPrimary(within: .milliseconds(100))) != nil {}
        await probe.shutdown()
        try await endWaits()
    }

    /// Ends the connections whose commits wait, as an operator does: what they have committed becomes visible.
    private func endWaits() async throws {
        _ = try await place.client.read(Statement("SELECT pg_terminate_backend(pid) \(Self.waiting)"))
        while try await waits() != 0 {}
    }

    private static let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"

    /// The number of connections whose commits wait.
    private func waits() async throws -> Int64 {
        try #require(try await place.client.read(Statement("SELECT count(*) \(Self.waiting)"))[0].integer(0))
    }

    /// Writes as often as possible for some time.
    private func write(with client: DatabaseClient, for time: Duration) async {
        let end = ContinuousClock.now + time
        await withTaskGroup { group in
            for number in 0..<16 as Range<Int64> {
                group.addTask {
                    while ContinuousClock.now < end {
                        _ = try? await client.write(
                            Statement("INSERT INTO linkedin_signin.spent VALUES ($1, now())", .bytes([UInt8(number)]))
                        )
                        _ = try? await client.findPrimary(within: .zero)
                    }
                }
            }
        }
    }

    @Test func `commits that wait leave connections for others, however often programs write and start again`()
        async throws
    {
        var limits = DatabaseLimits()
        (limits.answer, limits.commit, limits.queue) = (.milliseconds(200), .milliseconds(400), .milliseconds(200))
        let stays = try DatabaseClient(place.target, limits: limits)
        await write(with: stays, for: .milliseconds(200))
        try await loseStandby()
        for _ in 0..<16 {
            let restarted = try DatabaseClient(place.target, limits: limits)
            async let writes: Void = write(with: stays, for: .milliseconds(500))
            await write(with: restarted, for: .milliseconds(500))
            await writes
            await restarted.shutdown()
        }
        // Eight connections for writes, and the proofs of the first two seconds, in which no commit has waited for long.
        #expect(try await waits() <= 24)
        _ = try await place.client.read(Statement("ALTER SYSTEM RESET synchronous_standby_names"))
        _ = try await place.client.read(Statement("SELECT pg_reload_conf()"))
        try await stays.findPrimary(within: .seconds(5))
        await stays.shutdown()
    }

    /// Deletions that a member or an operator asks for, each with what it can find.
    private enum Removal: CaseIterable {
        case session, sessionsOfMember, listedSessions, noSession, tokens
    }

    private func tokens(_ store: PostgreSQLStore) -> PersonalTokenVault { Vault(in: store).tokens }

    @Test func `a removal that finds nothing is acknowledged only if what it saw has reached a standby`() async throws {
        // A proof from before the loss counts for the whole test.
        let client = try DatabaseClient(place.target)
        let store = PostgreSQLStore(client, proofLimit: .seconds(60))
        let ticket = try await store.sessions.create(.example(), now: now)
        let ids = try await store.sessions.list(shard: 0, now: now).live.map(\.id)
        // Each removal has a client of its own, because a client that gets no acknowledgement refuses all further writes.
        // The acknowledgement from before the loss counts too, so that the client does not refuse the first one.
        var limits = DatabaseLimits()
        limits.acknowledgement = .seconds(60)
        var stores: [PostgreSQLStore] = []
        for _ in Removal.allCases {
            let other = try DatabaseClient(place.target, limits: limits)
            let store = PostgreSQLStore(other, proofLimit: .seconds(60))
            #expect(try await tokens(store).revokeAllTokens(of: Session.example().identity.member) == 0, "the proof")
            stores.append(store)
        }
        try await loseStandby()
        let removal = Task { try await store.sessions.remove(ticket) }
        while try await waits() == 0 { await Task.yield() }
        try await endWaits()
        await #expect(throws: StoreError.self) { try await removal.value }
        #expect(try await place.records().isEmpty)
        for (removal, store) in zip(Removal.allCases, stores) {
            await #expect(throws: StoreError.self, "\(removal)") {
                switch removal {
                case .session: try await store.sessions.remove(ticket)
                case .sessionsOfMember: _ = try await store.sessions.remove(.all(of: Session.example().identity.member))
                case .listedSessions: _ = try await store.sessions.remove(.ids(ids))
                case .noSession: _ = try await store.sessions.remove(.ids([]))
                case .tokens: _ = try await tokens(store).revokeAllTokens(of: Session.example().identity.member)
                }
            }
        }
        for store in stores + [store] { await store.shutdown() }
    }
}
