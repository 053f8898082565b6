import Foundation
import HTTP
import Sessions
import Synchronization
import TestSupport
import Testing

@testable import SignIn

/// Personal tokens on the member's own pages.
struct MemberTokenTests {
    private let interruption = Interruption()
    private let test: TestSite
    private var browser: TestBrowser
    private let own: [(HeaderName, String)] = [(.secFetchSite, "same-origin"), (.accept, "text/html")]
    private let member: Session

    init() async throws {
        let interruption = interruption
        let files = FileSystem { call in
            interruption.happen(at: call)
            return nil
        }
        test = try TestSite(settings: ["SIGNIN_PERSONAL_TOKENS": "90d"], files: files)
        browser = TestBrowser(test)
        member = .example(created: test.clock.now, expires: test.clock.now.addingTimeInterval(600))
        try await browser.plant(member)
    }

    private mutating func send(_ fields: KeyValuePairs<String, String>) async throws -> Response {
        let body = Array(FormData(fields).encoded.utf8)
        return try await browser.send(.post, "/tokens", headers: own, body: body)
    }

    private mutating func form() async throws -> (member: String, value: String) {
        // The page that shows a token made before has no form.
        _ = try await browser.send(.get, "/tokens", headers: own)
        let page = try await browser.send(.get, "/tokens", headers: own)
        let text = String(decoding: page.body, as: UTF8.self)
        let value = { (field: String) throws in
            String(text.firstMatch(of: try Regex("name=\"\(field)\" value=\"([^\"]+)\""))?[1].substring ?? "")
        }
        return (try value("member"), try value("form"))
    }

    private mutating func make(with form: (member: String, value: String)? = nil) async throws -> Response {
        let own = try await self.form()
        let (member, value) = form ?? own
        return try await send(["name": "backup", "locations": "/", "days": "30", "member": member, "form": value])
    }

    private func grant(_ owner: Identity) throws -> TokenGrant {
        try WantedToken(name: "n", locations: ["/"], life: 60, maximumLife: 86_400)
            .grant(to: owner, now: test.clock.now)
    }

    private func isEmpty() async throws -> Bool {
        let (tokens, owners) = try await (test.files.tokens(of: nil), test.files.owners(nil))
        return tokens.isEmpty && owners.isEmpty
    }

    private func listed() async throws -> [TokenRecord] {
        try await test.store.tokens.tokens(of: nil, now: test.clock.now)
    }

    @Test mutating func `a session from before another sign-in makes a token with the identity of that sign-in`()
        async throws
    {
        var newer = member.identity
        newer.email = "moved@example.org"
        let token = try #require(try await test.store.tokens.makeToken(grant(newer), owner: newer))
        #expect(try await make().status == .seeOther)
        #expect(try await listed().count == 2)
        #expect(try await test.store.tokens.find(token, now: test.clock.now)?.owner == newer)
    }

    @Test(arguments: ["/tokens", "/forget"])
    mutating func `a form sent without a session leads through sign-in back to its page`(path: String) async throws {
        browser = TestBrowser(test)
        let answer = try await browser.send(.post, path, headers: own)
        #expect(answer.status == .unauthorized)
        let link = "href=\"/login?return_to=%2F\(path.dropFirst())\""
        #expect(String(decoding: answer.body, as: UTF8.self).contains(link))
    }

    @Test mutating func `the form of another member makes no token`() async throws {
        let form = try await form()
        var other = member
        other.identity.subject = "bob"
        try await browser.plant(other)
        let answer = try await make(with: form)
        #expect(answer.status == .conflict)
        #expect(try await listed().isEmpty)
        #expect(try await make().status == .seeOther)
        #expect(try await listed().map(\.grant.owner) == [other.identity.member])
    }

    @Test mutating func `a form makes no token an hour later`() async throws {
        let form = try await form()
        test.clock.advance(by: 3_600)
        try await browser.plant(.example(created: test.clock.now, expires: test.clock.now.addingTimeInterval(600)))
        #expect(try await make(with: form).status == .badRequest)
        #expect(try await listed().isEmpty)
    }

    @Test(arguments: [(59.0, true), (60, false)])
    mutating func `a new token is shown for a minute`(after seconds: Double, isShown: Bool) async throws {
        #expect(try await make().status == .seeOther)
        test.clock.advance(by: seconds)
        let page = try await browser.send(.get, "/tokens", headers: own)
        #expect(String(decoding: page.body, as: UTF8.self).contains("lsi_") == isShown)
    }

    @Test mutating func `a wrong number of days names the limits beside the field`() async throws {
        for _ in 0..<3 { _ = try await make() }
        let page = try await send(["name": "n", "locations": "/", "days": "91"])
        let text = String(decoding: page.body, as: UTF8.self)
        let fault = try #require(text.firstRange(of: "No token was made: write a number of days from 1 to 90."))
        let field = try #require(text.firstRange(of: "id=\"days\""))
        #expect(field.upperBound < fault.lowerBound)
        #expect(!text[field.upperBound..<fault.lowerBound].contains("<input"))
        #expect(text.ranges(of: "id=\"fault\"").count == 1)
    }

