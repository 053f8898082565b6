import Sessions
import TestSupport
import Testing

import struct Foundation.Date

@testable import EventLog
@testable import Guard

struct RequirementTests {
    private let lists = MemberLists(log: Log { _ in })

    private func rule(_ text: String) throws -> Requirement {
        try Requirement(text, lists: lists)
    }

    private func identity(email: String?, verified: Bool = true, subject: String = "Ada-1") -> Identity {
        Identity(provider: .linkedIn, issuer: "i", subject: subject, name: "Ada", email: email, emailVerified: verified)
    }

    @Test func `a subject of a rule names the member of one provider`() throws {
        var ada = identity(email: nil)
        ada.provider = try #require(ProviderID("other"))
        #expect(try rule("subject=Ada-1").objection(to: ada) == .notNamed)
        #expect(try rule("subject=other::Ada-1").objection(to: ada) == nil)
        #expect(try rule("subject=other::Ada-1").objection(to: identity(email: nil)) == .notNamed)
    }

    @Test(arguments: [
        "", " ", "members", "member anyone", "anyone anyone x", "subject", "subject=", "subject=a,,b", "subject=a,",
        "email=", "email=a", "email=a@b@c", "email=@b", "email=a@", "email-domain=", "email-domain=@example.com",
        "email-domain=.example.com", "email-domain=a@b", "email-domain=exämple.com", "Email-Domain=example.com",
        "allow=", "allow=relative", "deny=~/list", "member;subject=a", "subject = a", "=", "email-domain==",
        "subject=ä", "member\tanyone", "preflight", "anyone preflight", "member preflight=a", "member Preflight",
        "signed-in-within", "signed-in-within=", "signed-in-within=15", "signed-in-within=59s", "signed-in-within=366d",
        "signed-in-within=15M", "signed-in-within=-1h", "signed-in-within=1m,2m",
        "signed-in-within=99999999999999999999",
        "Signed-in-within=15m", "anyone signed-in-within=15m",
    ])
    func `a rule with an unknown part is rejected`(text: String) {
        #expect(throws: Requirement.Invalid.self) { try rule(text) }
    }

    @Test(arguments: [
        "subject=ada@example.com", "subject=Ada,urn:li:person:Bob", "subject=*", "subject=https://example.com/ada",
        "email=ada@example.com,*@example.com", "email-domain=example.com.", "email-domain=example.com,com",
        "email-domain=*.example.com",
    ])
    func `a rule with an entry that can match no member of LinkedIn is rejected`(text: String) {
        let ofLinkedIn = MemberLists(of: .linkedIn(), log: Log { _ in })
        #expect(throws: Requirement.Invalid.self) { try Requirement(text, lists: ofLinkedIn) }
    }

