import Glibc
import HTTP
import OpenID
import Sessions
import Synchronization
import TestSupport
import Testing

import struct Foundation.Date

@testable import SignIn

struct HeldCallsTests {
    private static let application = limit("APPLICATION DAY ")
    private static let member = limit("MEMBER DAY ")
    private static let unnamed = limit("")

    private static func limit(_ name: String) -> String {
        "Resource level throttle \(name)limit for calls to this resource is reached."
    }

    private let test: TestSite
    private let json: [(HeaderName, String)] = [(.accept, "application/json")]

    init() throws {
        test = try TestSite(profileCache: 0)
    }

    /// Returns a browser with a session whose profile was never fetched.
    private func visitor(_ member: String) async throws -> TestBrowser {
        let session = Session.example(
            subject: member,
            created: test.clock.now.addingTimeInterval(-3600),
            expires: test.clock.now.addingTimeInterval(86_400),
            tokens: Tokens(accessToken: "token-of-\(member)", scopes: ["r_basicprofile"]),
            profile: nil
        )
        var browser = TestBrowser(test)
        try await browser.plant(session)
        return browser
    }

    private func throttle(_ message: String, retryAfter: String? = nil) throws {
        var answer = ScriptedProvider.json(429, #"{"status":429,"message":"\#(message)"}"#)
        if let retryAfter { try answer.headers.append(.retryAfter, retryAfter) }
        let response = answer
        test.provider.answer { _ in response }
    }

    private func recover() {
        test.provider.answer { _ in nil }
    }

    private var calls: Int { test.provider.requests(to: ScriptedProvider.profileEndpoint).count }

    @Test(arguments: [500, 404, 403, 410])
    func `a browser in a loop on a failing profile causes one call a minute`(status: Int) async throws {
        test.provider.answer { _ in ScriptedProvider.json(status, "{}") }
        var browser = try await visitor("alice")
        let first = try await browser.send(.get, "/profile", headers: json)
        for _ in 0..<50 {
            let answer = try await browser.send(.get, "/profile", headers: json)
            #expect(answer.status == first.status)
            test.clock.advance(by: 1)
        }
        #expect(calls == 1)
        recover()
        test.clock.advance(by: 9)
        #expect(try await browser.send(.get, "/profile", headers: json).status == first.status)
        test.clock.advance(by: 1)
        #expect(try await browser.send(.get, "/profile", headers: json).status == .ok)
        #expect(calls == 2)
    }

    @Test func `fifty concurrent requests for a failing profile cause one call`() async throws {
        test.provider.answer { _ in ScriptedProvider.json(500, "{}") }
        let browser = try await visitor("alice")
        try await withThrowingTaskGroup(of: Status.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    var tab = browser
                    return try await tab.send(.get, "/profile").status
                }
            }
            for try await status in group { #expect(status == .badGateway) }
        }
        #expect(calls == 1)
    }

    @Test func `a page or JSON answer without a call says when to try again`() async throws {
        test.provider.answer { _ in ScriptedProvider.json(500, "{}") }
        var browser = try await visitor("alice")
        #expect(try await browser.send(.get, "/profile").headers[.retryAfter] == "60")
        test.clock.advance(by: 12.5)
        let page = try await browser.send(.get, "/profile")
        #expect(page.headers[.retryAfter] == "48")
        #expect(String(decoding: page.body, as: UTF8.self).contains("48 seconds"))
        #expect(try await browser.send(.get, "/profile", headers: json).headers[.retryAfter] == "48")
        #expect(test.lines.names == ["profile-failed", "profile-held-back", "profile-held-back"])
        #expect(test.lines.reasons == ["resource-unavailable", "resource-unavailable", "resource-unavailable"])
    }

