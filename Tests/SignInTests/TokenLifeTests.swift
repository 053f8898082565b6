import HTTP
import Sessions
import TestSupport
import Testing

import struct Foundation.Date

@testable import SignIn

/// What happens to a session when its access token ends, is refused or lacks a scope.
struct TokenLifeTests {
    static let day = 86_400.0
    static let json: [(HeaderName, String)] = [(.accept, "application/json")]
    static let profile = CachedProfile(content: [UInt8](#"{"subject":"alice"}"#.utf8), fetched: .testStart)

    let test: TestSite
    var browser: TestBrowser

    init() throws {
        try self.init(settings: [:])
    }

    init(settings: [String: String], files: FileSystem = FileSystem()) throws {
        test = try TestSite(
            sessionLifetime: 90 * 86_400,
            idleLimit: .seconds(90 * 86_400),
            profileCache: 0,
            settings: settings,
            files: files
        )
        browser = TestBrowser(test)
    }

    /// Gives the browser a session of 60 days ago whose token ends now, unless the test passes another one.
    mutating func plant(
        token: String = "token-of-alice",
        expiresIn: Double? = 0,
        refreshToken: String? = nil,
        refreshTokenExpiresIn: Double? = nil,
        scopes: [String] = ["r_basicprofile"],
        profile: CachedProfile? = nil
    ) async throws {
        let now = test.clock.now
        let session = Session.example(
            subject: "alice",
            created: now.addingTimeInterval(-60 * Self.day),
            expires: now.addingTimeInterval(30 * Self.day),
            tokens: Tokens(
                accessToken: token,
                accessTokenExpires: expiresIn.map(now.addingTimeInterval),
                refreshToken: refreshToken,
                refreshTokenExpires: refreshTokenExpiresIn.map(now.addingTimeInterval),
                scopes: scopes,
                issued: now.addingTimeInterval(-60 * Self.day)
            ),
            profile: profile
        )
        try await browser.plant(session)
    }

    func stored() async throws -> Session? {
        let ticket = try #require(Ticket(cookieValue: browser.cookies["__Host-session"] ?? ""))
        return try await test.store.sessions.session(for: ticket, now: test.clock.now)
    }

    /// Answers a refresh with new tokens, or refuses it.
    func answerRefresh(
        _ status: Int = 200,
        _ body: String = #"{"access_token":"token-of-alice","expires_in":5184000}"#
    ) {
        test.provider.answer { request in
            guard String(decoding: request.body, as: UTF8.self).contains("grant_type=refresh_token") else { return nil }
            return ScriptedProvider.json(status, body)
        }
    }

    func refuseAccessToken() {
        test.provider.answer { request in
            request.url == ScriptedProvider.profileEndpoint
                ? ScriptedProvider.json(401, #"{"serviceErrorCode":65601}"#) : nil
        }
    }

    var refreshes: Int { test.provider.requests(to: ScriptedProvider.tokenEndpoint).count }

    mutating func expectSignIn(_ comment: Comment? = nil) async throws {
        let page = try await browser.send(.get, "/profile")
        #expect(page.status == .seeOther && page.headers[.location] == "/login?return_to=%2Fprofile", comment)
        let script = try await browser.send(.get, "/profile", headers: Self.json)
        #expect(script.status == .unauthorized, comment)
        #expect(String(decoding: script.body, as: UTF8.self).contains(#""login_url":"https://site.example/login""#))
    }

    /// Whether the home page has the button that signs out.
    mutating func showsMember() async throws -> Bool {
        String(decoding: try await browser.send(.get, "/").body, as: UTF8.self).contains(#"action="/logout""#)
    }

    mutating func check(_ parameters: [String: String] = ["SIGNIN_REQUIRE": "member"]) async throws -> Status {
        try await browser.send(.get, "/auth", parameters: parameters).status
    }

    // MARK: - The end of a token

    @Test(arguments: [(59.0, true), (60, false), (61, false)])
    mutating func `a session goes on after its token, and only pages that need the token lead through sign-in`(
        day: Double,
        isLive: Bool
    ) async throws {
        try await browser.signIn()
        test.clock.advance(by: day * Self.day)
        #expect(try await check() == .ok)
        if isLive {
            #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
        } else {
            try await expectSignIn()
            try await browser.signIn()
            #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
            #expect(test.lines.reasons == ["token-ended"])
        }
        test.clock.advance(by: 89 * Self.day)
        #expect(try await check() == (isLive ? .unauthorized : .ok), "the new sign-in began a new session")
    }

    @Test mutating func `a token in its last five minutes counts as ended`() async throws {
        try await plant(expiresIn: 301)
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
        test.clock.advance(by: 1)
        try await expectSignIn()
    }

    @Test mutating func `a token that ends at once gets a page after sign-in, and no redirect`() async throws {
        test.provider.answer { request in
            guard request.url == ScriptedProvider.tokenEndpoint else { return nil }
            return ScriptedProvider.json(200, #"{"access_token":"token-of-alice","expires_in":1}"#)
        }
        try await browser.signIn()
        test.clock.advance(by: 2)
        let page = try await browser.send(.get, "/profile")
        #expect(page.status == .badGateway && page.headers[.location] == nil)
        #expect(String(decoding: page.body, as: UTF8.self).contains("/login?return_to=%2Fprofile"))
        test.clock.advance(by: 58)
        try await expectSignIn("after a minute")
    }

    @Test mutating func `an old callback does not send a browser in a circle`() async throws {
        let state = try await browser.startSignIn(returnTo: "/profile")
        for name in browser.cookies.keys { browser.forget(name) }
        try await plant()
        let answer = try await browser.send(.get, "/oauth?code=code-of-alice&state=\(state)")
        #expect(answer.status == .badRequest && answer.headers[.location] == nil)
        let other = try await browser.startSignIn(returnTo: "/private/")
        for name in browser.cookies.keys where name.hasPrefix("__Host-signin") { browser.forget(name) }
        let onward = try await browser.send(.get, "/oauth?code=code-of-alice&state=\(other)")
        #expect(onward.headers[.location] == "/private/", "this page needs no token")
    }

    // MARK: - Refusal

    @Test(arguments: [
        #"{"serviceErrorCode":65600}"#, #"{"serviceErrorCode":65601}"#, #"{"serviceErrorCode":65602}"#, "{}",
    ])
    mutating func `a refused token is removed, and the session goes on`(body: String) async throws {
        try await plant(expiresIn: 50 * Self.day, profile: Self.profile)
        test.provider.answer { request in
            request.url == ScriptedProvider.profileEndpoint ? ScriptedProvider.json(401, body) : nil
        }
        for _ in 0..<2 { try await expectSignIn() }
        #expect(test.provider.requests(to: ScriptedProvider.profileEndpoint).count == 1)
        let session = try #require(try await stored())
        #expect(session.tokens == nil && session.profile == Self.profile)
        #expect(try await check() == .ok)
        #expect(test.lines.names == ["tokens-removed"] && test.lines.reasons == ["resource-token-refused"])
    }

    @Test mutating func `a new token that LinkedIn refuses gets a page, and no redirect`() async throws {
        try await browser.signIn()
        refuseAccessToken()
        let page = try await browser.send(.get, "/profile", headers: Self.json)
        #expect(page.status == .ok, "the profile that the sign-in fetched")
        #expect(try await stored()?.tokens != nil)
    }

    // MARK: - Guarded locations that require a live token

    @Test mutating func `with a live token required, guarded locations lead through sign-in when the token has ended`()
        async throws
    {
        var life = try Self(settings: ["SIGNIN_REQUIRE_LIVE_TOKEN": "yes"])
        try await life.plant(expiresIn: 301)
        #expect(try await life.check() == .ok)
        #expect(try await life.showsMember())
        life.test.clock.advance(by: 1)
        #expect(try await life.check() == .unauthorized)
        #expect(try await !life.showsMember(), "the home page says what /session says")
        let open = try await life.browser.send(.get, "/auth", parameters: ["SIGNIN_REQUIRE": "anyone"])
        #expect(open.status == .ok && open.headers[.xAuthSubject] == nil)
        let session = try await life.browser.send(.get, "/session", headers: Self.json)
        #expect(String(decoding: session.body, as: UTF8.self).contains(#""signed_in":false"#))
        let page = [(HeaderName.accept, "text/html"), (.secFetchMode, "navigate"), (.secFetchDest, "document")]
        let parameters = ["SIGNIN_ACTION": "signin", "SIGNIN_REQUIRE": "member"]
        let answer = try await life.browser.send(.get, "/private/a", headers: page, parameters: parameters)
        let state = try life.browser.state(in: answer)
        let back = try await life.browser.send(.get, "/oauth?code=code-of-alice&state=\(state)")
        #expect(back.headers[.location] == "/private/a")
        #expect(try await life.check() == .ok)
        #expect(life.test.lines.reasons == ["token-ended"])
    }

    @Test(arguments: [(nil, false), (1000, true), (0, false)] as [(Double?, Bool)])
    func `with a live token required, a refresh token that has not expired is enough`(
        refreshTokenExpiresIn: Double?,
        isLive: Bool
    ) async throws {
        var life = try Self(settings: ["SIGNIN_REQUIRE_LIVE_TOKEN": "yes"])
        try await life.plant(
            refreshToken: refreshTokenExpiresIn == nil ? nil : "r1",
            refreshTokenExpiresIn: refreshTokenExpiresIn
        )
        #expect(try await life.check() == (isLive ? .ok : .unauthorized))
        #expect(life.test.provider.requests(to: ScriptedProvider.tokenEndpoint).isEmpty, "the check calls nobody")
    }

    @Test func `with a live token required, a form sent after the token ended is kept and sent after sign-in`()
        async throws
    {
        var visit = FormVisit(try Self(settings: ["SIGNIN_REQUIRE_LIVE_TOKEN": "yes"]).test)
        visit.test.provider.answer { request in
            request.url == TestSite.origin + FormVisit.uri ? ClientResponse(status: 200, body: [1]) : nil
        }
        _ = try await visit.browser.signIn()
        visit.test.clock.advance(by: 60 * Self.day)
        let answer = try await visit.post()
        #expect(answer.status == .seeOther)
        let page = try await visit.signIn(after: answer)
        #expect(page.status == .ok)
        #expect(try await visit.press(page).status == .ok)
        #expect(visit.arrived().map(\.body) == [FormVisit.body])
    }

    @Test func `with a live token required, a token that ends at once does not send a browser in a circle`()
        async throws
    {
        var life = try Self(settings: ["SIGNIN_REQUIRE_LIVE_TOKEN": "yes"])
        life.test.provider.answer { request in
            guard request.url == ScriptedProvider.tokenEndpoint else { return nil }
            return ScriptedProvider.json(200, #"{"access_token":"token-of-alice","expires_in":1}"#)
        }
        try await life.browser.signIn()
        life.test.clock.advance(by: 59)
        #expect(try await life.check() == .ok)
        life.test.clock.advance(by: 1)
        #expect(try await life.check() == .unauthorized)
    }

    // MARK: - Scopes

    @Test func `a session with fewer scopes than the settings name is led through sign-in`() async throws {
        var life = try Self(settings: ["SIGNIN_SCOPES": "r_basicprofile r_more"])
        try await life.plant(expiresIn: 50 * Self.day)
        try await life.expectSignIn()
        #expect(try await life.check() == .ok)
        try await life.browser.signIn()
        #expect(try await life.browser.send(.get, "/profile", headers: Self.json).status == .ok)
        #expect(life.test.lines.reasons == ["scopes-missing"])
    }

    @Test mutating func `a session with more scopes than the settings name goes on`() async throws {
        try await plant(expiresIn: 50 * Self.day, scopes: ["other", "r_basicprofile"])
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
    }

    @Test func `a scope that the provider never grants does not send a browser in a circle`() async throws {
        var life = try Self(settings: ["SIGNIN_SCOPES": "r_basicprofile r_never"])
        life.test.provider.answer { request in
            guard request.url == ScriptedProvider.tokenEndpoint else { return nil }
            return ScriptedProvider.json(200, #"{"access_token":"token-of-alice","scope":"r_basicprofile,r_own"}"#)
        }
        try await life.browser.signIn()
        life.test.clock.advance(by: Self.day)
        #expect(try await life.browser.send(.get, "/profile", headers: Self.json).status == .ok)
        #expect(try await life.stored()?.tokens?.scopes == ["r_basicprofile", "r_never", "r_own"])
    }

    @Test(arguments: [([], true), (["r_basicprofile"], false)] as [([String], Bool)])
    mutating func `a denied profile leads a session of unknown scopes through sign-in`(
        scopes: [String],
        leads: Bool
    ) async throws {
        try await plant(expiresIn: 50 * Self.day, scopes: scopes)
        test.provider.answer { request in
            request.url == ScriptedProvider.profileEndpoint ? ScriptedProvider.json(403, "{}") : nil
        }
        let page = try await browser.send(.get, "/profile")
        #expect(page.status == (leads ? .seeOther : .badGateway))
        #expect(try await browser.send(.get, "/profile").status == .badGateway, "once")
    }
}
