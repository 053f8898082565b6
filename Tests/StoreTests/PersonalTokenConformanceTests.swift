import Foundation
import Sessions
import TestSupport
import Testing

/// What every store owes its callers about personal tokens.
@Suite(.timeLimit(.minutes(2))) struct PersonalTokenConformanceTests {
    let now = Date.testStart
    private let owner = Session.example().identity
    private let other = Identity(provider: .linkedIn, issuer: "https://www.linkedin.com/oauth", subject: "other")

    private func after(_ seconds: Double) -> Date { now.addingTimeInterval(seconds) }

    private func grant(_ owner: Identity? = nil, name: String = "backup", expires: Double = 86_400) -> TokenGrant {
        TokenGrant(
            owner: (owner ?? self.owner).member,
            name: name,
            locations: ["/private/", "/reports"],
            created: now,
            expires: after(expires)
        )
    }

    private func make(_ store: AnyStore, _ grant: TokenGrant, owner: Identity? = nil) async throws -> PersonalToken {
        try #require(try await store.tokens.makeToken(grant, owner: owner ?? self.owner))
    }

    @Test(arguments: StoreKind.allCases)
    func `a personal token is found with its owner, for every store on the place`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let second = try test.place.open(StoreOptions())
        let token = try await make(test.store, grant())
        for store in [second, test.store] {
            let found = try #require(try await store.tokens.find(token, now: now))
            #expect(found.grant == grant().ending(String(token.text.suffix(4))) && found.owner == owner)
            #expect(found.id == PersonalTokenSeal(token).id)
        }
        let unknown = try #require(PersonalToken("lsi_" + String(repeating: "A", count: 43)))
        #expect(try await second.tokens.find(unknown, now: now) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `a personal token ends at its end date, and the sweeper removes it with its owner`(
        _ kind: StoreKind
    ) async throws {
        let test = try await TestStore(kind)
        let token = try await make(test.store, grant(expires: 60))
        #expect(try await test.store.tokens.find(token, now: after(59)) != nil)
        #expect(try await test.store.tokens.find(token, now: after(60)) == nil)
        #expect(try await test.store.tokens.tokens(of: nil, now: after(60)).isEmpty)
        #expect(try await test.store.sweep(shard: 0, now: after(59)).expiredTokens == 0)
        #expect(try await test.store.sweep(shard: 0, now: after(61)).expiredTokens == 1)
        #expect(try await test.place.content().isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a member revokes only the member's own personal tokens`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let second = try test.place.open(StoreOptions())
        let (own, kept) = try await (make(test.store, grant()), make(test.store, grant(name: "kept")))
        let foreign = try await make(test.store, grant(other), owner: other)
        let ids = [own, foreign].map { PersonalTokenSeal($0).id }
        #expect(try await second.tokens.revokeTokens(ids, of: owner.member) == 1)
        #expect(try await test.store.tokens.find(own, now: now) == nil)
        #expect(try await test.store.tokens.find(kept, now: now) != nil)
        #expect(try await test.store.tokens.find(foreign, now: now) != nil)
        #expect(try await second.tokens.revokeTokens(ids, of: nil) == 1)
        #expect(try await test.store.tokens.find(foreign, now: now) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `nothing stays stored about a member whose personal tokens were all revoked`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        for name in ["a", "b"] { _ = try await make(test.store, grant(name: name)) }
        let foreign = try await make(test.store, grant(other), owner: other)
        #expect(try await test.store.tokens.revokeAllTokens(of: owner.member) == 2)
        #expect(try await test.store.tokens.revokeAllTokens(of: owner.member) == 0)
        #expect(try await test.store.tokens.find(foreign, now: now) != nil)
        let content = try await String(decoding: test.place.content(), as: UTF8.self)
        #expect(!content.contains(owner.subject) && content.contains("other"))
    }

    @Test(arguments: StoreKind.allCases)
    func `a sign-in of the owner changes the identity that rules are asked about`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let token = try await make(test.store, grant())
        var changed = owner
        (changed.email, changed.name) = ("moved@example.org", nil)
        try await test.store.tokens.updateOwner(changed)
        #expect(try await test.store.tokens.find(token, now: now)?.owner == changed)
        try await test.store.tokens.updateOwner(other)
        #expect(try await !String(decoding: test.place.content(), as: UTF8.self).contains("other"))
    }

    @Test(arguments: StoreKind.allCases)
    func `the owners of personal tokens are listed as of their last sign-in`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        #expect(try await test.store.tokens.tokenOwners() == [])
        for member in [owner, owner, other] { _ = try await make(test.store, grant(member), owner: member) }
        var changed = owner
        changed.email = "moved@example.org"
        try await test.store.tokens.updateOwner(changed)
        let listed = try await test.store.tokens.tokenOwners().sorted { $0.subject < $1.subject }
        #expect(listed == [changed, other].sorted { $0.subject < $1.subject })
        _ = try await test.store.tokens.revokeAllTokens(of: owner.member)
        #expect(try await test.store.tokens.tokenOwners() == [other])
    }

    @Test(arguments: StoreKind.allCases)
    func `making a personal token does not change the identity of an owner`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        var earlier = owner
        earlier.email = "earlier@example.org"
        let token = try await make(test.store, grant())
        _ = try await make(test.store, grant(), owner: earlier)
        #expect(try await test.store.tokens.find(token, now: now)?.owner == owner)
        _ = try await test.store.tokens.revokeAllTokens(of: owner.member)
        let second = try await make(test.store, grant(), owner: earlier)
        #expect(try await test.store.tokens.find(second, now: now)?.owner == earlier)
    }

    @Test(arguments: StoreKind.allCases)
    func `a personal token works that is made while the last other one of its owner is revoked`(
        _ kind: StoreKind
    ) async throws {
        let test = try await TestStore(kind)
        let second = try test.place.open(StoreOptions())
        try await withThrowingTaskGroup { group in
            for number in 0..<16 {
                let owner = Identity(provider: .linkedIn, issuer: owner.issuer, subject: "\(number)")
                group.addTask {
                    var token = try await make(test.store, grant(owner), owner: owner)
                    for _ in 0..<20 {
                        let last = [PersonalTokenSeal(token).id]
                        async let count = second.tokens.revokeTokens(last, of: nil)
                        token = try await make(test.store, grant(owner), owner: owner)
                        #expect(try await count == 1)
                        #expect(try await test.store.tokens.find(token, now: now) != nil)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the last use of a personal token is noted once an hour`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let token = try await make(test.store, grant())
        // Seconds; the database keeps no parts of them.
        func used() async throws -> Double? {
            await test.place.settle()
            return try await test.store.tokens.tokens(of: owner.member, now: now).first?.used?.timeIntervalSince(now)
                .rounded(
                    .up
                )
        }
        #expect(try await used() == nil)
        #expect(try await test.store.tokens.find(token, now: after(10))?.isNoted == true)
        #expect(try await used() == 10)
        #expect(try await test.store.tokens.find(token, now: after(3_600))?.isNoted == false)
        #expect(try await used() == 10)
        #expect(try await test.store.tokens.find(token, now: after(3_611))?.isNoted == true)
        #expect(try await used() == 3_611)
    }

    @Test(arguments: StoreKind.allCases)
    func `a member owns at most 50 personal tokens, also if several are made at once`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let second = try test.place.open(StoreOptions())
        let made = try await withThrowingTaskGroup(of: PersonalToken?.self) { group in
            for number in 0..<56 {
                let store = number.isMultiple(of: 2) ? test.store : second
                group.addTask { try await store.tokens.makeToken(grant(name: "\(number)"), owner: owner) }
            }
            return try await group.reduce(into: [PersonalToken]()) { if let token = $1 { $0.append(token) } }
        }
        #expect(made.count == TokenLimits.owned && Set(made).count == made.count)
        #expect(try await test.store.tokens.tokens(of: owner.member, now: now).count == TokenLimits.owned)
        #expect(try await test.store.tokens.makeToken(grant(other), owner: other) != nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `what is stored about a personal token contains neither the token nor its bytes`(
        _ kind: StoreKind
    ) async throws {
        let test = try await TestStore(kind)
        let token = try await make(test.store, grant())
        let content = try await test.place.content()
        let text = token.text.dropFirst(PersonalToken.prefix.count)
        let standard = text.replacing("-", with: "+").replacing("_", with: "/") + "="
        let bytes = try [UInt8](#require(Data(base64Encoded: String(standard))))
        #expect(content.firstRange(of: Array(text.utf8)) == nil)
        #expect(content.firstRange(of: bytes) == nil)
        #expect(content.firstRange(of: Array("backup".utf8)) != nil)
    }
}

@Suite struct PersonalTokenTests {
    private let random = RandomBytes { (count: Int) throws(StoreError) in (0..<count).map { UInt8($0) } }

    @Test func `a personal token is read only in its one spelling`() throws {
        let token = try PersonalToken(random: random)
        #expect(token.text == "lsi_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
        #expect(PersonalToken(token.text) == token)
        let text = token.text
        for wrong in [
            "", "lsi_", String(text.dropLast()), text + "A", text + "=", "LSI_" + text.dropFirst(4), " " + text,
            String(text.dropLast()) + "9", String(text.dropFirst(4)), text.replacing("E", with: "+"),
        ] {
            #expect(PersonalToken(wrong) == nil, "\(wrong)")
        }
        #expect("\(token)" == "<redacted>" && Mirror(reflecting: token).children.isEmpty)
    }

    @Test func `a record of the version before opens, without the last characters of its token`() throws {
        let token = try #require(PersonalToken("lsi_Ha0s77hUqQLfbddsL5AW-tmPfYajfQJkZYri0xkaTfo"))
        // Written by that version.
        let record = try bytes(
            "4c53505400010000005741c85a6dabea875641c86e342bea87560000001e68747470733a2f2f7777772e6c696e6b6564696e2e636f6d2f6f617574"
                + "68000000083738326262746151000000066261636b75700001000000092f7265706f7274732faa85e267eb597000745cf49cb6c7caaa3ac9"
                + "57a95f64aef4ba73c5a0"
        )
        let grant = try #require(open(record, PersonalTokenSeal(token)))
        #expect(grant.owner == Session.example().identity.member)
        #expect(grant.locations == ["/reports/"] && grant.ending == nil)
    }

    /// The grant in a record, if the record fits the token.
    private func open(_ record: [UInt8], _ seal: PersonalTokenSeal) -> TokenGrant? {
        TokenRecord(id: seal.id, bytes: record, used: nil).flatMap { seal.fits($0) ? $0.grant : nil }
    }

    private func bytes(_ digits: String) throws -> [UInt8] {
        let digits = Array(digits)
        return try stride(from: 0, to: digits.count, by: 2).map { start in
            try #require(UInt8(String(digits[start...start + 1]), radix: 16))
        }
    }

    @Test func `a changed record does not open, and neither does that of another token`() throws {
        let token = try PersonalToken(random: random)
        let seal = PersonalTokenSeal(token)
        let grant = TokenGrant(
            owner: Session.example().identity.member,
            name: "n",
            locations: ["/a/"],
            created: .testStart,
            expires: .testStart.addingTimeInterval(60)
        )
        let record = try seal.seal(grant, random: random).bytes
        #expect(open(record, seal) == grant.ending(String(token.text.suffix(4))))
        for index in record.indices {
            var changed = record
            changed[index] ^= 1
            #expect(open(changed, seal) == nil, "byte \(index)")
            #expect(open(Array(record[..<index]), seal) == nil)
        }
        #expect(open(record, try PersonalTokenSeal(PersonalToken(random: .system()))) == nil)
    }
}