    @Test func `the profile fetched before is shown while calls are held back`() async throws {
        var browser = TestBrowser(test)
        try await browser.signIn()
        test.provider.answer { _ in ScriptedProvider.json(500, "{}") }
        for _ in 0..<10 { #expect(try await browser.send(.get, "/profile", headers: json).status == .ok) }
        #expect(calls == 2)
    }

    @Test func `after a refused token, a new sign-in works without waiting`() async throws {
        test.provider.answer { _ in ScriptedProvider.json(401, "{}") }
        var browser = try await visitor("alice")
        let refused = try await browser.send(.get, "/profile")
        #expect(refused.status == .seeOther && refused.headers[.location] == "/login?return_to=%2Fprofile")
        recover()
        try await browser.signIn()
        #expect(try await browser.send(.get, "/profile", headers: json).status == .ok)
        #expect(calls == 3)
    }

    @Test func `a token that LinkedIn does not know yet is tried again after ten seconds`() async throws {
        var browser = TestBrowser(test)
        try await browser.signIn()
        test.provider.answer { _ in ScriptedProvider.json(401, "{}") }
        #expect(try await browser.send(.get, "/profile", headers: json).status == .ok, "the profile of the sign-in")
        recover()
        let before = calls
        test.clock.advance(by: 9)
        #expect(try await browser.send(.get, "/profile", headers: json).status == .ok)
        #expect(calls == before)
        test.clock.advance(by: 1)
        #expect(try await browser.send(.get, "/profile", headers: json).status == .ok)
        #expect(calls == before + 1)
    }

    @Test(arguments: [
        (nil, "600"), ("90", "90"), ("86400", "86400"), ("86401", "600"), ("0", "600"), ("-5", "600"), ("+5", "600"),
        ("soon", "600"), ("", "600"), ("Wed, 21 Oct 2026 07:28:00 GMT", "600"), ("99999999999999999999", "600"),
    ])
    func `a throttle lasts as long as it says, up to a day, or ten minutes by default`(
        told: String?,
        held: String
    )
        async throws
    {
        try throttle(Self.application, retryAfter: told)
        var browser = try await visitor("alice")
        let answer = try await browser.send(.get, "/profile", headers: json)
        #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == held)
        recover()
        test.clock.advance(by: try #require(Double(held)) - 1)
        var other = try await visitor("bob")
        #expect(try await other.send(.get, "/profile", headers: json).headers[.retryAfter] == "1")
        #expect(calls == 1)
        test.clock.advance(by: 1)
        #expect(try await other.send(.get, "/profile", headers: json).status == .ok)
    }

    @Test func `the application's limit holds back all members, also a sign-in that needs the profile`() async throws {
        try throttle(Self.application)
        var (alice, bob, carol) = (try await visitor("alice"), try await visitor("bob"), TestBrowser(test))
        #expect(try await alice.send(.get, "/profile").status == .serviceUnavailable)
        recover()
        #expect(try await bob.send(.get, "/profile").status == .serviceUnavailable)
        #expect(try await carol.signIn(as: "carol").status == .serviceUnavailable)
        #expect(calls == 1)
        test.clock.advance(by: 600)
        #expect(try await carol.signIn(as: "carol").status == .seeOther)
    }

    @Test func `a sign-in that reaches the application's limit holds back all members`() async throws {
        var (alice, bob) = (TestBrowser(test), try await visitor("bob"))
        let state = try await alice.startSignIn()
        let body = #"{"message":"\#(Self.application)"}"#
        test.provider.answer { request in
            request.url == ScriptedProvider.profileEndpoint ? ScriptedProvider.json(429, body) : nil
        }
        #expect(try await alice.send(.get, "/oauth?code=code-of-alice&state=\(state)").status == .serviceUnavailable)
        #expect(try await bob.send(.get, "/profile").status == .serviceUnavailable)
        #expect(calls == 1)
    }

    @Test func `a member's limit holds back all sessions of that member and no others`() async throws {
        try throttle(Self.member)
        var (alice, again, bob) = (try await visitor("alice"), try await visitor("alice"), try await visitor("bob"))
        var carol = try await visitor("carol")
        #expect(try await alice.send(.get, "/profile").status == .serviceUnavailable)
        #expect(try await again.send(.get, "/profile").status == .serviceUnavailable)
        #expect(calls == 1)
        #expect(try await bob.send(.get, "/profile").status == .serviceUnavailable)
        recover()
        #expect(try await carol.send(.get, "/profile").status == .ok)
    }

    @Test func `an unnamed limit holds back all members when a second member reaches it`() async throws {
        try throttle(Self.unnamed)
        var (alice, again) = (try await visitor("alice"), try await visitor("alice"))
        var (bob, carol) = (try await visitor("bob"), try await visitor("carol"))
        #expect(try await alice.send(.get, "/profile").status == .serviceUnavailable)
        #expect(try await again.send(.get, "/profile").status == .serviceUnavailable)
        #expect(calls == 1)
        #expect(try await bob.send(.get, "/profile").status == .serviceUnavailable)
        #expect(calls == 2)
        recover()
        #expect(try await carol.send(.get, "/profile").status == .serviceUnavailable)
        #expect(calls == 2)
    }

    @Test func `a call that waits for its turn does not count as a call`() async throws {
        test.provider.answer { _ throws(TransportError) in throw TransportError(.busy, detail: "") }
        var browser = try await visitor("alice")
        #expect(try await browser.send(.get, "/profile", headers: json).headers[.retryAfter] == "5")
        recover()
        #expect(try await browser.send(.get, "/profile", headers: json).status == .ok)
    }

    @Test func `a clock that is set back does not hold back calls`() async throws {
        test.provider.answer { _ in ScriptedProvider.json(500, "{}") }
        var browser = try await visitor("alice")
        #expect(try await browser.send(.get, "/profile", headers: json).status == .badGateway)
        recover()
        test.clock.advance(by: -60)
        #expect(try await browser.send(.get, "/profile", headers: json).status == .ok)
    }

    @Test func `a profile that cannot be stored is fetched at most twice a minute`() async throws {
        let isFull = Atomic(false)
        let test = try TestSite(
            profileCache: 0,
            files: FileSystem { call in isFull.load(ordering: .relaxed) && call == .write ? ENOSPC : nil }
        )
        var browser = TestBrowser(test)
        try await browser.signIn()
        isFull.store(true, ordering: .relaxed)
        for _ in 0..<30 {
            test.clock.advance(by: 1)
            #expect(try await browser.send(.get, "/profile", headers: json).status == .ok)
        }
        #expect(test.provider.requests(to: ScriptedProvider.profileEndpoint).count == 2)
        isFull.store(false, ordering: .relaxed)
        test.clock.advance(by: 1)
        #expect(try await browser.send(.get, "/profile", headers: json).status == .ok)
        #expect(test.provider.requests(to: ScriptedProvider.profileEndpoint).count == 3)
        #expect(test.lines.names.filter { $0 == "store-failed" }.count == 1)
    }
}
