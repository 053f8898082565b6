import HTTP
import OpenID
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
        #expect(text.contains("__Host-session") && text.contains("/login?return_to=%2Fprivate\""))
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

    /// Completes a sign-in, but loses the cookies that the callback sets.
    private mutating func signInLosingCookies() async throws {
        let state = try await browser.startSignIn(returnTo: "/private/a?b=1")
        var other = browser
        #expect(try await other.send(.get, "/oauth?code=code-of-alice&state=\(state)").status == .seeOther)
        test.clock.advance(by: 5)
    }

    @Test mutating func `three sign-ins whose callback sets no cookie end with a page`() async throws {
        for _ in 0..<3 { try await signInLosingCookies() }
        let page = try await browser.send(.get, "/login?return_to=/private/a?b=1")
        #expect(page.status == .badRequest && page.headers[.location] == nil)
        #expect(String(decoding: page.body, as: UTF8.self).contains("__Host-session"))
        #expect(test.lines.reasons == ["callback-cookies-lost"])
        #expect(test.lines.texts.contains { ($0 + " ").contains("location=/private/a ") })
        for _ in 0..<3 { try await signInLosingCookies() }
        #expect(test.lines.reasons.count == 1, "further attempts are allowed")
    }

    @Test mutating func `three tabs that wait for the provider are not a loop`() async throws {
        for _ in 0..<5 { _ = try await browser.startSignIn() }
        #expect(try await browser.send(.get, "/login").status == .seeOther)
        for _ in 0..<2 { try await signInLosingCookies() }
        #expect(try await browser.send(.get, "/login").status == .seeOther, "two lost answers may be chance")
    }

    @Test mutating func `three sign-ins that wait for the profile are not a loop`() async throws {
        test.provider.answer { request throws(TransportError) in
            request.url == ScriptedProvider.profileEndpoint ? ScriptedProvider.json(503, "") : nil
        }
        for _ in 0..<3 {
            let answer = try await browser.signIn()
            #expect(answer.status.code >= 500)
        }
        #expect(try await browser.send(.get, "/login").status == .seeOther)
        #expect(!test.lines.names.contains("sign-in-loop"))
    }

    /// Starts a sign-in at an address where the browser's cookies do not arrive, and completes it where they do.
    private mutating func signInFromWhereCookiesAreLost() async throws -> Response {
        var other = TestBrowser(test)
        let state = try await other.startSignIn(returnTo: "/private/a?b=1")
        for (name, value) in other.cookies { browser.plant(name, value) }
        test.clock.advance(by: 5)
        let answer = try await browser.send(.get, "/oauth?code=code-of-alice&state=\(state)")
        test.clock.advance(by: 0.1)
        return answer
    }

    @Test mutating func `three sign-ins from an address where no cookie arrives end with a page`() async throws {
        for _ in 0..<3 { #expect(try await signInFromWhereCookiesAreLost().status == .seeOther) }
        let page = try await signInFromWhereCookiesAreLost()
        #expect(page.status == .badRequest && page.headers[.location] == nil)
        #expect(String(decoding: page.body, as: UTF8.self).contains("/login?return_to=%2Fprivate"))
        #expect(test.lines.reasons == ["location-cookies-lost"])
        #expect(try await signInFromWhereCookiesAreLost().status == .seeOther, "a further attempt is allowed")
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
