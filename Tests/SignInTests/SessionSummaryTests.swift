import HTTP
import Testing

@testable import SignIn

struct SessionSummaryTests {
    private let test: TestSite
    private var browser: TestBrowser

    init() throws {
        test = try TestSite()
        browser = TestBrowser(test)
    }

    private mutating func ask(_ headers: [(HeaderName, String)] = []) async throws -> (Status, String) {
        let answer = try await browser.send(.get, "/session", headers: headers)
        return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }

    @Test mutating func `the site's scripts learn who is signed in`() async throws {
        let (status, signedOut) = try await ask([(.secFetchSite, "same-origin")])
        #expect(status == .ok && signedOut == #"{"login_url":"https://site.example/login","signed_in":false}"#)
        try await browser.signIn(as: "alice")
        let (_, signedIn) = try await ask([(.secFetchSite, "same-origin")])
        #expect(signedIn == #"{"expires":"2027-01-16T08:00:00Z","signed_in":true,"subject":"alice"}"#)
    }

    @Test mutating func `another site's scripts learn nothing`() async throws {
        try await browser.signIn(as: "alice")
        for headers in [[(HeaderName.secFetchSite, "cross-site")], [(.origin, "https://evil.example")]] {
            let (status, body) = try await ask(headers)
            #expect(status == .forbidden && !body.contains("alice"))
        }
    }
    @Test mutating func `a script that accepts every type gets a refusal of the method as JSON`() async throws {
        let headers: [(HeaderName, String)] = [(.secFetchSite, "same-origin"), (.accept, "*/*")]
        let answer = try await browser.send(.post, "/session", headers: headers)
        #expect(answer.status == .methodNotAllowed)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""error":"method_not_allowed""#))
    }
}