    @Test(arguments: [
        ("/a /b?<c> /d", "“/b?&lt;c&gt;” is not a valid path"),
        ("/\(String(repeating: "a", count: 200))", "aaa” is not a valid path"), ("", "write 1 to 20 paths"),
        ((0...20).map { "/\($0)" }.joined(separator: " "), "write 1 to 20 paths"),
    ])
    mutating func `a fault of the paths names the wrong path`(locations: String, text: String) async throws {
        let page = try await send(["name": "n", "locations": locations, "days": "1"])
        #expect(page.status == .badRequest && String(decoding: page.body, as: UTF8.self).contains(text))
    }

    @Test mutating func `the form proposes no path, so that no token is for the whole site by mistake`() async throws {
        let shown = String(decoding: try await browser.send(.get, "/tokens", headers: own).body, as: UTF8.self)
        #expect(shown.contains("<input id=\"locations\" name=\"locations\" value=\"\" required=\"\""))
    }

    @Test mutating func `a page that only a POST shows has no links to other languages`() async throws {
        let shown = try await browser.send(.get, "/tokens", headers: own)
        #expect(String(decoding: shown.body, as: UTF8.self).contains("class=\"languages\""))
        let page = try await send(["name": "", "locations": "/", "days": "1"])
        #expect(page.status == .badRequest && !String(decoding: page.body, as: UTF8.self).contains("<nav"))
    }

