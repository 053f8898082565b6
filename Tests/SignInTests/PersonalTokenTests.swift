import Glibc
import Guard
import HTTP
import Provider
import Sessions
import TestSupport
import Testing

import struct Foundation.Date

@testable import SignIn

/// Personal tokens at guarded locations.
struct PersonalTokenTests {
    private static let on = ["SIGNIN_PERSONAL_TOKENS": "90d"]
    private let test: TestSite
    private var browser: TestBrowser
    private let owner = Session.example().identity

    init() throws {
        test = try TestSite(settings: Self.on)
        browser = TestBrowser(test)
    }

    private func token(
        in test: TestSite? = nil,
        locations: [String] = ["/"],
        life: Int = 86_400,
        owner: Identity? = nil
    ) async throws -> PersonalToken {
        let (test, owner) = (test ?? self.test, owner ?? self.owner)
        let wanted = try WantedToken(name: "backup", locations: locations, life: life, maximumLife: 90 * 86_400)
        let grant = wanted.grant(to: owner, now: test.clock.now)
        return try #require(try await test.store.tokens.makeToken(grant, owner: owner))
    }

    private mutating func ask(
        _ token: String?,
        rule: String = "member",
        action: String = "authorize",
        _ target: String = "/private/a",
        method: Method = .get
    ) async throws -> Response {
        let fields = token.map { [(HeaderName.authorization, "Bearer \($0)")] } ?? []
        let parameters = ["SIGNIN_ACTION": action, "SIGNIN_REQUIRE": rule]
        return try await browser.send(method, target, headers: fields, parameters: parameters)
    }

    private func expect(_ answer: Response, _ status: Status, _ error: String) {
        #expect(answer.status == status)
        #expect(answer.headers[.wwwAuthenticate] == #"Bearer realm="https://site.example", error="\#(error)""#)
        #expect(answer.headers[.location] == nil && answer.headers[.setCookie] == nil)
    }

    @Test mutating func `a token of a member whose provider the settings do not have admits nobody`() async throws {
        var stranger = owner
        stranger.provider = try #require(ProviderID("other"))
        let token = try await token(owner: stranger).text
        for rule in ["member", "anyone"] { expect(try await ask(token, rule: rule), .unauthorized, "invalid_token") }
    }

    @Test mutating func `a token has the claims of its owner's last sign-in`() async throws {
        let test = try TestSite(settings: Self.on, keptClaims: KeptClaimNames(groups: "groups"))
        browser = TestBrowser(test)
        var owner = owner
        owner.claims = KeptClaims([("groups", .values(["staff"]))], groups: "groups")
        let token = try await token(in: test, owner: owner).text
        #expect(try await ask(token, rule: "group=staff").status == .ok)
        owner.claims = KeptClaims([("groups", .unusable(.type))], groups: "groups")
        try await test.store.tokens.updateOwner(owner)
        #expect(try await ask(token, rule: "group=staff").headers[.xAuthReason] == "claim-type")
        #expect(try await ask(token, rule: "member").status == .ok)
    }

    @Test mutating func `a token admits its owner by the rule, with the identity fields of a session`() async throws {
        let token = try await token().text
        let answer = try await ask(token, rule: "email-domain=example.com")
        #expect(answer.status == .ok && answer.headers[.xAuthSubject] == owner.subject)
        #expect(answer.headers[.xAuthEmail] == owner.email)
        #expect(try await ask(token, rule: "email-domain=example.org").status == .forbidden)
        #expect(try await ask(token, rule: "anyone").headers[.xAuthSubject] == owner.subject)
        #expect(try await ask(token, rule: "nonsense").status == .forbidden)
    }

    @Test mutating func `a token works until its end`() async throws {
        let token = try await token(life: 60).text
        test.clock.advance(by: 59)
        #expect(try await ask(token).status == .ok)
        test.clock.advance(by: 1)
        expect(try await ask(token), .unauthorized, "invalid_token")
        #expect(test.lines.reasons.last == "personal-token-unknown")
    }

