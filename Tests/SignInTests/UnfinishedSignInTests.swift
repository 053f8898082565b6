import HTTP
import TestSupport
import Testing

import struct Foundation.Date

@testable import OpenID
@testable import SignIn

struct UnfinishedSignInTests {
    private let test: TestSite
    private var browser: TestBrowser

    init() throws {
        test = try TestSite()
        browser = TestBrowser(test)
    }

    private func failProfiles(with status: Int, _ body: String = "") {
        test.provider.answer { request throws(TransportError) in
            request.url == ScriptedProvider.profileEndpoint ? ScriptedProvider.json(status, body) : nil
        }
    }

    private func succeed() {
        test.provider.answer { _ throws(TransportError) in nil }
    }

    private var exchanges: Int { test.provider.requests(to: ScriptedProvider.tokenEndpoint).count }

    private static let unknownToken = #"{"status":401,"serviceErrorCode":65601}"#

    @Test(arguments: [(401, unknownToken), (503, ""), (408, "")])
    mutating func `trying again after a failed profile call repeats only that call`(
        _ status: Int,
        _ body: String
    )
        async throws
    {
        let state = try await browser.startSignIn(returnTo: "/wanted")
        let callback = "/oauth?code=code-of-alice&state=\(state)"
        let cookies = browser.cookies
        failProfiles(with: status, body)
        for _ in 0..<2 {
            let page = try await browser.send(.get, callback)
            let text = String(decoding: page.body, as: UTF8.self)
            #expect(page.status.code >= 500 && text.contains(#"class="control primary" href="">Try again"#))
            #expect(page.headers.values(.setCookie).isEmpty && browser.cookies == cookies)
        }
        succeed()
        let answer = try await browser.send(.get, callback)
        #expect(answer.status == .seeOther && answer.headers[.location] == "/wanted")
        #expect(exchanges == 1)
        #expect(!test.lines.texts.contains { $0.contains("token-of") || $0.contains("code-of") })
        // The sign-in is complete, so the same address creates no second session.
        let again = try await browser.send(.get, callback)
        #expect(again.status == .seeOther && again.headers.values(.setCookie).isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `tokens are forgotten in time even if nobody else signs in`() async throws {
        let signIns = UnfinishedSignIns(lifetime: .milliseconds(50))
        signIns.add(.init(tokens: TokenResponse(accessToken: "a"), issued: .now), for: "state", now: .now)
        #expect(signIns.count == 1)
        while signIns.count > 0 { await Task.yield() }
    }

    @Test mutating func `another browser cannot complete the sign-in`() async throws {
        let callback = "/oauth?code=code-of-alice&state=\(try await browser.startSignIn())"
        failProfiles(with: 401, Self.unknownToken)
        try await browser.send(.get, callback)
        succeed()
        var other = TestBrowser(test)
        _ = try await other.startSignIn()
        #expect(try await other.send(.get, callback).status == .badRequest)
        #expect(try await browser.send(.get, callback).status == .seeOther)
    }

    @Test mutating func `a sign-in is forgotten after five minutes, and its code is not sent again`() async throws {
        let callback = "/oauth?code=code-of-alice&state=\(try await browser.startSignIn())"
        failProfiles(with: 401, Self.unknownToken)
        try await browser.send(.get, callback)
        succeed()
        test.clock.advance(by: 301)
        #expect(try await browser.send(.get, callback).status == .badRequest)
        #expect(exchanges == 1 && test.lines.reasons.last == "state-used")
    }

    @Test mutating func `a refusal that a retry cannot change ends the sign-in`() async throws {
        let callback = "/oauth?code=code-of-alice&state=\(try await browser.startSignIn())"
        failProfiles(with: 403)
        let page = try await browser.send(.get, callback)
        #expect(page.status == .badGateway && browser.cookies.isEmpty)
        succeed()
        #expect(try await browser.send(.get, callback).status == .badRequest)
    }

    @Test func `the oldest sign-in makes room, and each sign-in is returned once`() throws {
        let signIns = UnfinishedSignIns(limit: 2)
        let now = Date(timeIntervalSince1970: 1_000_000)
        let tokens = TokenResponse(accessToken: "token", expiresIn: nil, refreshToken: nil, idToken: nil)
        for number in 0..<3 {
            let issued = now.addingTimeInterval(Double(number))
            signIns.add(.init(tokens: tokens, issued: issued), for: "state-\(number)", now: issued)
        }
        let later = now.addingTimeInterval(2)
        #expect(signIns.take("state-0", now: later) == nil)
        #expect(signIns.take("state-1", now: later) != nil)
        #expect(signIns.take("state-1", now: later) == nil)
        #expect(signIns.take("state-2", now: now.addingTimeInterval(302)) == nil)
    }
}
