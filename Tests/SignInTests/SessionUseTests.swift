import HTTP
import Sessions
import TestSupport
import Testing

@testable import SignIn

struct SessionUseTests {
    private let test: TestSite
    private var browser: TestBrowser
    private let json: [(HeaderName, String)] = [(.accept, "application/json")]

    init() throws {
        test = try TestSite()
        browser = TestBrowser(test)
    }

    @Test mutating func `the profile is fetched once and then shown from the session`() async throws {
        try await browser.signIn()
        for _ in 0..<3 { #expect(try await browser.send(.get, "/profile", headers: json).status == .ok) }
        #expect(test.provider.requests(to: ScriptedProvider.profileEndpoint).count == 1)
        test.clock.advance(by: 3600)
        #expect(try await browser.send(.get, "/profile", headers: json).status == .unauthorized)
    }

    @Test mutating func `a session ends at its absolute limit, even if it is in use`() async throws {
        try await browser.signIn()
        for _ in 0..<24 {
            #expect(try await browser.send(.get, "/profile", headers: json).status == .ok)
            test.clock.advance(by: 3599)
        }
        test.clock.advance(by: 24)
        #expect(try await browser.send(.get, "/profile", headers: json).status == .unauthorized)
    }

    @Test mutating func `a throttled provider does not hide the profile fetched before`() async throws {
        try await browser.signIn()
        test.clock.advance(by: 3500)
        #expect(try await browser.send(.get, "/profile", headers: json).status == .ok)
        test.clock.advance(by: 200)
        test.provider.answer { _ in ScriptedProvider.json(429, "{}") }
        #expect(try await browser.send(.get, "/profile", headers: json).status == .ok)
        #expect(test.lines.reasons == ["resource-throttled"])
    }

    @Test mutating func `without a session, a page leads to sign-in and a script gets 401`() async throws {
        let page = try await browser.send(.get, "/profile")
        #expect(page.status == .seeOther)
        #expect(page.headers[.location] == "/login?return_to=%2Fprofile")
        let script = try await browser.send(.get, "/profile", headers: json)
        #expect(script.status == .unauthorized)
        let body = String(decoding: script.body, as: UTF8.self)
        #expect(body.contains("unauthorized") && body.contains("site.example"))
    }

    @Test mutating func `signing out ends the session on the server and the cookie in the browser`() async throws {
        try await browser.signIn()
        let old = browser
        let response = try await browser.send(.post, "/logout", headers: [(.secFetchSite, "same-origin")])
        #expect(response.status == .seeOther)
        #expect(browser.cookies.isEmpty)
        var thief = old
        #expect(try await thief.send(.get, "/profile", headers: json).status == .unauthorized)
        let home = try await browser.send(.get, try #require(response.headers[.location]))
        #expect(String(decoding: home.body, as: UTF8.self).contains("LinkedIn"))
    }

    @Test(arguments: [
        [(HeaderName.secFetchSite, "cross-site")], [(.secFetchSite, "same-site")],
        [(.origin, "https://evil.example")], [(.origin, "null")], [(.origin, "https://site.example.evil")],
        [(.origin, "https://site.example"), (.secFetchSite, "cross-site")],
    ])
    mutating func `other sites cannot sign a member out`(headers: [(HeaderName, String)]) async throws {
        try await browser.signIn()
        #expect(try await browser.send(.post, "/logout", headers: headers).status == .forbidden)
        #expect(try await browser.send(.get, "/profile", headers: json).status == .ok)
    }

    @Test mutating func `only a page with a form lets browsers send its origin`() async throws {
        #expect(try await browser.send(.get, "/").headers[.referrerPolicy] == "no-referrer")
        try await browser.signIn()
        #expect(try await browser.send(.get, "/").headers[.referrerPolicy] == "same-origin")
        for target in ["/profile", "/oauth?code=code-of-alice&state=x", "/login", "/logout", "/x"] {
            let response = try await browser.send(.get, target)
            let form = String(decoding: response.body, as: UTF8.self).contains("<form")
            #expect(response.headers[.referrerPolicy] == (form ? "same-origin" : "no-referrer"), "\(target)")
        }
        let response = try await browser.send(.post, "/logout", headers: [(.origin, TestSite.origin)])
        #expect(response.status == .seeOther && response.headers[.referrerPolicy] == "no-referrer")
    }

    @Test mutating func `no other value of a sign-in is accepted as a session`() async throws {
        let state = try await browser.startSignIn()
        let pending = try #require(browser.cookies.values.first)
        for value in [state, pending, "code-of-alice", "alice", "../../etc/passwd", "%2e%2e", "", "AAAA"] {
            var other = TestBrowser(test)
            other.plant("__Host-session", value)
            #expect(try await other.send(.get, "/profile", headers: json).status == .unauthorized)
        }
    }

    @Test func `two hundred browsers never see each other's profile`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    var browser = TestBrowser(test)
                    browser.address = "2001:db8:0:\(number)::1"
                    for round in 0..<5 {
                        try await browser.signIn(as: "m\(number)-\(round)")
                        let answer = try await browser.send(.get, "/profile", headers: [(.accept, "application/json")])
                        let body = String(decoding: answer.body, as: UTF8.self)
                        #expect(body.contains("\"subject\":\"m\(number)-\(round)\""))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `an authorizer's request without a rule is denied`() async throws {
        let response = try await test.site.respond(to: Request(role: .authorizer, path: "/"))
        #expect(response.status == .forbidden)
    }
}
