import Sessions
import TestSupport
import Testing

import struct Foundation.Date

@Suite struct MemberTests {
    private func member(_ subject: String, of provider: String = "linkedin", issuer: String = "i") throws -> Member {
        Member(provider: try #require(ProviderID(provider)), subject: subject, issuer: issuer)
    }

    @Test func `the same subject at two providers is two people, and two issuers of one provider are not`() throws {
        #expect(try member("7") == member("7", issuer: "j"))
        #expect(try Set([member("7"), member("7", issuer: "j")]).count == 1)
        #expect(try member("7") != member("7", of: "google"))
        #expect(try member("7").storedName != member("7", of: "google").storedName)
        // The same text for Unicode, with other bytes.
        #expect(try member("\u{e9}") != member("e\u{301}"))
    }

    @Test func `the stored name of LinkedIn's members is that of earlier versions, and that of others has no issuer`()
        throws
    {
        #expect(try member("7").storedName != member("7", issuer: "j").storedName)
        #expect(try member("7", of: "google").storedName == member("7", of: "google", issuer: "j").storedName)
        let issuers = FormerIssuers(["i", "j"])
        #expect(try issuers.spellings(of: member("7", issuer: "k")).map(\.issuer) == ["k", "i", "j"])
        #expect(try issuers.spellings(of: member("7", of: "google")).map(\.issuer) == ["i"])
    }

    @Test(arguments: ["", "Google", "a b", "a:b", String(repeating: "a", count: 33)])
    func `a provider's ID has 1 to 32 lower-case letters, digits and hyphens`(text: String) {
        #expect(ProviderID(text) == nil)
        #expect(ProviderID("entra-2")?.description == "entra-2")
    }

    @Test(arguments: [
        ("linkedin", "782bbtaQ", "782bbtaQ"), ("google", "782bbtaQ", "google::782bbtaQ"),
        ("linkedin", "https://www.linkedin.com/in/ada", "https://www.linkedin.com/in/ada"),
        ("linkedin", "f:1:ada", "f:1:ada"), ("linkedin", "::7", "::7"), ("linkedin", "A::7", "A::7"),
        ("linkedin", "google::7", "linkedin::google::7"), ("google", "google::7", "google::google::7"),
        ("linkedin", "linkedin::7", "linkedin::linkedin::7"), ("google", "", "google::"),
    ])
    func `a unique subject names one member, and LinkedIn's is the subject`(
        provider: String,
        subject: String,
        text: String
    ) throws {
        let member = try member(subject, of: provider)
        #expect(member.uniqueSubject == text)
        #expect(Member(uniqueSubject: text, issuer: "i") == member)
    }

    @Test func `a record of another provider keeps it, and an earlier version leaves it alone`() async throws {
        let directory = try StoreDirectory()
        let other = try #require(ProviderID("google"))
        let ticket = try await directory.store.create(.example(provider: other), now: .testStart)
        #expect(try await directory.store.session(for: ticket, now: .testStart) == .example(provider: other))
        let checked = try await directory.store.check(ticket, withTokens: false, now: .testStart)
        #expect(checked?.identity.provider == other)
    }

    @Test func `a personal token of another provider's member keeps the provider`() async throws {
        let directory = try StoreDirectory()
        let store = directory.vault.tokens
        let other = try #require(ProviderID("google"))
        let (mine, foreign) = (Session.example().identity, Session.example(provider: other).identity)
        var tokens: [PersonalToken] = []
        for owner in [mine, foreign] {
            let grant = TokenGrant(
                owner: owner.member,
                name: "n",
                locations: ["/"],
                created: .testStart,
                expires: .testStart.addingTimeInterval(60)
            )
            tokens.append(try #require(try await store.makeToken(grant, owner: owner)))
        }
        #expect(try await store.find(tokens[1], now: .testStart)?.owner == foreign)
        #expect(try await store.revokeAllTokens(of: mine.member) == 1)
        #expect(try await store.find(tokens[0], now: .testStart) == nil)
        #expect(try await store.find(tokens[1], now: .testStart)?.grant.owner == foreign.member)
    }
}
