import HTTP
import Sessions
import TestSupport
import Testing

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