    @Test mutating func `a member reads that a deletion deletes personal tokens`() async throws {
        let sentence = "Your personal tokens are deleted too."
        _ = try await make()
        let question = try await browser.send(.get, "/forget", headers: own)
        #expect(String(decoding: question.body, as: UTF8.self).contains(sentence))
        let place = try await browser.send(.post, "/forget", headers: own).headers[.location]
        let done = try await browser.send(.get, try #require(place), headers: own)
        #expect(String(decoding: done.body, as: UTF8.self).contains(sentence))
    }

    @Test mutating func `only a token that existed is logged as revoked`() async throws {
        #expect(try await send(["revoke": String(repeating: "0", count: 32)]).status == .seeOther)
        #expect(test.lines.names.isEmpty)
        #expect(try await make().status == .seeOther)
        let id = try #require(try await listed().first).id.description
        #expect(try await send(["revoke": id]).status == .seeOther)
        #expect(test.lines.names == ["personal-token-made", "personal-token-revoked"])
        #expect(try await listed().isEmpty)
    }

    @Test mutating func `a member sees, revokes and deletes the tokens of both issuers of LinkedIn`() async throws {
        var other = member.identity
        other.issuer = "https://www.linkedin.com"
        for _ in 0..<2 { _ = try await test.store.tokens.makeToken(grant(other), owner: other) }
        let page = try await browser.send(.get, "/tokens", headers: own)
        let tokens = try await listed()
        #expect(tokens.count == 2)
        for token in tokens { #expect(String(decoding: page.body, as: UTF8.self).contains(token.id.description)) }
        #expect(try await send(["revoke": tokens[0].id.description]).status == .seeOther)
        #expect(try await listed().map(\.id) == [tokens[1].id])
        #expect(try await browser.send(.post, "/forget", headers: own).status == .seeOther)
        #expect(try await isEmpty())
    }

    @Test mutating func `the same subject at another provider is another person`() async throws {
        let provider = try #require(ProviderID("other"))
        let stranger = Session.example(provider: provider, created: test.clock.now, expires: member.expires)
        var visitor = TestBrowser(test)
        try await visitor.plant(stranger)
        let foreign = try #require(
            try await test.store.tokens.makeToken(grant(stranger.identity), owner: stranger.identity)
        )
        #expect(try await make().status == .seeOther)
        let id = try #require(
            try await test.store.tokens.tokens(of: stranger.identity.member, now: test.clock.now).first
        ).id
        let page = try await browser.send(.get, "/tokens", headers: own)
        #expect(!String(decoding: page.body, as: UTF8.self).contains(id.description))
        #expect(try await send(["revoke": id.description]).status == .seeOther)
        #expect(
            try await browser.send(.post, "/logout", headers: own, body: Array("everywhere=yes".utf8)).status
                == .seeOther
        )
        try await browser.plant(member)
        #expect(try await browser.send(.post, "/forget", headers: own).status == .seeOther)
        #expect(try await listed().map(\.id) == [id])
        #expect(try await test.store.tokens.find(foreign, now: test.clock.now)?.owner == stranger.identity)
        let who = try await visitor.send(.get, "/session", headers: [(.secFetchSite, "same-origin")])
        // The session is still there, but the settings do not have its provider.
        #expect(String(decoding: who.body, as: UTF8.self).contains(#""signed_in":false"#))
        let ticket = try #require(Ticket(cookieValue: visitor.cookies["__Host-session"] ?? ""))
        #expect(try await test.store.sessions.session(for: ticket, now: test.clock.now)?.identity == stranger.identity)
    }

    @Test mutating func `a sign-in changes the identity of tokens of the other issuer`() async throws {
        browser = TestBrowser(test)
        try await browser.signIn()
        let ticket = try #require(Ticket(cookieValue: browser.cookies["__Host-session"] ?? ""))
        var expected = try #require(try await test.store.sessions.session(for: ticket, now: test.clock.now)).identity
        expected.issuer = "https://www.linkedin.com"
        var earlier = expected
        earlier.email = "earlier@example.com"
        let token = try #require(try await test.store.tokens.makeToken(grant(earlier), owner: earlier))
        browser = TestBrowser(test)
        try await browser.signIn()
        #expect(try await test.store.tokens.find(token, now: test.clock.now)?.owner == expected)
    }

    @Test mutating func `a member learns whether the member or the site has too many tokens`() async throws {
        var other = member.identity
        other.subject = "other"
        _ = try await test.store.tokens.makeToken(grant(other), owner: other)
        let (tokens, files) = (test.directory.path("state/tokens"), FileManager.default)
        let names = try files.contentsOfDirectory(atPath: tokens)
        let record = try #require(names.first { !$0.hasPrefix("owner-") })
        for number in 1..<TokenLimits.total {
            let name = String(repeating: "0", count: 24) + String(10_000_000 + number)
            try files.linkItem(atPath: "\(tokens)/\(record)", toPath: "\(tokens)/\(name)")
        }
        let answer = try await make()
        #expect(answer.status == .conflict)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("this site cannot store any more"))
        #expect(try await test.store.tokens.revokeAllTokens(of: other.member) == TokenLimits.total)
        for _ in 0..<TokenLimits.owned { #expect(try await make().status == .seeOther) }
        let last = try await make()
        #expect(last.status == .conflict)
        #expect(String(decoding: last.body, as: UTF8.self).contains("you have as many as this site allows"))
    }

    @Test func `an imported session changes the identity of tokens`() async throws {
        let identity = try await test.site.newSessions.importSession(accessToken: "token-of-alice").session.identity
        var earlier = identity
        earlier.name = "Earlier"
        let token = try #require(try await test.store.tokens.makeToken(grant(earlier), owner: earlier))
        _ = try await test.site.newSessions.importSession(accessToken: "token-of-alice")
        #expect(try await test.store.tokens.find(token, now: test.clock.now)?.owner == identity)
    }

    @Test mutating func `a deletion revokes the tokens`() async throws {
        #expect(try await make().status == .seeOther)
        #expect(try await browser.send(.post, "/forget", headers: own).status == .seeOther)
        #expect(try await isEmpty())
    }

    @Test mutating func `a deletion also revokes a token that is made meanwhile`() async throws {
        #expect(try await make().status == .seeOther)
        let (tokens, aside) = (test.directory.path("state/tokens"), test.directory.path("aside"))
        try move(tokens, to: aside)
        // The first file that the deletion removes is that of the session.
        interruption.expect(.unlink) { try move(aside, to: tokens) }
        #expect(try await browser.send(.post, "/forget", headers: own).status == .seeOther)
        #expect(try FileManager.default.contentsOfDirectory(atPath: aside).isEmpty)
        #expect(try await isEmpty())
    }

    @Test mutating func `no token is left of a session that ended while it made the token`() async throws {
        let (sessions, aside) = (test.directory.path("state/sessions"), test.directory.path("aside"))
        interruption.expect(.link) { try move(sessions, to: aside) }
        #expect(try await make().status == .unauthorized)
        #expect(try await isEmpty())
    }
}

/// Moves everything in one directory to another.
private func move(_ source: String, to target: String) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: target, withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: source) {
        try files.moveItem(atPath: "\(source)/\(name)", toPath: "\(target)/\(name)")
    }
}

/// What another process does just before a system call.
private final class Interruption: Sendable {
    private let expected = Mutex<(call: FileSystem.Call, work: @Sendable () throws -> Void)?>(nil)

    func expect(_ call: FileSystem.Call, _ work: @escaping @Sendable () throws -> Void) {
        expected.withLock { $0 = (call, work) }
    }

    func happen(at call: FileSystem.Call) {
        let work = expected.withLock { expected in
            guard let (awaited, work) = expected, awaited == call else { return nil as (@Sendable () throws -> Void)? }
            expected = nil
            return work
        }
        #expect(throws: Never.self) { try work?() }
    }
}
