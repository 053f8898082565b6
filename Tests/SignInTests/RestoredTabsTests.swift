import HTTP
import Sessions
import TestSupport
import Testing

@testable import SignIn

struct RestoredTabsTests {
    private static let path = "/private/page?tab="
    private let test: TestSite
    private var browser: TestBrowser

    init() throws {
        test = try TestSite()
        browser = TestBrowser(test)
    }

    private func callback(_ state: String, _ answer: String = "code=code-of-alice") -> String {
        "/oauth?\(answer)&state=\(state)"
    }

    private var names: [String] { browser.cookies.keys.filter { $0.hasPrefix("__Host-signin-") } }
    private var exchanges: Int { test.provider.requests(to: ScriptedProvider.tokenEndpoint).count }

    @Test(arguments: [12, 20])
    mutating func `each tab of a restored browser returns to its own address`(count: Int) async throws {
        let long = String(repeating: "a", count: 200)
        var states: [String] = []
        for tab in 0..<count {
            states.append(try await browser.startSignIn(returnTo: "\(Self.path)\(tab)&\(long)"))
            test.clock.advance(by: 0.01)
        }
        let header = browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        #expect(header.utf8.count < 4096 && names.count == 12)
        // The newest tab first, because the first sign-in to complete needs its cookie.
        for (tab, state) in states.enumerated().reversed() {
            let answer = try await browser.send(.get, callback(state))
            #expect(answer.status == .seeOther && answer.headers[.location] == "\(Self.path)\(tab)&\(long)")
        }
        #expect(exchanges == 12 && names.isEmpty)
    }

    @Test mutating func `a tab without its sign-in cookie continues with the session of another tab`() async throws {
        let state = try await browser.startSignIn(returnTo: "/private/a?b=%2F")
        for name in names { browser.forget(name) }
        try await browser.signIn()
        for answer in ["code=code-of-eve", "error=user_cancelled_login"] {
            let response = try await browser.send(.get, callback(state, answer))
            #expect(response.status == .seeOther && response.headers[.location] == "/private/a?b=%2F")
            #expect(response.headers[.setCookie] == nil)
        }
        #expect(exchanges == 1, "the code was sent again")
        #expect(test.lines.names == ["signed-in", "signed-in-already", "signed-in-already"])
        #expect(test.lines.reasons == ["state-missing", "state-missing"])
    }

    @Test mutating func `a reload of a successful callback continues to the address`() async throws {
        let state = try await browser.startSignIn(returnTo: "/private/a")
        try await browser.send(.get, callback(state))
        #expect(try await browser.send(.get, callback(state)).headers[.location] == "/private/a")
        #expect(exchanges == 1)
    }

    @Test mutating func `a used or expired sign-in continues if the browser is signed in`() async throws {
        let used = try await browser.startSignIn(returnTo: "/private/used")
        let copy = browser.cookies
        try await browser.send(.get, callback(used))
        for (name, value) in copy { browser.plant(name, value) }
        let late = try await browser.startSignIn(returnTo: "/private/late")
        #expect(try await browser.send(.get, callback(used)).headers[.location] == "/private/used")
        test.clock.advance(by: 700)
        #expect(try await browser.send(.get, callback(late)).headers[.location] == "/private/late")
        #expect(test.lines.reasons == ["state-used", "state-expired"] && exchanges == 1)
    }

    @Test mutating func `only a state that was used before is called used`() async throws {
        let script: [(HeaderName, String)] = [(.accept, "application/json")]
        let used = try await browser.startSignIn()
        try await browser.send(.get, callback(used))
        let unused = try await browser.startSignIn()
        for name in browser.cookies.keys { browser.forget(name) }
        for (state, code) in [(used, "state_used"), (unused, "state_missing")] {
            let answer = try await browser.send(.get, callback(state), headers: script)
            #expect(answer.status == .badRequest)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("\"\(code)\""))
        }
    }

