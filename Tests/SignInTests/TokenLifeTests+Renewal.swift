import HTTP
import Sessions
import TestSupport
import Testing

import struct Foundation.Date

@testable import SignIn

/// What happens if there is a refresh token.
extension TokenLifeTests {
    @Test mutating func `a refresh token renews the access token before it ends`() async throws {
        try await plant(expiresIn: 301, refreshToken: "r1", refreshTokenExpiresIn: 1000)
        answerRefresh()
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
        #expect(refreshes == 0)
        test.clock.advance(by: 1)
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
        #expect(refreshes == 1)
        let tokens = try #require(try await stored()?.tokens)
        #expect(tokens.refreshToken == "r1" && tokens.scopes == ["r_basicprofile"] && tokens.issued == test.clock.now)
        #expect(tokens.accessTokenExpires == test.clock.now.addingTimeInterval(5_184_000))
        #expect(tokens.refreshTokenExpires == test.clock.now.addingTimeInterval(999))
        #expect(test.lines.names == ["tokens-renewed"])
    }

    @Test mutating func `a token that cannot be renewed yet is used to its end, and then not`() async throws {
        try await plant(expiresIn: 200, refreshToken: "r1")
        answerRefresh(500, "{}")
        for _ in 0..<2 { #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok) }
        #expect(test.lines.names == ["tokens-not-renewed", "tokens-not-renewed"])
        #expect(test.lines.reasons == ["token-unavailable", "token-unavailable"])
        test.clock.advance(by: 200)
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok, "with what is known")
        #expect(test.lines.names.last == "profile-failed")
        #expect(test.provider.requests(to: ScriptedProvider.profileEndpoint).count == 2)
        answerRefresh()
        test.clock.advance(by: 60)
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
    }

