import HTTP
import Sessions
import TestSupport
import Testing

import struct Foundation.Date

@testable import SignIn

struct RefreshTests {
    private let test: TestSite
    private var browser: TestBrowser
    private let json: [(HeaderName, String)] = [(.accept, "application/json")]

    init() throws {
        test = try TestSite(profileCache: 0)
        browser = TestBrowser(test)
    }

    /// Returns a browser with a session whose access token has expired, with or without a profile fetched before.
    private mutating func plantSession(profile: CachedProfile? = nil) async throws {
        let session = Session.example(
            subject: "alice",
            created: test.clock.now.addingTimeInterval(-3600),
            expires: test.clock.now.addingTimeInterval(86_400),
            tokens: Tokens(accessToken: "old", accessTokenExpires: test.clock.now, refreshToken: "refresh"),
            profile: profile
        )
        browser.plant("__Host-session", try await test.store.create(session, now: test.clock.now).cookieValue)
    }

    private func refuse() {
        test.provider.answer { request in
            guard request.url == ScriptedProvider.tokenEndpoint else { return nil }
            return ScriptedProvider.json(400, #"{"error":"invalid_grant"}"#)
        }
    }

    @Test(arguments: [false, true])
    mutating func `a refused refresh token leads a person to sign-in and tells a script the address`(
        isKnown: Bool
    ) async throws {
        let profile = CachedProfile(content: [UInt8](#"{"subject":"alice"}"#.utf8), fetched: test.clock.now)
        try await plantSession(profile: isKnown ? profile : nil)
        refuse()
        for _ in 0..<2 {
            let page = try await browser.send(.get, "/profile")
            #expect(page.status == .seeOther && page.headers[.location] == "/login?return_to=%2Fprofile")
            let script = try await browser.send(.get, "/profile", headers: json)
            #expect(script.status == .unauthorized)
            #expect(String(decoding: script.body, as: UTF8.self).contains(#""login_url":"https://site.example/login""#))
        }
        #expect(test.provider.requests(to: ScriptedProvider.tokenEndpoint).count == 1, "the refusal is remembered")
        #expect(Set(test.lines.reasons) == ["token-refresh-refused"])
        test.provider.answer { _ in nil }
        try await browser.signIn()
        #expect(try await browser.send(.get, "/profile", headers: json).status == .ok)
    }
}