    @Test(arguments: [
        "Ada_1-", "https://www.linkedin.com/in/ada-lovelace", "https://www.linkedin.com/in/%C3%A9t%C3%A9",
        String(repeating: "a", count: 255),
    ])
    func `a rule names a member of LinkedIn by an address only with the product v1`(subject: String) throws {
        let isAddress = subject.contains("/")
        for withOthers in [false, true] {
            let lists = { MemberLists(of: .linkedIn(byAddress: $0, withOthers: withOthers), log: Log { _ in }) }
            let rule = try Requirement("subject=\(subject)", lists: lists(isAddress))
            #expect(rule.objection(to: identity(email: nil, subject: subject)) == nil)
            #expect(throws: Requirement.Invalid.self) {
                try Requirement("subject=\(subject)", lists: lists(!isAddress))
            }
        }
    }

    @Test func `a rule of a site with LinkedIn and other providers can name every member`() throws {
        let lists = MemberLists(of: .linkedIn(withOthers: true), log: Log { _ in })
        let text = "subject=Ada,google::1084,corp::https://example.com/ada email=ada@intranet email-domain=intranet"
        #expect(try Requirement(text, lists: lists).conditions.count == 3)
        for entry in ["linkedin::Ada", "ada@example.com", "Google::1084"] {
            #expect(throws: Requirement.Invalid.self) { try Requirement("subject=\(entry)", lists: lists) }
        }
    }

    @Test(arguments: ["subject=auth0|5f7c", "subject=ada@example.com", "subject=000123.abc.0456", "email=ada@intranet"])
    func `identifiers of other providers can be named in a rule`(text: String) throws {
        let rule = try rule(text)
        let value = text.drop { $0 != "=" }.dropFirst()
        #expect(rule.objection(to: identity(email: String(value), subject: String(value))) == nil)
    }

    @Test func `a subject must match exactly`() throws {
        let rule = try rule("subject=Ada-1,Bob-2")
        #expect(rule.objection(to: identity(email: nil)) == nil)
        #expect(rule.objection(to: identity(email: nil, subject: "ada-1")) == .notNamed)
        #expect(rule.objection(to: identity(email: nil, subject: "Ada-1 ")) == .notNamed)
    }

    @Test func `a subject with other Unicode characters does not match`() throws {
        // U+212A and K are equal strings in Swift, but different subjects for every other program.
        #expect(try rule("subject=K").objection(to: identity(email: nil, subject: "\u{212A}")) == .notNamed)
    }

    @Test(arguments: ["ada@example.com", "ADA@EXAMPLE.COM", "Ada@Example.Com"])
    func `e-mail addresses are compared without regard to case`(email: String) throws {
        for text in ["email=Ada@Example.com", "email-domain=EXAMPLE.com", "member email-domain=other.org,example.com"] {
            #expect(try rule(text).objection(to: identity(email: email)) == nil)
        }
    }

    @Test(arguments: [
        "ada@example.com.", "ada@sub.example.com", "ada@example.com@evil.example", "evil@evil.example@example.com",
        "\"a@evil.example\"@example.com", "ada@example.co", "ada@notexample.com", "ada@exampl\u{212A}.com",
        "@example.com",
        "ada@", "example.com", "", "ada@example.com\u{0}", "ada @example.com", "ada@éxample.com", "ada@example.com,x",
    ])
    func `an e-mail address that is not clearly of the domain is rejected`(email: String) throws {
        #expect(try rule("email-domain=example.com").objection(to: identity(email: email)) == .notNamed)
    }

    @Test func `an unverified e-mail address admits nobody`() throws {
        for text in ["email=ada@example.com", "email-domain=example.com"] {
            let objection = try rule(text).objection(to: identity(email: "ada@example.com", verified: false))
            #expect(objection == .emailUnverified)
        }
    }

    @Test func `all conditions must hold`() throws {
        let rule = try rule("email-domain=example.com subject=Bob-2")
        #expect(rule.objection(to: identity(email: "ada@example.com")) == .notNamed)
        #expect(rule.objection(to: identity(email: "bob@evil.example", subject: "Bob-2")) == .notNamed)
        #expect(rule.objection(to: identity(email: "bob@example.com", subject: "Bob-2")) == nil)
    }

    @Test(arguments: [
        ("signed-in-within=15m", 900.0), ("member signed-in-within=60s", 60), ("signed-in-within=365d", 31_536_000),
        ("signed-in-within=1d signed-in-within=2h signed-in-within=3h", 7200),
    ])
    func `a sign-in is recent up to the limit`(text: String, limit: Double) throws {
        let rule = try rule(text)
        let session = CheckedSession(.example())
        for (age, isRecent) in [(0, true), (limit, true), (limit + 0.001, false), (-59, true), (-60, false)] {
            #expect(rule.isRecent(session, now: { session.created.addingTimeInterval(age) }) == isRecent, "\(age)")
        }
        #expect(rule.objection(to: session.identity) == nil)
    }

    @Test func `a rule without a limit does not look at the clock`() throws {
        let isRecent = try rule("member").isRecent(CheckedSession(.example())) {
            Issue.record("the clock was read")
            return .testStart
        }
        #expect(isRecent)
    }

    @Test func `rules beyond the size of the table still work`() throws {
        let rules = Rules(lists: lists)
        for round in 0..<2 {
            for number in 0..<200 {
                let requirement = try rules.reading("subject=s\(number)").get()
                let known = identity(email: nil, subject: "s\(number)")
                #expect(requirement.objection(to: known) == nil, "round \(round)")
                #expect(requirement.objection(to: identity(email: nil)) == .notNamed)
            }
        }
        #expect(throws: Requirement.Invalid.self) { try rules.reading("nonsense").get() }
    }
}
