import HTTP
import OpenID
import Sessions
import TestSupport
import Testing

@testable import SignIn

struct SignInFlowTests {
    private let test: TestSite
    private var browser: TestBrowser

    init() throws {
        test = try TestSite()
        browser = TestBrowser(test)
    }

    @Test mutating func `trying again after a cancelled or expired sign-in leads to the same address`()
        async throws
    {
        for query in ["error=user_cancelled_login", "code=code-of-alice"] {
            let state = try await browser.startSignIn(returnTo: "/private/deep?x=1")
            if query.hasPrefix("code") { test.clock.advance(by: 601) }
            // The first page deletes the sign-in cookie; the second one is a reload of it.
            for _ in 1...2 {
                let page = try await browser.send(.get, "/oauth?\(query)&state=\(state)")
                let text = String(decoding: page.body, as: UTF8.self)
                #expect(page.status == (query.hasPrefix("error") ? .forbidden : .badRequest))
                #expect(text.contains("/login?return_to=%2Fprivate%2Fdeep%3Fx%3D1"))
            }
        }
    }

    @Test mutating func `signing in creates a session and leads to the requested page`() async throws {
        let response = try await browser.signIn(returnTo: "/p/a%20b?x=1&y=2&z=%2F")
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/p/a%20b?x=1&y=2&z=%2F")
        #expect(browser.cookies.keys.sorted() == ["__Host-recent-signins", "__Host-session"])
        let profile = try await browser.send(.get, "/profile", headers: [(.accept, "application/json")])
        #expect(profile.status == .ok)
        #expect(
            String(decoding: profile.body, as: UTF8.self).contains(
                #""profile_url":"https://www.linkedin.com/in/vanity-alice""#
            )
        )
    }

    @Test mutating func `only a sign-in of another member removes pages from the caches of the browser`() async throws {
        for (member, field) in [("alice", nil), ("alice", nil), ("bob", "\"cache\""), ("bob", nil)] {
            #expect(try await browser.signIn(as: member).headers[.clearSiteData] == field)
        }
    }

    @Test mutating func `a state of another browser causes no token request and creates no session`() async throws {
        var other = TestBrowser(test)
        let state = try await other.startSignIn()
        #expect(try await browser.send(.get, "/oauth?code=code-of-eve&state=\(state)").status == .badRequest)
        _ = try await browser.startSignIn()
        #expect(try await browser.send(.get, "/oauth?code=code-of-eve&state=\(state)").status == .badRequest)
        #expect(test.provider.requests(to: ScriptedProvider.tokenEndpoint).isEmpty)
        #expect(browser.cookies["__Host-session"] == nil)
        #expect(test.lines.reasons == ["state-missing", "state-missing"])
    }

    @Test mutating func `fifty concurrent callbacks with one code make one token request and one session`()
        async throws
    {
        let state = try await browser.startSignIn()
        let copy = browser
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    var tab = copy
                    return try await tab.send(.get, "/oauth?code=code-of-alice&state=\(state)").status.code
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 303 } == 1)
        #expect(statuses.count { $0 == 400 } == 49)
        #expect(test.provider.requests(to: ScriptedProvider.tokenEndpoint).count == 1)
    }

    @Test mutating func `a state that began a minute ahead of the clock is refused`() async throws {
        let near = try await browser.startSignIn()
        test.clock.advance(by: -59)
        #expect(try await browser.send(.get, "/oauth?code=code-of-alice&state=\(near)").status == .seeOther)
        var other = TestBrowser(test)
        let far = try await other.startSignIn()
        test.clock.advance(by: -60)
        #expect(try await other.send(.get, "/oauth?code=code-of-alice&state=\(far)").status == .badRequest)
        #expect(test.lines.reasons == ["state-expired"])
    }

    @Test mutating func `a state expires after ten minutes`() async throws {
        let state = try await browser.startSignIn()
        test.clock.advance(by: 600)
        #expect(try await browser.send(.get, "/oauth?code=code-of-alice&state=\(state)").status == .badRequest)
        #expect(test.lines.reasons == ["state-expired"])
        #expect(test.provider.requests(to: ScriptedProvider.tokenEndpoint).isEmpty)
        #expect(browser.cookies.isEmpty)
    }

    @Test mutating func `five tabs finish in reverse order`() async throws {
        var states: [String] = []
        for _ in 0..<5 { states.append(try await browser.startSignIn()) }
        for state in states.reversed() {
            #expect(try await browser.send(.get, "/oauth?code=code-of-alice&state=\(state)").status == .seeOther)
        }
    }

    @Test mutating func `a browser that starts two hundred sign-ins keeps small cookies and can complete the newest`()
        async throws
    {
        var newest = ""
        for count in 0..<200 {
            newest = try await browser.startSignIn(returnTo: "/" + String(repeating: "a", count: 5 * count))
            test.clock.advance(by: 0.1)
            let size = browser.cookies.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
            #expect(size < 4096 && browser.cookies.count <= 12)
        }
        #expect(try await browser.send(.get, "/oauth?code=code-of-alice&state=\(newest)").status == .seeOther)
    }

    @Test mutating func `a session from before the sign-in, planted or real, is not valid afterwards`() async throws {
        try await browser.signIn(as: "mallory")
        let planted = try #require(browser.cookies["__Host-session"])
        try await browser.signIn(as: "alice")
        #expect(browser.cookies["__Host-session"] != planted)
        var thief = TestBrowser(test)
        thief.plant("__Host-session", planted)
        let answer = try await thief.send(.get, "/profile", headers: [(.accept, "application/json")])
        #expect(answer.status == .unauthorized)
    }

    @Test(arguments: [
        ("user_cancelled_login", 403), ("user_cancelled_authorize", 403), ("access_denied", 403),
        ("server_error", 502), ("temporarily_unavailable", 502), ("<script>", 502),
    ])
    mutating func `an error from the provider gets a page and ends the sign-in`(error: String, status: Int) async throws
    {
        let state = try await browser.startSignIn()
        let query = FormData(["error": error, "error_description": "<b>canary</b>", "state": state]).encoded
        let response = try await browser.send(.get, "/oauth?" + query)
        #expect(response.status.code == status)
        #expect(!String(decoding: response.body, as: UTF8.self).contains("canary"))
        #expect(browser.cookies.isEmpty)
        #expect(try await browser.send(.get, "/oauth?code=code-of-alice&state=\(state)").status == .badRequest)
    }

    @Test mutating func `an error with a wrong state does not end another person's sign-in`() async throws {
        let state = try await browser.startSignIn()
        try await browser.send(.get, "/oauth?error=access_denied&state=wrong")
        #expect(try await browser.send(.get, "/oauth?code=code-of-alice&state=\(state)").status == .seeOther)
    }

    @Test(arguments: ["/login?return_to=%2F", "/private/"])
    mutating func `an address too long for a return path gets a page before the sign-in`(
        start: String
    ) async throws {
        let action = start.hasPrefix("/login") ? [:] : ["SIGNIN_ACTION": "signin", "SIGNIN_REQUIRE": "member"]
        for (count, isTooLong) in [(1_500, false), (1_600, true)] {
            let page = try await browser.send(.get, start + String(repeating: "a", count: count), parameters: action)
            guard isTooLong else {
                #expect(page.status == .seeOther)
                continue
            }
            #expect(page.status.code == 414 && page.headers[.location] == nil && page.headers[.setCookie] == nil)
            #expect(String(decoding: page.body, as: UTF8.self).contains("href=\"/login\""))
        }
        #expect(test.lines.names == ["return-path-refused"] && test.lines.reasons == ["too-long"])
    }

    @Test(arguments: ["return_to=//evil.example", "return_to=/a&return_to=/b", "return_to=/logout"])
    mutating func `an invalid return path is logged and replaced by the home page`(query: String) async throws {
        let state = try browser.state(in: try await browser.send(.get, "/login?" + query))
        let answer = try await browser.send(.get, "/oauth?code=code-of-alice&state=\(state)")
        #expect(answer.headers[.location] == "/")
        #expect(test.lines.names == ["return-path-refused", "signed-in"] && test.lines.reasons == ["invalid"])
        #expect(!test.lines.texts.contains { $0.contains("evil") })
    }

    @Test mutating func `HEAD starts no sign-in and completes none`() async throws {
        #expect(try await browser.send(.head, "/login").headers[.setCookie] == nil)
        let state = try await browser.startSignIn()
        try await browser.send(.head, "/oauth?code=code-of-alice&state=\(state)")
        #expect(test.provider.requests(to: ScriptedProvider.tokenEndpoint).isEmpty)
        #expect(try await browser.send(.get, "/oauth?code=code-of-alice&state=\(state)").status == .seeOther)
    }

    @Test mutating func `other parameters of login are ignored and not sent on`() async throws {
        let query = "redirect_uri=https://evil&client_id=x&scope=admin&state=fixed&return_to=//evil&return_to=/x"
        let location = try #require(try await browser.send(.get, "/login?" + query).headers[.location])
        #expect(!location.contains("evil") && !location.contains("admin") && !location.contains("fixed"))
    }
}
