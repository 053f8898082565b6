import HTTP
import Sessions
import TestSupport
import Testing

import struct Foundation.Date

@testable import SignIn

struct LoopTests {
    private let test: TestSite
    private var browser: TestBrowser

    init() throws {
        test = try TestSite()
        browser = TestBrowser(test)
    }

    @Test mutating func `three sign-ins without the session cookie end with a page that names it`() async throws {
        for _ in 0..<3 {
            #expect(try await browser.signIn(returnTo: "/private").headers[.location] == "/private")
            browser.forget("__Host-session")
            test.clock.advance(by: 5)
        }
        let page = try await browser.send(.get, "/login?return_to=/private")
        #expect(page.status == .badRequest && page.headers[.location] == nil)
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(
            text.contains("your browser does not remember your sign-in")
                && text.contains("/login?return_to=%2Fprivate\"")
        )
        #expect(test.lines.reasons == ["session-cookie-missing"])
        #expect(try await browser.send(.get, "/login").status == .seeOther)
    }

    @Test mutating func `an unknown session cookie gets another page than a missing one`() async throws {
        for _ in 0..<3 {
            try await browser.signIn()
            browser.plant("__Host-session", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
        }
        #expect(try await browser.send(.get, "/login").status == .internalServerError)
        #expect(test.lines.reasons == ["session-unknown"])
    }

    @Test(arguments: [Request.Role.responder, .authorizer])
    mutating func `three sign-ins whose sessions are too old for the rule end with a page about clocks`(
        role: Request.Role
    ) async throws {
        let rule = ["SIGNIN_ACTION": "signin", "SIGNIN_REQUIRE": "signed-in-within=1m"]
        let page: [(HeaderName, String)] = [(.accept, "text/html")]
        // Another machine created the session; its clock is two minutes behind.
        let now = test.clock.now
        let old = Session.example(created: now.addingTimeInterval(-120), expires: now.addingTimeInterval(3600))
        for _ in 0..<3 {
            try await browser.plant(old)
            let answer = try await browser.send(.get, "/private", headers: page, role: role, parameters: rule)
            let state = try browser.state(in: answer)
            #expect(try await browser.send(.get, "/oauth?code=code-of-alice&state=\(state)").status == .seeOther)
        }
        try await browser.plant(old)
        let last = try await browser.send(.get, "/private", headers: page, role: role, parameters: rule)
        #expect(last.status == .internalServerError && last.headers[.location] == nil)
        #expect(String(decoding: last.body, as: UTF8.self).contains("The clocks of this site differ"))
        #expect(test.lines.reasons == ["session-too-old"])
        let again = try await browser.send(.get, "/private", headers: page, role: role, parameters: rule)
        #expect(again.status == .seeOther, "a further attempt is allowed")
    }

    @Test mutating func `three sign-ins in more than a minute are not a loop`() async throws {
        for _ in 0..<6 {
            try await browser.signIn()
            browser.forget("__Host-session")
            test.clock.advance(by: 25)
        }
        #expect(try await browser.send(.get, "/login").status == .seeOther)
    }

    @Test mutating func `a browser that keeps the session or signs out may sign in any number of times`() async throws {
        for _ in 0..<6 { try await browser.signIn() }
        #expect(try await browser.send(.get, "/login").status == .seeOther)
        for _ in 0..<6 {
            try await browser.signIn()
            try await browser.send(.post, "/logout", headers: [(.secFetchSite, "same-origin")])
        }
        #expect(try await browser.send(.get, "/login").status == .seeOther)
    }
}
