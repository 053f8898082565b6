import Foundation
import PostgreSQLStore
import Sessions
import TestSupport
import Testing

/// Sessions on their way from one store to another.
@Suite(.timeLimit(.minutes(2))) struct MovingTests {
    private let now = Date.testStart

    private let places: (files: TestStore, database: TestStore)
    private let files: FileStore
    private let database: PostgreSQLStore

    init() async throws {
        places = (try await TestStore(.files), try await TestStore(.postgreSQL))
        files = try #require((places.files.place as? FilePlace)?.opened.first)
        database = try #require((places.database.place as? DatabasePlace)?.opened.first)
    }

    private func copy(_ source: any Records, _ target: any Records, isComplete: Bool) async throws {
        for shard in 0..<RecordName.shardCount {
            let records = StoredRecords(try await source.read(.shard(shard, headersOnly: false))).records
            _ = try await target.put(.sessions(records, .copy(shard: shard, isComplete: isComplete)))
            let ids = records.map(\.id)
            if isComplete, !ids.isEmpty { #expect(try await source.remove(.sessions(.ids(ids))) == ids.count) }
        }
    }

    @Test func `sessions are the same after they moved to the database and back`() async throws {
        var tickets: [Ticket] = []
        for number in 0..<300 {
            tickets.append(try await files.sessions.create(.example(subject: "\(number)"), now: now))
        }
        try await copy(files, database, isComplete: true)
        for ticket in tickets { #expect(try await files.sessions.session(for: ticket, now: now) == nil) }
        for (number, ticket) in tickets.enumerated() {
            #expect(try await database.sessions.session(for: ticket, now: now) == .example(subject: "\(number)"))
        }
        // The database knows whose they are.
        #expect(try await database.sessions.remove(.all(of: Session.example(subject: "7").identity.member)) == 1)
        try await copy(database, files, isComplete: true)
        for (number, ticket) in tickets.enumerated() where number != 7 {
            #expect(try await database.sessions.session(for: ticket, now: now) == nil)
            #expect(try await files.sessions.session(for: ticket, now: now) == .example(subject: "\(number)"))
        }
        #expect(try await files.sessions.session(for: tickets[7], now: now) == nil)
    }

    @Test func `personal tokens work after they moved to the database and back`() async throws {
        let owner = Session.example().identity
        let grant = TokenGrant(
            owner: owner.member,
            name: "backup",
            locations: ["/"],
            created: now,
            expires: now.addingTimeInterval(60)
        )
        let tokens = Vault(in: files).tokens
        let used = try #require(try await tokens.makeToken(grant, owner: owner))
        let unused = try #require(try await tokens.makeToken(grant, owner: owner))
        #expect(try await tokens.find(used, now: now) != nil)
        let before = try await tokens.tokens(of: owner.member, now: now).sorted { $0.id < $1.id }
        for (source, target) in [(files, database), (database, files)] as [(any Records, any Records)] {
            let (stored, owners) = try await (source.tokens(of: nil), source.owners(nil))
            #expect(try await target.put(.tokens(stored, owners: owners)) == 2)
            #expect(try await target.put(.tokens(stored, owners: owners)) == 0)
            #expect(try await source.remove(.tokens(.ids(Set(stored.map(\.id))))) == 2)
            #expect(try await target.tokens(of: nil).sorted { $0.id < $1.id } == before)
            #expect(try await (source.tokens(of: nil), source.owners(nil)) == ([], []))
        }
        #expect(try await tokens.find(unused, now: now)?.owner == owner)
    }

    @Test func `what changes between two copies is as it is at the second`() async throws {
        let (ended, changed) = (
            try await files.sessions.create(.example(), now: now), try await files.sessions.create(.example(), now: now)
        )
        let own = try await database.sessions.create(.example(), now: now)
        try await copy(files, database, isComplete: false)
        try await files.sessions.remove(ended)
        _ = try await files.sessions.update(changed, now: now) { $0.tokens?.accessToken = "second" }
        let new = try await files.sessions.create(.example(), now: now)
        try await copy(files, database, isComplete: false)
        try await copy(files, database, isComplete: true)
        #expect(try await database.sessions.session(for: ended, now: now) == nil)
        #expect(try await database.sessions.session(for: changed, now: now)?.tokens?.accessToken == "second")
        for ticket in [new, own] { #expect(try await database.sessions.session(for: ticket, now: now) != nil) }
    }

    @Test func `a service does not wait for the lock of the last copy, and works when the lock is free`() async throws {
        let place = try #require(places.database.place as? DatabasePlace)
        let copy = try DatabaseClient(place.target, limits: ServiceLock.limits)
        let lock = try await ServiceLock(copy)
        let service = try DatabaseClient(place.target, isService: true)
        let question = Statement("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
        for _ in 1...3 {
            await #expect { try await service.findPrimary(within: .zero) } throws: {
                ($0 as? StoreError)?.code == .locked
            }
            // Behind a pooler, a statement that waits would keep a connection from all others.
            #expect(try await place.client.read(question)[0].integer(0) == 0)
        }
        try await lock.requireHeld()
        await copy.shutdown()
        while (try? await service.findPrimary(within: .seconds(5))) == nil {}
        await #expect(throws: StoreError.self) { try await ServiceLock(place.client) }
        await service.shutdown()
    }
}
