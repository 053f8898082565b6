import HTTP
import Sessions
import TestSupport
import Testing

import struct Foundation.Date

@testable import SignIn

/// Tokens are revoked at the provider only after the session has ended here.
struct RevocationTests {
    private static let endpoint = "https://provider.example/revoke"
    private let faults = Faults()
    private let test: TestSite

    init() throws {
        let faults = faults
        test = try TestSite(
            settings: ["SIGNIN_REVOCATION_ENDPOINT": Self.endpoint],
            files: FileSystem { faults.number(for: $0) }
        )
        test.provider.answer { $0.url == Self.endpoint ? ClientResponse(status: 200) : nil }
    }

    private func signOut() async throws -> Response {
        var browser = TestBrowser(test)
        try await browser.signIn()
        return try await browser.send(.post, "/logout", headers: [(.secFetchSite, "same-origin")])
    }

    @Test(.timeLimit(.minutes(1))) func `the token of a session that ended is revoked`() async throws {
        #expect(try await signOut().status == .seeOther)
        while !test.lines.texts.contains(where: { $0.contains("tokens-revoked") }) { await Task.yield() }
        let bodies = test.provider.requests(to: Self.endpoint).map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies == ["token=token-of-alice&client_id=client&client_secret=canary-secret"])
        #expect(!test.lines.texts.contains { $0.contains("token-of") })
    }

    /// The fields of the lines about an event, as soon as there are this many.
    private func lines(of event: String, atLeast count: Int = 1) async -> [String] {
        while true {
            let lines = test.lines.texts.filter { $0.contains("event=\(event) ") }
            if lines.count >= count { return lines }
            await Task.yield()
        }
    }

    private func member(_ name: String = "alice", refreshToken: String? = nil) async throws -> TestBrowser {
        let tokens = Tokens(accessToken: "token-of-\(name)", refreshToken: refreshToken, scopes: ["r_basicprofile"])
        let now = test.clock.now
        var browser = TestBrowser(test)
        try await browser.plant(
            .example(subject: name, created: now, expires: now.addingTimeInterval(3600), tokens: tokens)
        )
        return browser
    }

    @Test(.timeLimit(.minutes(1))) func `a token is revoked also if the revocation of another one failed`() async throws
    {
        test.provider.answer { request in
            guard request.url == Self.endpoint else { return nil }
            let isRefreshToken = String(decoding: request.body, as: UTF8.self).contains("token=r1")
            return ClientResponse(status: isRefreshToken ? 503 : 200)
        }
        var browser = try await member(refreshToken: "r1")
        _ = try await browser.send(.post, "/logout", headers: [(.secFetchSite, "same-origin")])
        let failed = await lines(of: "tokens-not-revoked")
        #expect(failed.count == 1 && failed[0].contains("reason=token-unavailable") && failed[0].contains("tokens=1"))
        let done = await lines(of: "tokens-revoked")
        #expect(done.count == 1 && done[0].contains("tokens=1"))
        #expect(test.provider.requests(to: Self.endpoint).count == 2)
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["/logout", "/forget"])
    func `the tokens of other browsers are counted, because only their cookies open them`(path: String) async throws {
        var browsers: [TestBrowser] = []
        for _ in 0..<3 { browsers.append(try await member()) }
        let body = [UInt8]("everywhere=yes".utf8)
        _ = try await browsers[0].send(.post, path, headers: [(.secFetchSite, "same-origin")], body: body)
        let sealed = await lines(of: "tokens-not-revoked")
        #expect(sealed.count == 1 && sealed[0].contains("reason=tokens-sealed") && sealed[0].contains("sessions=2"))
        #expect(await lines(of: "tokens-revoked").count == 1)
        #expect(test.provider.requests(to: Self.endpoint).count == 1)
    }

    @Test func `the tokens of a session that the store could not end are not revoked`() async throws {
        var browser = TestBrowser(test)
        try await browser.signIn()
        faults.fail(.unlink)
        let own: [(HeaderName, String)] = [(.secFetchSite, "same-origin")]
        #expect(try await browser.send(.post, "/forget", headers: own).status == .serviceUnavailable)
        #expect(try await browser.send(.post, "/logout", headers: own).status == .serviceUnavailable)
        for _ in 0..<1_000 { await Task.yield() }
        #expect(test.provider.requests(to: Self.endpoint).isEmpty)
        #expect(!test.lines.texts.contains { $0.contains("revoked") })
    }
}