    @Test mutating func `a site without personal tokens ignores the field`() async throws {
        let off = try TestSite()
        browser = TestBrowser(off)
        let text = try await token(in: off).text
        for token in [text, "lsi_x"] {
            let answer = try await ask(token)
            #expect(answer.status == .unauthorized)
            #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Cookie ") == true)
            #expect(try await ask(token, rule: "anyone").status == .ok)
        }
    }

    @Test mutating func `a token of the application does not matter`() async throws {
        let end = test.clock.now.addingTimeInterval(60)
        try await browser.plant(Session.example(created: test.clock.now, expires: end))
        for token in ["", "abc", "LSI_abc", "eyJhbGciOiJSUzI1NiJ9"] {
            #expect(try await ask(token).status == .ok)
        }
        expect(try await ask("lsi_abc"), .unauthorized, "invalid_token")
    }

    @Test mutating func `after many unknown tokens only those that worked are looked up`() async throws {
        let good = try await token().text
        #expect(try await ask(good).status == .ok)
        for _ in 0..<TokenGuesses.limit {
            expect(try await ask(PersonalToken(random: .system()).text), .unauthorized, "invalid_token")
        }
        #expect(Set(test.lines.reasons) == ["personal-token-unknown"])
        let late = try await token().text
        // The token is good, so the answer must not say that it is invalid.
        let check = try await ask(late)
        #expect(check.status == .unauthorized && check.headers[.wwwAuthenticate] == nil)
        #expect(test.lines.reasons.last == "personal-token-limit")
        // The path of the check has no other answers either.
        let path = try await browser.send(
            .get,
            "/auth",
            headers: [(.authorization, "Bearer \(late)")],
            parameters: ["SIGNIN_REQUIRE": "member"]
        )
        #expect(path.status == .unauthorized)
        test.clock.advance(by: 10)
        let answer = try await ask(late, action: "signin")
        #expect(answer.status == .tooManyRequests && answer.headers[.retryAfter] == "50")
        #expect(answer.headers[.wwwAuthenticate] == nil)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""error":"too_many_unknown_tokens""#))
        #expect(try await ask(good).status == .ok)
        browser.address = "192.0.2.8"
        #expect(try await ask(late).status == .ok)
        browser.address = "192.0.2.7"
        let another = try await token().text
        test.clock.advance(by: 61)
        #expect(try await ask(another).status == .ok)
    }

    @Test mutating func `a script that repeats an unknown token does not stop the other tokens of its address`()
        async throws
    {
        let unknown = try PersonalToken(random: .system()).text
        for _ in 0...TokenGuesses.limit {
            for action in ["authorize", "signin"] {
                #expect(try await ask(unknown, action: action).status == .unauthorized)
            }
        }
        #expect(Set(test.lines.reasons) == ["personal-token-unknown"])
        #expect(try await ask(token().text).status == .ok)
    }

    @Test mutating func `a token for every location is good at every spelling of a path`() async throws {
        let (every, limited) = (try await token().text, try await token(locations: ["/files/"]).text)
        for path in ["/files/a%2Fb", "/files//a", "/files/100%25"] {
            #expect(try await ask(every, path).status == .ok)
            expect(try await ask(limited, path), .forbidden, "insufficient_scope")
        }
    }

    @Test mutating func `a use is logged once an hour, with the ID of the token`() async throws {
        let token = try await token()
        for _ in 0..<3 { _ = try await ask(token.text) }
        #expect(test.lines.names == ["personal-token-used"])
        test.clock.advance(by: 3_601)
        _ = try await ask(token.text)
        #expect(test.lines.names == ["personal-token-used", "personal-token-used"])
    }

    @Test mutating func `a preflight needs no token if the rule admits preflights`() async throws {
        let fields = [(HeaderName.origin, "https://app.example"), (.accessControlRequestMethod, "GET")]
        for (rule, status) in [("member preflight", Status.ok), ("member", .unauthorized)] {
            let parameters = ["SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": rule]
            let answer = try await browser.send(.options, "/private/a", headers: fields, parameters: parameters)
            #expect(answer.status == status)
        }
    }

