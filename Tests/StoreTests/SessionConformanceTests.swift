import Foundation
import PostgreSQLStore
import Sessions
import TestSupport
import Testing

/// What every store owes its callers about sessions.
@Suite(.timeLimit(.minutes(2))) struct SessionConformanceTests {
    let now = Date.testStart

    private func after(_ seconds: Double) -> Date { now.addingTimeInterval(seconds) }

    @Test(arguments: StoreKind.allCases)
    func `a session comes back as it was stored`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let store = test.store
        let session = Session.example()
        let ticket = try await store.sessions.create(session, now: now)
        #expect(try await store.sessions.session(for: ticket, now: now) == session)
        var bare = Session.example(tokens: nil, profile: nil)
        (bare.identity.name, bare.identity.email) = (nil, nil)
        let other = try await store.sessions.create(bare, now: now)
        #expect(try await store.sessions.session(for: other, now: now) == bare)
        #expect(try await store.sessions.session(for: ticket, now: now) == session)
    }

    @Test(arguments: StoreKind.allCases)
    func `an unknown ticket has no session`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let store = test.store
        _ = try await store.sessions.create(.example(), now: now)
        let unknown = try #require(Ticket(cookieValue: String(repeating: "A", count: 43)))
        #expect(try await store.sessions.session(for: unknown, now: now) == nil)
        #expect(try await store.sessions.update(unknown, now: now) { $0.tokens = nil } == nil)
        try await store.sessions.remove(unknown)
    }

    @Test(arguments: StoreKind.allCases)
    func `a removed session is gone for every store on the place, and can be removed again`(
        _ kind: StoreKind
    ) async throws {
        let test = try await TestStore(kind)
        let second = try test.place.open(StoreOptions())
        let ticket = try await test.store.sessions.create(.example(), now: now)
        #expect(try await second.sessions.session(for: ticket, now: now) != nil)
        try await second.sessions.remove(ticket)
        try await test.store.sessions.remove(ticket)
        #expect(try await test.store.sessions.session(for: ticket, now: now) == nil)
        #expect(try await second.sessions.session(for: ticket, now: now) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `removing all sessions of a member ends them for every store on the place, and no other member's`(
        _ kind: StoreKind
    ) async throws {
        let test = try await TestStore(kind)
        let second = try test.place.open(StoreOptions())
        var own: [Ticket] = []
        for _ in 0..<20 { own.append(try await test.store.sessions.create(.example(), now: now)) }
        own.append(try await test.store.sessions.create(.example(expires: after(60)), now: now))
        own.append(try await test.store.sessions.create(.example(issuer: "https://www.linkedin.com"), now: now))
        let other = try #require(ProviderID("other"))
        let others = [
            try await test.store.sessions.create(.example(subject: "782bbtaQ2"), now: now),
            try await test.store.sessions.create(.example(subject: "782BBTAQ"), now: now),
            try await test.store.sessions.create(.example(provider: other), now: now),
            try await test.store.sessions.create(
                .example(provider: other, issuer: "https://www.linkedin.com"),
                now: now
            ),
        ]
        let member = Member(provider: .linkedIn, subject: "782bbtaQ", issuer: "https://www.linkedin.com/oauth")
        #expect(try await second.sessions.remove(.all(of: member)) == own.count)
        for store in [test.store, second] {
            for ticket in own { #expect(try await store.sessions.session(for: ticket, now: now) == nil) }
            for ticket in others { #expect(try await store.sessions.session(for: ticket, now: now) != nil) }
        }
        #expect(try await test.place.records().count == others.count)
        #expect(try await test.store.sessions.remove(.all(of: member)) == 0)
        let stranger = Member(provider: other, subject: member.subject, issuer: "")
        #expect(try await test.store.sessions.remove(.all(of: stranger)) == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `a provider ends one of its sessions, and those of the member that keep none`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let store = test.store.sessions
        func session(_ session: String?, subject: String = "782bbtaQ", at provider: ProviderID = .linkedIn) -> Session {
            var new = Session.example(provider: provider, subject: subject)
            new.identity.claims = session.flatMap {
                KeptClaims([("a", .values([])), ("sid", .values([$0]))], groups: nil)
            }
            return new
        }
        let other = try #require(ProviderID("other"))
        let all = [
            session("one"), session("one"), session("two"), session(nil), session("one", subject: "b"),
            session(nil, subject: "b"), session("one", at: other),
        ]
        var tickets: [Ticket] = []
        for session in all { tickets.append(try await store.create(session, now: now)) }
        let member = all[0].identity.member
        for (member, session, left) in [
            (member, "three", [0, 1, 2, 4, 5, 6]), (member, "one", [2, 4, 5, 6]), (nil, "one", [2, 5, 6]),
            (nil, nil, [2, 5, 6]), (member, nil, [5, 6]),
        ] as [(Member?, String?, [Int])] {
            let notice = LogoutNotice(provider: .linkedIn, member: member, session: session)
            _ = try await store.remove(.signedOut(notice))
            var found: [Int] = []
            for (index, ticket) in tickets.enumerated() where try await store.session(for: ticket, now: now) != nil {
                found.append(index)
            }
            #expect(found == left)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the sessions of a member that have not ended are counted`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        for _ in 0..<3 { _ = try await test.store.sessions.create(.example(), now: now) }
        _ = try await test.store.sessions.create(.example(expires: after(60)), now: now)
        _ = try await test.store.sessions.create(.example(subject: "782bbtaQ2"), now: now)
        let member = Session.example().identity
        #expect(try await test.store.sessions.count(of: member.member, now: now) == 4)
        #expect(try await test.store.sessions.count(of: member.member, now: after(61)) == 3)
        #expect(
            try await test.store.sessions.count(
                of: .init(provider: .linkedIn, subject: "nobody", issuer: member.issuer),
                now: now
            ) == 0
        )
    }

    @Test func `so many sessions of a member that reading them takes long are not counted`() async throws {
        let test = try await TestStore(.postgreSQL)
        _ = try await test.store.sessions.create(.example(), now: now)
        let place = try #require(test.place as? DatabasePlace)
        let member = Session.example().identity.member
        for (more, count) in [(1..<2_000, 2_000), (2_000..<2_001, nil)] {
            let copies = Statement(
                """
                INSERT INTO linkedin_signin.session (id, member, record, expires, used)
                SELECT decode(md5(number::text), 'hex'), member, record, expires, used
                FROM (SELECT * FROM linkedin_signin.session LIMIT 1) one,
                    generate_series(\(more.lowerBound), \(more.upperBound - 1)) number
                """
            )
            _ = try await place.client.write(copies)
            #expect(try await test.store.sessions.count(of: member, now: now) == count)
        }
    }

    @Test(arguments: [15, 17]) func `a row whose ID is no name of a session is left out`(_ count: Int) async throws {
        let test = try await TestStore(.postgreSQL)
        _ = try await test.store.sessions.create(.example(), now: now)
        let place = try #require(test.place as? DatabasePlace)
        let copy = Statement(
            """
            INSERT INTO linkedin_signin.session (id, member, record, expires, used)
            SELECT substring(id || id FOR \(count)), member, record, expires, used FROM linkedin_signin.session
            """
        )
        _ = try await place.client.write(copy)
        #expect(try await test.store.sessions.count(of: Session.example().identity.member, now: now) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `an update during the removal of its member brings nothing back`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let ticket = try await test.store.sessions.create(.example(), now: now)
        let updated = try await test.store.sessions.update(ticket, now: now) { session in
            let count = try await test.store.sessions.remove(.all(of: session.identity.member))
            #expect(count == 1)
            session.tokens?.accessToken = "second"
        }
        #expect(updated == nil)
        #expect(try await test.store.sessions.session(for: ticket, now: now) == nil)
        #expect(try await test.place.records().isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `an update is seen by the next reader`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let second = try test.place.open(StoreOptions())
        let ticket = try await test.store.sessions.create(.example(), now: now)
        let updated = try await test.store.sessions.update(ticket, now: now) { $0.tokens?.accessToken = "second" }
        #expect(updated?.tokens?.accessToken == "second")
        #expect(try await second.sessions.session(for: ticket, now: now) == updated)
    }

    @Test(arguments: StoreKind.allCases)
    func `a session too large for a record is refused whole`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let ticket = try await test.store.sessions.create(.example(), now: now)
        let large = CachedProfile(content: Array(repeating: 7, count: 65_536), fetched: now)
        await #expect(throws: StoreError.self) {
            try await test.store.sessions.create(.example(profile: large), now: now)
        }
        await #expect(throws: StoreError.self) {
            try await test.store.sessions.update(ticket, now: now) { $0.profile = large }
        }
        #expect(try await test.place.records().count == 1)
        let fits = CachedProfile(content: Array(repeating: 7, count: 65_000), fetched: now)
        let other = try await test.store.sessions.create(.example(profile: fits), now: now)
        #expect(try await test.store.sessions.session(for: other, now: now)?.profile == fits)
    }

    @Test(arguments: StoreKind.allCases)
    func `a session ends at its absolute end, whatever its use`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let ticket = try await test.store.sessions.create(.example(), now: now)
        for time in stride(from: 0.0, to: 86_400, by: 3_000) {
            #expect(
                try await test.store.sessions.update(ticket, now: after(time)) { $0.tokens?.accessToken += "x" } != nil
            )
        }
        #expect(try await test.store.sessions.session(for: ticket, now: after(86_399)) != nil)
        #expect(try await test.store.sessions.session(for: ticket, now: after(86_400)) == nil)
        #expect(try await test.store.sessions.update(ticket, now: after(86_400)) { $0.profile = nil } == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `an unused session ends at the idle limit, and use moves it`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let ticket = try await test.store.sessions.create(.example(), now: now)
        #expect(try await test.store.sessions.session(for: ticket, now: after(3_600.1)) == nil)
        #expect(try await test.store.sessions.update(ticket, now: after(3_600.1)) { $0.profile = nil } == nil)
        for hour in 1...20 {
            #expect(try await test.store.sessions.session(for: ticket, now: after(Double(hour) * 3_500)) != nil)
            // Known at once to the store that saw the use, and to all others when it is written.
            await test.place.settle()
        }
        let second = try test.place.open(StoreOptions())
        #expect(try await second.sessions.session(for: ticket, now: after(20 * 3_500 + 3_500)) != nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `use is written down now and then, and an update at once`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let ticket = try await test.store.sessions.create(.example(), now: now)
        func lastUse(is time: Double) async throws -> Bool {
            await test.place.settle()
            return try await abs(#require(try test.place.lastUse()).timeIntervalSince(after(time))) < 1
        }
        _ = try await test.store.sessions.session(for: ticket, now: after(59))
        #expect(try await lastUse(is: 0))
        _ = try await test.store.sessions.session(for: ticket, now: after(301))
        #expect(try await lastUse(is: 301))
        _ = try await test.store.sessions.update(ticket, now: after(700)) { $0.profile = nil }
        #expect(try await lastUse(is: 700))
        // A clock that is set back neither ends a session nor lets it outlive its end.
        #expect(try await test.store.sessions.session(for: ticket, now: after(-600)) != nil)
        #expect(try await lastUse(is: -600))
    }

    @Test(arguments: StoreKind.allCases, [-1e300, -86_400_000_000, 4_102_444_800, 1e12, 1e300, .infinity])
    func `a date beyond sense stops nothing`(_ kind: StoreKind, _ time: Double) async throws {
        let test = try await TestStore(kind)
        let store = test.store
        let odd = Date(timeIntervalSince1970: time)
        let ticket = try await store.sessions.create(.example(), now: now)
        _ = try await store.sessions.session(for: ticket, now: odd)
        _ = try await store.sessions.update(ticket, now: odd) { $0.profile = nil }
        let other = try await store.sessions.create(.example(created: odd, expires: odd), now: odd)
        _ = try await store.sessions.session(for: other, now: odd)
        #expect(try await store.states.spend("state", from: 1, expires: after(600), now: now) == .spent)
        _ = try await store.sweep(shard: 0, now: odd)
    }

    @Test(arguments: StoreKind.allCases)
    func `a damaged record is no session, and costs no other`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let ticket = try await test.store.sessions.create(.example(), now: now)
        let original = try await #require(test.place.records().first)
        var mutants: [[UInt8]] = [[], Array("{\"sub\":\"782bbtaQ\"}".utf8), original + [0], Array(original.dropLast())]
        mutants.append([UInt8](repeating: 0, count: original.count))
        for index in original.indices {
            var mutant = original
            mutant[index] ^= 1 << UInt8.random(in: 0..<8)
            mutants.append(mutant)
        }
        for mutant in mutants {
            try await test.place.rewrite { _ in mutant }
            #expect(try await test.store.sessions.session(for: ticket, now: now) == nil)
        }
        #expect(try await test.store.sessions.update(ticket, now: now) { $0.profile = nil } == nil)
        let other = try await test.store.sessions.create(.example(), now: now)
        #expect(try await test.store.sessions.session(for: other, now: now) != nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `a record of a newer version is ignored and kept`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let ticket = try await test.store.sessions.create(.example(), now: now)
        func rewrite(_ change: Int) async throws {
            try await test.place.rewrite { record in
                var record = record
                // The version follows the four letters of the format.
                record[5] = UInt8(Int(record[5]) + change)
                return record
            }
        }
        try await rewrite(3)
        #expect(try await test.store.sessions.session(for: ticket, now: now) == nil)
        var counts = SweepCounts()
        for shard in 0..<256 { counts += try await test.store.sweep(shard: shard, now: after(1e7)) }
        #expect((counts.newer, counts.expired, counts.idle) == (1, 0, 0))
        try await rewrite(-3)
        #expect(try await test.store.sessions.session(for: ticket, now: now) != nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `what is stored has no ticket, token, profile, form or state in clear`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let tokens = Tokens(accessToken: "access-canary", refreshToken: "refresh-canary")
        let ticket = try await test.store.sessions.create(.example(tokens: tokens), now: now)
        let form = KeptForm(uri: "/uri-canary", contentType: "text/plain", body: Array("body-canary".utf8))
        _ = try await test.store.forms.keep(form, from: 1, expires: after(600), now: now)
        _ = try await test.store.states.spend("state-canary", from: 1, expires: after(600), now: now)
        let content = try await Data(test.place.content())
        for secret in ["canary", ticket.cookieValue] { #expect(content.range(of: Data(secret.utf8)) == nil) }
        // The same search finds what is meant to be readable.
        #expect(content.range(of: Data("zoe@example.com".utf8)) != nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `sessions of another provider, and those with claims, go too`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        for claims in [nil, KeptClaims([(name: "groups", content: .values(["staff"]))], groups: "groups")] {
            for expires in [after(60), after(1e6)] {
                var session = Session.example(expires: expires)
                session.identity.provider = try #require(ProviderID("google"))
                session.identity.claims = claims
                _ = try await test.store.sessions.create(session, now: now)
            }
        }
        var counts = SweepCounts()
        for shard in 0..<256 { counts += try await test.store.sweep(shard: shard, now: after(61)) }
        #expect((counts.expired, counts.live, counts.newer, counts.damaged) == (2, 2, 0, 0))
    }

    @Test(arguments: StoreKind.allCases)
    func `expired and idle sessions and old marks go, and living ones stay`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let short = try await test.store.sessions.create(.example(expires: after(60)), now: now)
        let idle = try await test.store.sessions.create(.example(), now: now)
        let used = try await test.store.sessions.create(.example(), now: now)
        _ = try await test.store.sessions.session(for: used, now: after(3_000))
        await test.place.settle()
        #expect(try await test.store.states.spend("state", from: 1, expires: after(600), now: now) == .spent)
        #expect(try await test.store.sweepMarks(now: after(599.9)).forgotten == 0)
        #expect(try await test.store.sweepMarks(now: after(600)).forgotten == 1)
        var counts = SweepCounts()
        for shard in 0..<256 { counts += try await test.store.sweep(shard: shard, now: after(3_700)) }
        #expect((counts.expired, counts.idle, counts.live, counts.damaged) == (1, 1, 1, 0))
        #expect(try await test.store.sessions.session(for: used, now: after(3_700)) != nil)
        for gone in [short, idle] { #expect(try await test.store.sessions.session(for: gone, now: now) == nil) }
        #expect(try await test.place.counts().spent == 0)
    }
}
