import HTTP
import OpenID
import Provider
import Sessions
import TestSupport
import Testing

@testable import Settings
@testable import SignIn

/// Sign-in at a site with several providers, one of which may be hostile.
struct SeveralProvidersTests {
    private let test: TestSite
    private var browser: TestBrowser

    init() throws {
        let ids = ["google", "hostile"].compactMap(ProviderID.init)
        test = try TestSite(others: ids)
        browser = TestBrowser(test)
    }

    private func tokenRequests(to provider: String) -> Int {
        test.provider.requests(to: "https://\(provider).example/token").count
    }

    /// The state of a sign-in at a provider.
    private mutating func begin(at provider: String) async throws -> String {
        let answer = try await browser.send(.get, "/login?provider=\(provider)&return_to=%2Fhere")
        #expect(answer.status == .seeOther)
        return try browser.state(in: answer)
    }

    private mutating func subject() async throws -> String? {
        let answer = try await browser.send(
            .get,
            "/auth",
            parameters: ["SIGNIN_ACTION": "authorize", "SIGNIN_REQUIRE": "anyone"]
        )
        return answer.headers.values(try #require(HeaderName("X-Auth-Subject"))).first
    }

    @Test mutating func `the address of a sign-in names its provider, which has a redirect address of its own`()
        async throws
    {
        let answer = try await browser.send(.get, "/login?provider=google")
        let location = try #require(answer.headers[.location])
        #expect(location.hasPrefix("https://google.example/authorize?"))
        #expect(location.contains("redirect_uri=https%3A%2F%2Fsite.example%2Foauth%2Fgoogle&"))
        let state = try browser.state(in: answer)
        let end = try await browser.send(.get, "/oauth/google?code=code-of-alice&state=\(state)")
        #expect(end.status == .seeOther && tokenRequests(to: "google") == 1 && tokenRequests(to: "provider") == 0)
    }

    @Test(arguments: [
        ("linkedin", "/oauth/hostile"), ("linkedin", "/oauth/google"), ("google", "/oauth/hostile"),
        ("google", "/oauth"), ("hostile", "/oauth"), ("hostile", "/oauth/google"),
    ])
    func `P1 P8: an answer at the redirect address of another provider is rejected before any call`(
        provider: String,
        path: String
    ) async throws {
        var visit = self
        let state = try await visit.begin(at: provider)
        for outcome in ["code=code-of-alice", "error=access_denied"] {
            var copy = visit.browser
            let answer = try await copy.send(.get, "\(path)?\(outcome)&state=\(state)")
            #expect(answer.status == .badRequest)
            #expect(test.lines.reasons.last == "state-provider")
        }
        #expect(["provider", "google", "hostile"].map(tokenRequests) == [0, 0, 0])
    }

    @Test mutating func `P1: a sign-in whose redirect address changed meanwhile is rejected`() async throws {
        let google = try #require(ProviderID("google"))
        for (address, status) in [("/oauth", Status.badRequest), ("/oauth/google", .seeOther)] {
            let attempt = try #require(test.site.providers[google]).client.begin()
            let pending = PendingSignIn(
                attempt: attempt,
                issuer: "https://google.example",
                returnPath: nil,
                started: test.clock.now,
                added: .init(id: google, redirectURI: TestSite.origin + address)
            )
            #expect(PendingSignIn(bytes: pending.bytes) == pending)
            browser.plant(
                "__Host-signin-" + attempt.state.prefix(8),
                try test.keys.seal(pending.bytes, purpose: "signin")
            )
            let answer = try await browser.send(.get, "/oauth/google?code=code-of-alice&state=\(attempt.state)")
            #expect(answer.status == status)
        }
        #expect(test.lines.reasons == ["state-provider"] && tokenRequests(to: "google") == 1)
    }

    @Test(arguments: [
        "/login?provider=other", "/login?provider=", "/login?provider=google&provider=google", "/login?provider=Google",
        "/oauth/other?code=a&state=b", "/oauth/linkedin?code=a&state=b", "/oauth/?code=a&state=b", "/oauth/google/x",
    ])
    func `an unknown provider in an address is not found`(target: String) async throws {
        var browser = browser
        #expect(try await browser.send(.get, target).status == .notFound)
    }

    @Test func `no redirect address is a return path`() {
        let mount = Mount(origin: TestSite.origin, path: "/account")
        for path in ["/account/oauth", "/account/oauth/google", "/account//oauth/x/../google?a=b"] {
            #expect(ReturnPath(path)?.isDestination(mount: mount) == false)
        }
        #expect(ReturnPath("/account/oauth/google/more")?.isDestination(mount: mount) == true)
    }

    @Test mutating func `P19 P34: a member of another provider is another person with a session of its own`()
        async throws
    {
        var tickets: [String] = []
        for (provider, path) in [("linkedin", "/oauth"), ("google", "/oauth/google")] {
            let state = try await begin(at: provider)
            #expect(try await browser.send(.get, "\(path)?code=code-of-alice&state=\(state)").status == .seeOther)
            tickets.append(try #require(browser.cookies["__Host-session"]))
        }
        #expect(tickets[0] != tickets[1])
        #expect(
            try await test.store.session(for: try #require(Ticket(cookieValue: tickets[0])), now: test.clock.now) == nil
        )
        #expect(try await subject() == "google::alice")
    }
}