    @Test mutating func `a token is good only for its locations, and for no rule that asks for a recent sign-in`()
        async throws
    {
        let token = try await token(locations: ["/reports/"]).text
        expect(try await ask(token, "/private/a"), .forbidden, "insufficient_scope")
        expect(try await ask(token, rule: "anyone", "/private/a"), .forbidden, "insufficient_scope")
        #expect(try await ask(token, "/reports/1").status == .ok)
        expect(try await ask(token, "/reports/../private/a"), .forbidden, "insufficient_scope")
        expect(try await ask(token, rule: "signed-in-within=15m", "/reports/1"), .forbidden, "insufficient_scope")
    }

    @Test mutating func `at the addresses for answers the web server gets the same verdict`() async throws {
        let token = try await token(locations: ["/reports/"]).text
        expect(try await ask(token, action: "denied"), .forbidden, "insufficient_scope")
        // nginx adds the field of the check.
        let answer = try await ask("lsi_x", action: "signin")
        #expect(answer.status == .unauthorized && answer.headers[.wwwAuthenticate] == nil)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("invalid_token"))
    }

    @Test mutating func `a failing store denies a request with a token`() async throws {
        let broken = try TestSite(settings: Self.on, files: FileSystem(fault: { $0 == .read ? EIO : nil }))
        let token = try await token(in: broken).text
        browser = TestBrowser(broken)
        #expect(try await ask(token).status == .forbidden)
        #expect(broken.lines.names == ["store-failed"])
    }

    @Test(arguments: [Self.on, [:]])
    mutating func `a sign-in changes the identity of tokens, also while they are off`(
        settings: [String: String]
    ) async throws {
        let test = try TestSite(settings: settings)
        browser = TestBrowser(test)
        try await browser.signIn()
        let ticket = try #require(Ticket(cookieValue: browser.cookies["__Host-session"] ?? ""))
        let member = try #require(try await test.store.sessions.session(for: ticket, now: test.clock.now)).identity
        var earlier = member
        earlier.name = "Earlier"
        let grant = TokenGrant(
            owner: earlier.member,
            name: "n",
            locations: ["/"],
            created: test.clock.now,
            expires: test.clock.now.addingTimeInterval(60)
        )
        let second = try #require(try await test.store.tokens.makeToken(grant, owner: earlier))
        #expect(try await test.store.tokens.find(second, now: test.clock.now)?.owner == earlier)
        browser = TestBrowser(test)
        try await browser.signIn()
        #expect(try await test.store.tokens.find(second, now: test.clock.now)?.owner == member)
    }

    @Test(arguments: [
        ("", ["/"], 60), (String(repeating: "n", count: 101), ["/"], 60), ("a\nb", ["/"], 60),
        (" \u{200B}\u{FEFF}", ["/"], 60), ("\u{A0}\u{3000}\u{2028}", ["/"], 60),
        ("\u{AD}", ["/"], 60), ("\u{3164}", ["/"], 60), ("\u{2800}", ["/"], 60), ("\u{FE0F}\u{E0100}", ["/"], 60),
        ("n", [], 60),
        ("n", ["a"], 60), ("n", ["/a//b"], 60), ("n", ["/a/../b"], 60), ("n", ["/%41"], 60), ("n", ["/ä"], 60),
        ("n", ["/" + String(repeating: "a", count: 200)], 60), ("n", (0...20).map { "/\($0)" }, 60), ("n", ["/"], 59),
        ("n", ["/"], 86_401), ("n", ["/"], -1),
    ])
    func `a token with a wrong name, location or life is not made`(name: String, locations: [String], life: Int) {
        #expect(throws: WantedToken.Fault.self) {
            try WantedToken(name: name, locations: locations, life: life, maximumLife: 86_400)
        }
        #expect(PersonalTokenField.prefix == PersonalToken.prefix)
    }

    @Test(arguments: ["-", "你好", "👩\u{200D}💻", "می\u{200C}خواهم", "é"])
    func `a name with any visible character can name a token`(name: String) throws {
        #expect(try WantedToken(name: name, locations: ["/"], life: 60, maximumLife: 60).name == name)
    }
}