    @Test(arguments: [true, false])
    mutating func `a visitor who takes thirteen minutes gets a page with the way back`(hasCookie: Bool) async throws {
        let state = try await browser.startSignIn(returnTo: "/private/a")
        test.clock.advance(by: 780)
        if !hasCookie { for name in names { browser.forget(name) } }
        let page = try await browser.send(.get, callback(state))
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(page.status == .badRequest && text.contains("took too long"))
        #expect(text.contains("/login?return_to=%2Fprivate%2Fa\""))
        #expect(test.lines.reasons == ["state-expired"])
    }

    @Test mutating func `the sign-in cookie lasts longer than the sign-in`() async throws {
        let cookie = try #require(try await browser.send(.get, "/login").headers[.setCookie])
        let age = try #require(cookie.split(separator: "; ").first { $0.hasPrefix("Max-Age=") }?.dropFirst(8))
        #expect(try #require(Int(age)) > 780)
    }

    @Test mutating func `a sign-in whose cookie was blocked can be tried again for the same address`() async throws {
        let state = try await browser.startSignIn(returnTo: "/private/a")
        for name in names { browser.forget(name) }
        let page = try await browser.send(.get, callback(state))
        #expect(String(decoding: page.body, as: UTF8.self).contains("/login?return_to=%2Fprivate%2Fa\""))
    }

    private static let agents: [(name: String, isWebKit: Bool)] = [
        ("Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15", true),
        ("Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36", false),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", false),
    ]

    @Test(arguments: ["http://localhost:8080", TestSite.origin], agents)
    func `only a WebKit browser that lost a cookie on plain http gets a page about Safari`(
        origin: String,
        agent: (name: String, isWebKit: Bool)
    ) async throws {
        var browser = TestBrowser(try TestSite(origin: origin))
        let state = try await browser.startSignIn()
        for name in browser.cookies.keys { browser.forget(name) }
        let headers: [(HeaderName, String)] = [(.accept, "text/html"), (.userAgent, agent.name)]
        for target in [callback(state), callback("unknown")] {
            let text = String(decoding: try await browser.send(.get, target, headers: headers).body, as: UTF8.self)
            let blamesSafari = origin != TestSite.origin && target.contains(state) && agent.isWebKit
            #expect(text.contains("Safari") == blamesSafari)
            #expect(text.contains("at another address of this site") == !blamesSafari)
        }
    }

    @Test mutating func `a second sign-in of the same member keeps the session of the other tabs`() async throws {
        let states = [try await browser.startSignIn(returnTo: "/a"), try await browser.startSignIn(returnTo: "/b")]
        test.clock.advance(by: 1)
        try await browser.send(.get, callback(states[0]))
        let session = try #require(browser.cookies["__Host-session"])
        #expect(try await browser.send(.get, callback(states[1])).headers[.location] == "/b")
        #expect(browser.cookies["__Host-session"] == session)
        #expect(try await browser.send(.get, "/profile").status == .ok)
    }

    @Test mutating func `a sign-in of another member ends the session of the first member`() async throws {
        let states = [try await browser.startSignIn(), try await browser.startSignIn()]
        test.clock.advance(by: 1)
        try await browser.send(.get, callback(states[0]))
        let session = try #require(browser.cookies["__Host-session"])
        try await browser.send(.get, callback(states[1], "code=code-of-bob"))
        #expect(browser.cookies["__Host-session"] != session)
        browser.plant("__Host-session", session)
        let script: [(HeaderName, String)] = [(.accept, "application/json")]
        #expect(try await browser.send(.get, "/profile", headers: script).status == .unauthorized)
    }

    @Test mutating func `a repeated callback does not lose the kept form`() async throws {
        var visit = FormVisit(test)
        let response = try await visit.post()
        let state = try visit.state(in: response)
        let cookies = visit.browser.cookies
        let first = try await visit.browser.send(.get, callback(state)).headers[.location]
        for (name, value) in cookies { visit.browser.plant(name, value) }
        #expect(first?.hasPrefix("/resume?form=") == true)
        #expect(try await visit.browser.send(.get, callback(state)).headers[.location] == first)
    }
}
