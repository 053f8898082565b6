import Foundation
import PostgreSQLStore
import Sessions
import TestSupport
import Testing

/// What every place for records promises: files, PostgreSQL, and memory.
@Suite(.timeLimit(.minutes(2))) struct RecordsConformanceTests {
    enum Place: String, CaseIterable, CustomTestStringConvertible {
        case memory, files, postgreSQL

        var testDescription: String { rawValue }
    }

    private let now = Date.testStart

    private func after(_ seconds: Double) -> Date { now.addingTimeInterval(seconds) }

    private func name(_ number: Int) -> RecordName {
        RecordName(hash: (0..<16).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) })
    }

    /// What two processes or machines use at one place.
    private struct Shared: Sendable {
        /// Nil for memory; a directory is removed with it.
        let place: (any StorePlace)?
        let records: [any Records]

        init(_ place: Place) async throws {
            switch place {
            case .memory: (self.place, records) = (nil, Array(repeating: MemoryRecords(), count: 2))
            case .files:
                let place = try FilePlace()
                records = try (0..<2).map { _ in try place.openFiles(StoreOptions()) }
                self.place = place
            case .postgreSQL:
                let place = try await DatabasePlace()
                records = try (0..<2).map { _ in try place.openDatabase(StoreOptions()) }
                self.place = place
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a record that was put is there for everybody, with its bytes`(_ place: Place) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        #expect(try await records[0].put(.record(bytes, .form, name(1), ends: after(60))) == 1)
        #expect(try await records[0].put(.record([], .state, name(1), ends: after(60))) == 1)
        for records in records {
            #expect(try await records.get(.form, name(1)) == bytes)
            #expect(try await records.get(.state, name(1)) == [])
            #expect(try await records.get(.form, name(2)) == nil)
            #expect(try await records.get(.state, name(2)) == nil)
        }
    }

    @Test(arguments: Place.allCases, [RecordKind.form, .state])
    func `of 64 who put a record under one name, one does, and its bytes stay`(
        _ place: Place,
        _ kind: RecordKind
    ) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        for round in 0..<5 {
            let winners = try await withThrowingTaskGroup(of: UInt8?.self) { group in
                for number in 0..<64 as Range<UInt8> {
                    group.addTask {
                        let bytes = kind == .form ? [number] : []
                        let records = records[Int(number) % 2]
                        return try await records.put(.record(bytes, kind, name(round), ends: after(60))) == 1
                            ? number : nil
                    }
                }
                return try await group.reduce(into: [UInt8]()) { if let number = $1 { $0.append(number) } }
            }
            #expect(winners.count == 1)
            #expect(try await records[0].get(kind, name(round)) == (kind == .form ? winners : []))
        }
    }

    @Test(arguments: Place.allCases, [RecordKind.form, .state])
    func `of 64 who take a record, one has it, and its name is free`(_ place: Place, _ kind: RecordKind) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        let bytes: [UInt8] = kind == .form ? [1, 2, 3] : []
        #expect(try await records[0].take(kind, name(1)) == nil)
        for _ in 0..<5 {
            #expect(try await records[1].put(.record(bytes, kind, name(1), ends: after(60))) == 1)
            let taken = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                for number in 0..<64 {
                    group.addTask { try await records[number % 2].take(kind, name(1)) }
                }
                return try await group.reduce(into: [[UInt8]]()) { if let bytes = $1 { $0.append(bytes) } }
            }
            #expect(taken == [bytes])
            #expect(try await records[1].get(kind, name(1)) == nil)
        }
    }

    @Test(arguments: Place.allCases, [RecordKind.form, .state])
    func `a sweep removes what has ended, of its kind only`(_ place: Place, _ kind: RecordKind) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        let bytes: [UInt8] = kind == .form ? [1] : []
        let other: RecordKind = kind == .form ? .state : .form
        for number in 0..<20 {
            #expect(try await records[0].put(.record(bytes, kind, name(number), ends: after(Double(number)))) == 1)
        }
        #expect(try await records[0].put(.record(kind == .form ? [] : [1], other, name(1), ends: after(1))) == 1)
        func sweep(_ process: Int, _ time: Double) async throws -> [Int] {
            let swept = try await records[process].sweep(.records(kind), now: after(time))
            return [swept.counts.expired, swept.counts.live]
        }
        #expect(try await sweep(1, -1) == [0, 20])
        #expect(try await sweep(1, 9) == [10, 10])
        #expect(try await records[0].get(kind, name(9)) == nil)
        #expect(try await records[0].get(kind, name(10)) == bytes)
        #expect(try await records[0].get(other, name(1)) != nil)
        #expect(try await sweep(0, 100) == [10, 0])
    }

    @Test(arguments: Place.allCases)
    func `a sweep lists the forms that it leaves, with their sizes and ends`(_ place: Place) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        #expect(try await records[0].sweep(.records(.form), now: now).forms.isEmpty)
        for number in 1...3 {
            let bytes = [UInt8](repeating: 1, count: number)
            #expect(try await records[0].put(.record(bytes, .form, name(number), ends: after(Double(number)))) == 1)
        }
        #expect(try await records[0].put(.record([], .state, name(4), ends: now)) == 1)
        let forms = try await records[1].sweep(.records(.form), now: now).forms.sorted { $0.byteCount < $1.byteCount }
        #expect(try await records[1].sweep(.records(.state), now: after(-1)).forms.isEmpty)
        #expect(forms.map(\.name) == (1...3).map(name))
        #expect(forms.map(\.byteCount) == [1, 2, 3])
        #expect(forms.map(\.ends) == (1...3).map { after(Double($0)) })
    }

    // MARK: - Tokens and their owners

    private let owner = Session.example().identity
    private let other = Identity(provider: .linkedIn, issuer: "https://www.linkedin.com/oauth", subject: "other")

    private func token(of owner: Identity, life: Double = 60, used: Date? = nil) throws -> TokenRecord {
        let grant = TokenGrant(
            owner: owner.member,
            name: "n",
            locations: ["/"],
            created: now,
            expires: after(life)
        )
        let record = try PersonalTokenSeal(PersonalToken(random: .system())).seal(grant, random: .system())
        return try #require(TokenRecord(id: record.id, bytes: record.bytes, used: used))
    }

    private func room(_ total: Int, _ owned: Int, _ owner: Identity) -> TokenRoom {
        TokenRoom(total: total, owned: owned, names: [TokenOwner(owner).name])
    }

    @Test(arguments: Place.allCases)
    func `tokens that were added are there for everybody, with their last use and their owner`(
        _ place: Place
    ) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        let (unused, used) = (try token(of: owner), try token(of: other, used: now))
        #expect(try await records[0].put(.tokens([unused], owners: [TokenOwner(owner)], room: room(1, 1, owner))) == 1)
        #expect(try await records[0].put(.tokens([used], owners: [TokenOwner(other)])) == 1)
        for records in records {
            for (token, owner) in [(unused, owner), (used, other)] {
                let found = try #require(try await records.token(token.id))
                #expect(found.token == token && found.owner == TokenOwner(owner))
                let listed = try await records.tokens(of: [TokenOwner(owner).name])
                #expect(listed.filter { $0.owner == token.owner } == [token])
            }
            #expect(try await records.tokens(of: nil).count == 2)
            #expect(try await records.token(token(of: owner).id) == nil)
        }
    }

    @Test(arguments: Place.allCases)
    func `a stored token or owner stays as it is when another with its name is added`(_ place: Place) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        let (first, second) = (try token(of: owner), try token(of: owner))
        var changed = owner
        changed.email = "moved@example.org"
        #expect(try await records[0].put(.tokens([first], owners: [TokenOwner(owner)])) == 1)
        let namesake = try #require(TokenRecord(id: first.id, bytes: second.bytes, used: now))
        #expect(try await records[1].put(.tokens([namesake, second], owners: [TokenOwner(changed)])) == 1)
        #expect(try await records[1].token(first.id)?.token == first)
        #expect(try await records[0].token(second.id)?.owner == TokenOwner(owner))
    }

    @Test(arguments: Place.allCases)
    func `of 40 who add a token to an owner with room for 10, 10 do`(_ place: Place) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        let added = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<40 {
                let token = try token(of: owner)
                group.addTask {
                    let (owners, room) = ([TokenOwner(owner)], room(100, 10, owner))
                    return try await records[number % 2].put(.tokens([token], owners: owners, room: room))
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(try await (added, records[0].tokens(of: nil).count) == (10, 10))
        let owners = [TokenOwner(other)]
        #expect(try await records[0].put(.tokens([token(of: other)], owners: owners, room: room(10, 10, other))) == 0)
        #expect(try await records[0].owners(nil) == [TokenOwner(owner)])
        #expect(try await records[0].put(.tokens([token(of: other)], owners: owners, room: room(11, 10, other))) == 1)
    }

    @Test(arguments: Place.allCases)
    func `a note of a token's use is there for everybody, and changes nothing else`(_ place: Place) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        let (token, unused) = (try token(of: owner), try token(of: owner))
        #expect(try await records[0].put(.tokens([token, unused], owners: [TokenOwner(owner)])) == 2)
        for seconds in [10, 20.0] {
            records[0].noteUse(.token(token.id), after(seconds))
            #expect(try await records[0].token(token.id)?.token.used == after(seconds))
            await shared.place?.settle()
            for records in records {
                // The database keeps no parts of seconds.
                let used = try await records.token(token.id)?.token.used
                #expect(used?.timeIntervalSince(now).rounded(.up) == seconds)
                #expect(try await records.token(unused.id)?.token == unused)
            }
        }
        records[0].noteUse(.token(try self.token(of: owner).id), now)
        #expect(try await records[0].tokens(of: nil).count == 2)
    }

    @Test(arguments: Place.allCases)
    func `a removal of tokens removes only these and the owners without others`(_ place: Place) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        let own = [try token(of: owner), try token(of: owner, life: 10), try token(of: owner, life: 30)]
        let foreign = try token(of: other, life: 20)
        #expect(try await records[0].put(.tokens(own, owners: [TokenOwner(owner)])) == 3)
        #expect(try await records[0].put(.tokens([foreign], owners: [TokenOwner(other)])) == 1)
        let names = [owner, other].map { TokenOwner($0).name }
        let unknown = try token(of: owner).id
        #expect(try await records[1].remove(.tokens(.ids([own[0].id, unknown], owners: names))) == 1)
        #expect(try await records[0].token(own[0].id) == nil)
        #expect(try await records[0].owners(names) == [TokenOwner(owner), TokenOwner(other)])
        #expect(try await records[0].owners(names.reversed()) == [TokenOwner(other), TokenOwner(owner)])
        #expect(try await records[1].remove(.tokens(.ended(after(9)))) == 0)
        #expect(try await records[1].remove(.tokens(.ended(after(20)))) == 2)
        #expect(try await records[0].tokens(of: nil).map(\.id) == [own[2].id])
        #expect(try await records[0].owners(nil) == [TokenOwner(owner)])
        #expect(try await records[1].remove(.tokens(.ids([own[2].id]))) == 1)
        #expect(try await (records[0].owners(names), records[0].owners(nil)) == ([], []))
    }

    @Test(arguments: Place.allCases)
    func `an owner is replaced only if it is stored`(_ place: Place) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        let token = try token(of: owner)
        var changed = owner
        changed.email = "moved@example.org"
        #expect(try await records[0].put(.tokens([token], owners: [TokenOwner(owner)])) == 1)
        for identity in [owner, changed, other] { _ = try await records[1].put(.replacement(TokenOwner(identity))) }
        #expect(try await records[0].token(token.id)?.owner == TokenOwner(changed))
        #expect(try await records[0].owners(nil) == [TokenOwner(changed)])
    }
}
