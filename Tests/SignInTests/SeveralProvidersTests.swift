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

    @Test mutating func `a page of another site does not switch a member to another provider`() async throws {
        let state = try await begin(at: "linkedin")
        #expect(try await browser.send(.get, "/oauth?code=code-of-alice&state=\(state)").status == .seeOther)
        let hostile = "/login?provider=hostile&return_to=%2Fhere"
        let asked = try await browser.send(.get, hostile, headers: [(.secFetchSite, "cross-site")])
        #expect(asked.status == .ok && asked.headers[.location] == nil, "the visitor chooses")
        for (address, site) in [
            (hostile, "same-origin"), (hostile, "none"), ("/login?provider=linkedin", "cross-site"),
        ] {
            let answer = try await browser.send(.get, address, headers: [(.secFetchSite, site)])
            #expect(answer.status == .seeOther, "\(address) \(site)")
        }
    }

    @Test func `no redirect address is a return path`() {
        var mount = Mount(origin: TestSite.origin, path: "/account")
        mount.addedProviders = Set(["google"].compactMap(ProviderID.init))
        for path in ["/account/oauth", "/account/oauth/google", "/account//oauth/x/../google?a=b"] {
            #expect(ReturnPath(path)?.isDestination(mount: mount) == false)
        }
        for path in ["/account/oauth/google/more", "/account/oauth/authorize?a=b"] {
            #expect(ReturnPath(path)?.isDestination(mount: mount) == true, "a page of an application")
        }
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
            try await test.store.sessions.session(
                for: try #require(Ticket(cookieValue: tickets[0])),
                now: test.clock.now
            ) == nil
        )
        #expect(try await subject() == "google::alice")
    }

    @Test mutating func `P19 P34: a member who signed in meanwhile at another provider stays another person`()
        async throws
    {
        let state = try await begin(at: "google")
        test.clock.advance(by: 1)
        let other = try await begin(at: "linkedin")
        #expect(try await browser.send(.get, "/oauth?code=code-of-alice&state=\(other)").status == .seeOther)
        let first = try #require(browser.cookies["__Host-session"].flatMap(Ticket.init(cookieValue:)))
        #expect(try await subject() == "alice")
        #expect(try await browser.send(.get, "/oauth/google?code=code-of-alice&state=\(state)").status == .seeOther)
        #expect(try await subject() == "google::alice")
        #expect(try await test.store.sessions.session(for: first, now: test.clock.now) == nil)
    }

    // MARK: - The choice

    private func text(_ response: Response) -> String { String(decoding: response.body, as: UTF8.self) }

    /// The IDs of the providers on a page, in their order.
    private func offers(_ response: Response) -> [String] {
        text(response).split(separator: "/login?provider=").dropFirst().map {
            String($0.prefix { $0 != "&" && $0 != "\"" })
        }
    }

    @Test mutating func `without a provider in the address, the visitor chooses, and the last one is offered first`()
        async throws
    {
        var page = try await browser.send(.get, "/login?return_to=%2Fhere%3Fa%3Db")
        #expect(page.status == .ok && offers(page) == ["linkedin", "google", "hostile"])
        #expect(text(page).contains("/login?provider=google&amp;return_to=%2Fhere%3Fa%3Db\""))
        #expect(browser.cookies.isEmpty)
        let state = try await begin(at: "google")
        _ = try await browser.send(.get, "/oauth/google?code=code-of-alice&state=\(state)")
        #expect(browser.cookies["__Host-provider"] == "google")
        page = try await browser.send(.get, "/login")
        #expect(offers(page) == ["google", "linkedin", "hostile"])
        var stranger = TestBrowser(test)
        stranger.plant("__Host-provider", "hostile")
        #expect(offers(try await stranger.send(.get, "/")) == ["hostile", "linkedin", "google"])
    }

    @Test mutating func `the page of the choice can be shown in another language`() async throws {
        let page = try await browser.send(.get, "/login?return_to=%2Fhere")
        #expect(text(page).contains("/language?tag=de&amp;return_to=%2Flogin%3Freturn_to%3D%252Fhere\""))
        let back = try await browser.send(.get, "/language?tag=de&return_to=/login%3Freturn_to%3D%252Fhere")
        #expect(back.headers[.location] == "/login?return_to=%2Fhere")
        for target in ["/login%3Fprovider%3Dgoogle", "/oauth/google%3Fa"] {
            #expect(try await browser.send(.get, "/language?tag=de&return_to=\(target)").headers[.location] == "/")
        }
        #expect(text(try await browser.send(.get, "/login")).contains("Wählen Sie"))
    }

    @Test mutating func `a guarded location leads to the choice and back`() async throws {
        let guarded = ["SIGNIN_ACTION": "signin", "SIGNIN_REQUIRE": "anyone"]
        let answer = try await browser.send(.get, "/private/?a=b", parameters: guarded)
        #expect(answer.status == .seeOther && answer.headers[.location] == "/login?return_to=%2Fprivate%2F%3Fa%3Db")
        #expect(browser.cookies.isEmpty)
    }

    @Test mutating func `a form that is sent without a session is kept during the choice`() async throws {
        let guarded = ["SIGNIN_ACTION": "signin", "SIGNIN_REQUIRE": "anyone"]
        let headers: [(HeaderName, String)] = [
            (.accept, "text/html"), (.secFetchSite, "same-origin"), (.secFetchMode, "navigate"),
            (.secFetchDest, "document"), (.contentType, "application/x-www-form-urlencoded"),
        ]
        let answer = try await browser.send(
            .post,
            "/private/form",
            headers: headers,
            parameters: guarded,
            body: Array("a=b".utf8)
        )
        let location = try #require(answer.headers[.location])
        #expect(answer.status == .seeOther && location.hasPrefix("/login?return_to=%2Fresume%3Fform%3D"))
        #expect(browser.cookies.count == 1)
        let page = try await browser.send(.get, location)
        #expect(text(page).contains("/login?provider=google&amp;return_to=%2Fresume%3Fform%3D"))
        #expect(text(page).contains("Your form is saved: sign in within ten minutes, and this site sends it."))
        for other in [location + "0", "/login?return_to=%2Fprivate%2Fform"] {
            #expect(!text(try await browser.send(.get, other)).contains("your form"))
        }
        let form = try #require(location.split(separator: "%3D").last)
        let start = try await browser.send(.get, "/login?provider=google&return_to=/resume%3Fform%3D\(form)")
        let end = try await browser.send(.get, "/oauth/google?code=code-of-alice&state=\(try browser.state(in: start))")
        #expect(end.headers[.location] == "/resume?form=\(form)")
        #expect(text(try await browser.send(.get, "/resume?form=\(form)")).contains("/private/form"))
    }

    @Test mutating func `with one provider, there is no choice and no cookie about it`() async throws {
        let test = try TestSite()
        var browser = TestBrowser(test)
        #expect(try await browser.send(.get, "/login").status == .seeOther)
        try await browser.signIn()
        #expect(browser.cookies["__Host-provider"] == nil)
        var other = TestBrowser(test)
        #expect(try await other.send(.get, "/login?provider=linkedin").status == .seeOther)
        #expect(offers(try await other.send(.get, "/")).isEmpty)
    }
}
