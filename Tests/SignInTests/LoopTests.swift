import HTTP
import TestSupport
import Testing

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
