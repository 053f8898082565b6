import HTTP
import Provider
import Sessions
import TestSupport
import Testing

import struct Foundation.Date

@testable import SignIn

/// The provider of a session is found by its ID.
struct ProvidersTests {
    private static let endpoint = "https://provider.example/revoke"

    /// A site, and the browser of a member whose session names a provider.
    private func member(of provider: String) async throws -> (TestSite, TestBrowser) {
        let test = try TestSite(settings: ["SIGNIN_REVOCATION_ENDPOINT": Self.endpoint])
        test.provider.answer { $0.url == Self.endpoint ? ClientResponse(status: 200) : nil }
        let tokens = Tokens(accessToken: "token-of-alice", scopes: ["r_basicprofile"])
        let (id, now) = (try #require(ProviderID(provider)), test.clock.now)
        var browser = TestBrowser(test)
        try await browser.plant(
            .example(
                provider: id,
                subject: "alice",
                created: now,
                expires: now.addingTimeInterval(3600),
                tokens: tokens,
                profile: nil
            )
        )
        return (test, browser)
    }

    @Test(arguments: [("linkedin", Status.ok, 1), ("other", .unauthorized, 0)])
    func `only the provider of a session receives its token for a profile`(
        provider: String,
        status: Status,
        calls: Int
    ) async throws {
        let (test, planted) = try await member(of: provider)
        var browser = planted
        #expect(try await browser.send(.get, "/profile", headers: [(.accept, "application/json")]).status == status)
        #expect(test.provider.requests(to: ScriptedProvider.profileEndpoint).count == calls)
    }

    @Test(.timeLimit(.minutes(1))) func `only the provider of a session revokes its token`() async throws {
        let own: [(HeaderName, String)] = [(.secFetchSite, "same-origin")]
        let (other, stranger) = try await member(of: "other")
        var browser = stranger
        #expect(try await browser.send(.post, "/logout", headers: own).status == .seeOther)
        let (test, member) = try await member(of: "linkedin")
        browser = member
        #expect(try await browser.send(.post, "/logout", headers: own).status == .seeOther)
        while test.provider.requests(to: Self.endpoint).isEmpty { await Task.yield() }
        #expect(other.provider.requests(to: Self.endpoint).isEmpty)
    }

    @Test(arguments: [("other", "https://other.example/logout"), ("removed", "https://www.linkedin.com/m/logout/")])
    func `the page after the sign-out links to the sign-out page of the last provider`(
        last: String,
        link: String
    ) async throws {
        let other = try #require(ProviderID("other"))
        var browser = TestBrowser(try TestSite(others: [other]))
        browser.plant("__Host-provider", last)
        let page = try await browser.send(.get, "/logout")
        #expect(String(decoding: page.body, as: UTF8.self).contains("href=\"\(link)\""))
    }
}