    @Test mutating func `an answer that renews nothing leads through sign-in, and is not asked for again at once`()
        async throws
    {
        try await plant(refreshToken: "r1")
        answerRefresh(200, #"{"expires_in":5184000}"#)
        for _ in 0..<2 { try await expectSignIn() }
        #expect(refreshes == 1)
        #expect(try await stored()?.tokens?.refreshToken == "r1")
        test.clock.advance(by: 60)
        answerRefresh()
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
    }

    @Test mutating func `a rotated refresh token replaces the old one`() async throws {
        try await plant(refreshToken: "r1", refreshTokenExpiresIn: 1000)
        answerRefresh(200, #"{"access_token":"token-of-alice","refresh_token":"r2","refresh_token_expires_in":"2000"}"#)
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
        let tokens = try #require(try await stored()?.tokens)
        #expect(tokens.refreshToken == "r2" && tokens.accessTokenExpires == nil)
        #expect(tokens.refreshTokenExpires == test.clock.now.addingTimeInterval(2000))
    }

    @Test(arguments: [("r1", 1000 as Double?), ("r2", nil)])
    mutating func `only a new refresh token loses the known end of the old one`(
        token: String,
        end: Double?
    ) async throws {
        try await plant(refreshToken: "r1", refreshTokenExpiresIn: 1000)
        answerRefresh(200, #"{"access_token":"token-of-alice","refresh_token":"\#(token)"}"#)
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
        let tokens = try #require(try await stored()?.tokens)
        #expect(tokens.refreshToken == token)
        #expect(tokens.refreshTokenExpires == end.map(test.clock.now.addingTimeInterval))
    }

    @Test mutating func `an expired refresh token is not sent`() async throws {
        try await plant(refreshToken: "r1", refreshTokenExpiresIn: 0)
        try await expectSignIn()
        #expect(refreshes == 0)
    }

    @Test(arguments: [false, true])
    mutating func `P33: a refused refresh token is removed, and the next page leads through sign-in`(
        isKnown: Bool
    ) async throws {
        try await plant(refreshToken: "r1", profile: isKnown ? Self.profile : nil)
        answerRefresh(400, #"{"error":"invalid_request","error_description":"invalid, expired or revoked"}"#)
        for _ in 0..<2 { try await expectSignIn() }
        #expect(refreshes == 1, "the tokens are gone")
        let session = try #require(try await stored())
        #expect(session.tokens == nil && session.profile == (isKnown ? Self.profile : nil))
        #expect(try await check() == .ok, "the session goes on")
        test.provider.answer { _ in nil }
        try await browser.signIn()
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
        #expect(test.lines.names == ["tokens-removed", "sign-in-repeated", "signed-in"])
        #expect(test.lines.reasons == ["token-refresh-refused", "token-missing"])
    }

    @Test(arguments: [
        (403, "<html>"), (400, ""), (400, #"{"error":"server_error"}"#), (400, #"{"error":"temporarily_unavailable"}"#),
        (403, #"{"error":"access_denied"}"#), (400, #"{"error":"invention"}"#), (999, ""), (401, "<html>"),
    ])
    mutating func `P33: an answer that is not a refusal keeps the refresh token, which is tried again later`(
        status: Int,
        body: String
    ) async throws {
        try await plant(refreshToken: "r1", profile: Self.profile)
        answerRefresh(status, body)
        for _ in 0..<2 { _ = try await browser.send(.get, "/profile") }
        #expect(refreshes == 1)
        #expect(try await stored()?.tokens?.refreshToken == "r1")
        #expect(!test.lines.names.contains("tokens-removed"))
        test.clock.advance(by: 60)
        answerRefresh()
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
        #expect(refreshes == 2 && test.lines.names.last == "tokens-renewed")
    }

    @Test mutating func `P31: a refresh whose answer was lost is repeated with the same refresh token`() async throws {
        try await plant(refreshToken: "r1", profile: Self.profile)
        test.provider.answer { request throws(TransportError) in
            guard request.url == ScriptedProvider.tokenEndpoint else { return nil }
            throw TransportError(.timedOut, detail: "")
        }
        for _ in 0..<2 { _ = try await browser.send(.get, "/profile") }
        #expect(refreshes == 1)
        #expect(try await stored()?.tokens?.refreshToken == "r1")
        #expect(try await check() == .ok)
        test.clock.advance(by: 60)
        answerRefresh(200, #"{"access_token":"token-of-alice","refresh_token":"r2","expires_in":5184000}"#)
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
        let requests = test.provider.requests(to: ScriptedProvider.tokenEndpoint)
        #expect(requests.count == 2)
        #expect(requests.allSatisfy { String(decoding: $0.body, as: UTF8.self).contains("refresh_token=r1") })
        #expect(try await stored()?.tokens?.refreshToken == "r2")
    }

    @Test mutating func `a throttled renewal waits as long as the provider says`() async throws {
        try await plant(refreshToken: "r1")
        test.provider.answer { request throws(TransportError) in
            guard request.url == ScriptedProvider.tokenEndpoint else { return nil }
            var response = ScriptedProvider.json(429, "{}")
            try? response.headers.append(.retryAfter, "7200")
            return response
        }
        for _ in 0..<2 {
            let answer = try await browser.send(.get, "/profile")
            #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "7200")
        }
        test.clock.advance(by: 7199)
        #expect(try await browser.send(.get, "/profile").headers[.retryAfter] == "1")
        #expect(refreshes == 1)
        answerRefresh()
        test.clock.advance(by: 1)
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
    }

    @Test mutating func `renewed tokens of another member are removed, and the member is led through sign-in once`()
        async throws
    {
        try await plant(refreshToken: "r1", profile: Self.profile)
        answerRefresh(200, #"{"access_token":"token-of-bob","refresh_token":"r2","expires_in":5184000}"#)
        for _ in 0..<2 { try await expectSignIn() }
        #expect(refreshes == 1)
        let session = try #require(try await stored())
        #expect(session.tokens == nil && session.profile == Self.profile && session.identity.subject == "alice")
        #expect(test.lines.names == ["tokens-renewed", "tokens-removed"] && test.lines.reasons == ["userinfo-subject"])
        test.provider.answer { _ in nil }
        try await browser.signIn()
        let answer = try await browser.send(.get, "/profile", headers: Self.json)
        #expect(answer.status == .ok && String(decoding: answer.body, as: UTF8.self).contains("vanity-alice"))
    }

    @Test mutating func `a token that LinkedIn refuses is renewed for the same page`() async throws {
        try await plant(token: "revoked", expiresIn: 50 * Self.day, refreshToken: "r1")
        answerRefresh()
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
        #expect(refreshes == 1)
        #expect(test.lines.names == ["tokens-renewed"])
    }

    @Test mutating func `a renewed token that LinkedIn does not know yet is kept and tried later`() async throws {
        try await plant(refreshToken: "r1")
        answerRefresh(200, #"{"access_token":"unknown","expires_in":5184000}"#)
        let page = try await browser.send(.get, "/profile")
        #expect(page.status == .badGateway && page.headers[.location] == nil)
        #expect(page.headers[.retryAfter] == "10")
        test.clock.advance(by: 3)
        #expect(try await browser.send(.get, "/profile").headers[.retryAfter] == "7")
        #expect(try await stored()?.tokens?.accessToken == "unknown")
        test.provider.answer { request in
            request.url == ScriptedProvider.profileEndpoint ? ScriptedProvider.json(200, #"{"id":"alice"}"#) : nil
        }
        test.clock.advance(by: 10)
        #expect(try await browser.send(.get, "/profile", headers: Self.json).status == .ok)
        #expect(refreshes == 1)
    }

    @Test mutating func `P30: fifty simultaneous requests renew a token once`() async throws {
        try await plant(refreshToken: "r1")
        answerRefresh()
        let browser = browser
        try await withThrowingTaskGroup(of: Status.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    var tab = browser
                    return try await tab.send(.get, "/profile", headers: Self.json).status
                }
            }
            for try await status in group { #expect(status == .ok) }
        }
        #expect(refreshes == 1)
    }

    @Test func `new tokens that cannot be stored are not used, and the member is led through sign-in`() async throws {
        let faults = Faults()
        var life = try Self(settings: [:], files: FileSystem { faults.number(for: $0) })
        try await life.plant(refreshToken: "r1")
        life.answerRefresh(200, #"{"access_token":"token-of-alice","refresh_token":"r2","expires_in":5184000}"#)
        faults.fail(.write)
        #expect(try await life.browser.send(.get, "/profile", headers: Self.json).status == .serviceUnavailable)
        #expect(life.test.provider.requests(to: ScriptedProvider.profileEndpoint).isEmpty)
        faults.fail(nil)
        life.answerRefresh(400, #"{"error":"invalid_grant"}"#)
        life.test.clock.advance(by: 30)
        try await life.expectSignIn()
        #expect(life.refreshes == 2)
    }
}
