import Foundation
import HTTP
import Provider
import TestSupport
import Testing

@testable import SignIn

struct BusySignInTests {
    private let test: TestSite
    private var browser: TestBrowser

    init() throws {
        test = try TestSite(profileCache: 60, concurrentCalls: 1)
        browser = TestBrowser(test)
    }

    private var marks: [String] {
        get throws {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: test.directory.path("state/spent"))
            return paths.filter { $0.contains("/") }
        }
    }

    /// Takes the only call until `body` returns.
    private func whileBusy(_ body: () async throws -> Void) async throws {
        let (begun, ending) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let calls = test.site.providers.first.calls
        let client = ClientAddress(browser.address)
        let (begin, end) = (begun.continuation, ending.stream)
        let other = Task {
            try await calls.run(for: client) {
                begin.yield()
                for await _ in end { break }
            }
        }
        for await _ in begun.stream { break }
        try await body()
        ending.continuation.yield()
        try await other.value
    }

    @Test mutating func `after the busy page, the same address signs in, because the code is unused`() async throws {
        let state = try await browser.startSignIn(returnTo: "/wanted")
        let callback = "/oauth?code=code-of-alice&state=\(state)"
        let cookies = browser.cookies
        var visitor = browser
        try await whileBusy {
            for _ in 0..<3 {
                let page = try await visitor.send(.get, callback)
                let text = String(decoding: page.body, as: UTF8.self)
                #expect(page.status == .serviceUnavailable && page.headers[.retryAfter] == "5")
                #expect(text.contains(#"class="control primary" href="">Try again"#) && !text.contains("code-of-alice"))
                #expect(page.headers.values(.setCookie).isEmpty && visitor.cookies == cookies)
            }
            #expect(try marks.isEmpty)
            #expect(test.provider.requests(to: ScriptedProvider.tokenEndpoint).isEmpty)
        }
        let answer = try await visitor.send(.get, callback)
        #expect(answer.status == .seeOther && answer.headers[.location] == "/wanted")
        #expect(test.lines.reasons == ["upstream-busy", "upstream-busy", "upstream-busy"])
    }

    @Test mutating func `a profile waits for a free call, and the profile fetched before is shown instead`()
        async throws
    {
        try await browser.signIn()
        test.clock.advance(by: 120)
        let script: [(HeaderName, String)] = [(.accept, "application/json")]
        var member = browser
        try await whileBusy {
            let profile = try await member.send(.get, "/profile", headers: script)
            #expect(profile.status == .ok)
            #expect(test.lines.texts.contains { $0.contains("event=profile-refused") && $0.contains("upstream-busy") })
        }
        let calls = test.provider.requests(to: ScriptedProvider.profileEndpoint).count
        #expect(try await member.send(.get, "/profile", headers: script).status == .ok)
        #expect(test.provider.requests(to: ScriptedProvider.profileEndpoint).count == calls + 1, "nothing is held back")
    }

    @Test mutating func `a sign-in that the provider refused leaves no mark and deletes its cookie`() async throws {
        let state = try await browser.startSignIn()
        let copy = browser
        let refused = "/oauth?error=user_cancelled_login&state=\(state)"
        #expect(try await browser.send(.get, refused).status == .forbidden)
        #expect(browser.cookies.isEmpty)
        #expect(try marks.isEmpty)
        // A copy of the cookie still allows one code, but not two.
        for status in [Status.seeOther, .badRequest] {
            var other = copy
            #expect(try await other.send(.get, "/oauth?code=code-of-alice&state=\(state)").status == status)
        }
        #expect(try marks.count == 1)
    }
}
