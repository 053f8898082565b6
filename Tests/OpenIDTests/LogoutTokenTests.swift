import HTTP
import Testing

import struct Foundation.Date

@testable import OpenID

/// The current time is 1,800,000,000 and the leeway is 60 seconds.
struct LogoutTokenTests {
    private static let event = #""http://schemas.openid.net/event/backchannel-logout""#
    /// What changes LinkedIn's ID token into a logout token.
    private static let claims: [String: String?] = [
        "events": "{\(event):{}}", "jti": #""one""#, "sid": #""session""#, "exp": "1800000110",
    ]

    private func text(_ changes: [String: String?], header: [String: String?] = [:]) -> TokenText {
        TokenText(header: header, claims: Self.claims.merging(changes) { $1 })
    }

    private func verify(
        _ token: String,
        keys: [String],
        _ options: ProtocolOptions = .make()
    ) async throws(OpenIDError) -> LogoutToken {
        guard let peer = try? KeySetPeer(keys) else { throw OpenIDError(.keysUnavailable) }
        return try await OpenIDClient.make(options: options, transport: peer.transport).verify(logoutToken: token)
    }

    private func verify(_ changes: [String: String?], header: [String: String?] = [:]) async throws -> LogoutToken {
        let key = try SigningKey.rsa()
        return try await verify(text(changes, header: header).signed(by: key), keys: [key.jwk])
    }

    private func refusal(_ changes: [String: String?]) async throws -> OpenIDError.Code? {
        let key = try SigningKey.rsa()
        return await refusal(try text(changes).signed(by: key), keys: [key.jwk])
    }

    private func refusal(
        _ token: String,
        keys: [String],
        _ options: ProtocolOptions = .make()
    ) async -> OpenIDError.Code? {
        await code { () throws(OpenIDError) in _ = try await verify(token, keys: keys, options) }
    }

    private func code(of token: String, _ client: OpenIDClient) async -> OpenIDError.Code? {
        await code { () throws(OpenIDError) in _ = try await client.verify(logoutToken: token) }
    }

    private func code(_ work: () async throws(OpenIDError) -> Void) async -> OpenIDError.Code? {
        do throws(OpenIDError) {
            try await work()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a logout token names a member, a session of the provider, or both`() async throws {
        let both = LogoutToken(
            issuer: "https://www.linkedin.com/oauth",
            subject: "782bbtaQ-_",
            session: "session",
            id: "one",
            ends: Date(timeIntervalSince1970: 1_800_000_170)
        )
        #expect(try await verify([:]) == both)
        #expect(try await verify(["sid": nil]).session == nil)
        #expect(try await verify(["sub": nil]).subject == nil)
        for type in [nil, #""JWT""#, #""logout+jwt""#, #""Logout+JWT""#] as [String?] {
            #expect(try await verify([:], header: ["typ": type]) == both)
        }
        #expect(try await verify(["exp": "1900000000"]).ends == Date(timeIntervalSince1970: 1_800_003_650))
    }

    @Test(
        arguments: [
            ("events", nil), ("events", "{}"), ("events", "[\(event)]"), ("events", event),
            ("events", "{\(event):true}"), ("events", "{\(event):null}"),
            ("events", #"{"http://schemas.openid.net/event/other":{}}"#),
            ("nonce", #""n""#), ("nonce", "null"), ("jti", nil), ("jti", #""""#), ("jti", "7"),
            ("sid", "7"), ("sid", #""""#), ("sid", "null"), ("sub", "7"), ("sub", #""""#), ("sub", "null"),
        ] as [(String, String?)]
    )
    func `a token without the event, with a nonce or with a wrong ID is rejected`(
        claim: String,
        value: String?
    ) async throws {
        #expect(try await refusal([claim: value]) == .logoutTokenMalformed)
    }

    @Test func `a token that names neither a member nor a session is rejected`() async throws {
        #expect(try await refusal(["sub": nil, "sid": nil]) == .logoutTokenMalformed)
    }

    @Test(
        arguments: [
            ("iss", #""https://evil.example""#, .idTokenIssuer), ("iss", nil, .idTokenIssuer),
            ("aud", #""other""#, .idTokenAudience), ("aud", nil, .idTokenAudience),
            ("aud", #"["client","other"]"#, .idTokenAudience), ("exp", "1799999939", .idTokenExpired),
            ("exp", nil, .idTokenTime), ("iat", "1799996339", .idTokenTime), ("iat", nil, .idTokenTime),
            ("iat", "1800000061", .idTokenFuture),
        ] as [(String, String?, OpenIDError.Code)]
    )
    func `issuer, audience and times are checked as in an ID token`(
        claim: String,
        value: String?,
        code: OpenIDError.Code
    ) async throws {
        #expect(try await refusal([claim: value]) == code)
    }

    @Test func `a logout token with a forged signature is rejected`() async throws {
        let (key, token) = (try SigningKey.rsa(), text([:]))
        let forged = try text([:]).signed(by: SigningKey.rsa(number: 1))
        #expect(await refusal(forged, keys: [key.jwk]) == .idTokenSignature)
        let all = ProtocolOptions.make(idTokenAlgorithms: SigningAlgorithm.allCases)
        for algorithm in [#""none""#, #""HS256""#] {
            let token = text([:], header: ["alg": algorithm, "zip": nil])
            let signed = try token.signed(by: SigningKey.secret(key.jwk))
            for forgery in [signed, token.signingInput + "."] {
                #expect(await refusal(forgery, keys: [key.jwk], all) == .idTokenAlgorithm)
            }
        }
        #expect(await refusal(try token.signed(by: .elliptic()), keys: [key.jwk], all) == .idTokenSignature)
        let unlisted = text([:], header: ["alg": #""ES256""#, "zip": nil])
        #expect(await refusal(try unlisted.signed(by: .elliptic()), keys: [key.jwk]) == .idTokenAlgorithm)
        let long = text(["more": "\"\(String(repeating: "a", count: SignedToken.sizeLimit))\""])
        #expect(await refusal(try long.signed(by: key), keys: [key.jwk]) == .idTokenMalformed)
    }

    @Test func `an ID token is not a logout token, and a logout token is not an ID token`() async throws {
        let key = try SigningKey.rsa()
        #expect(await refusal(try TokenText().signed(by: key), keys: [key.jwk]) == .logoutTokenMalformed)
        for type in [nil, #""JWT""#, #""logout+jwt""#] as [String?] {
            let token = try text([:], header: ["typ": type]).signed(by: key)
            #expect(await OpenIDClient.refusal(token, keys: [key.jwk]) == .idTokenMalformed)
        }
    }

    @Test func `without keys, logout tokens ask for keys once a minute, and ID tokens each time`() async throws {
        let key = try SigningKey.rsa()
        let peer = try KeySetPeer(key)
        peer.fail(TransportError(.unreachable))
        let transport = peer.transport
        let client = OpenIDClient.make(transport: transport)
        let token = try text([:]).signed(by: key)
        for _ in 0..<3 {
            #expect(await code(of: token, client) == .keysUnavailable)
        }
        #expect(transport.sent.count == 1)
        for _ in 0..<2 {
            let refusal = await code { () throws(OpenIDError) in
                _ = try await client.verify(idToken: token, accessToken: nil, nonce: nil)
            }
            #expect(refusal == .keysUnavailable)
        }
        #expect(transport.sent.count == 3)
    }

    @Test func `forged logout tokens do not delay the next keys of sign-ins`() async throws {
        let (old, new) = (try SigningKey.rsa(), try SigningKey.rsa("second", number: 1))
        let peer = try KeySetPeer(old)
        let transport = peer.transport
        let client = OpenIDClient.make(transport: transport)
        // A provider sends its token again after the second error, but not after the first one.
        for code in [.idTokenKey, .keysUnavailable, .keysUnavailable] as [OpenIDError.Code] {
            let forged = try text([:], header: ["kid": #""second""#]).signed(by: new)
            #expect(await self.code(of: forged, client) == code)
        }
        // The first keys, and one fetch for all three tokens.
        #expect(transport.sent.count == 2)
        try peer.publish([new.jwk])
        let token = try TokenText(header: ["kid": #""second""#]).signed(by: new)
        #expect(try await client.verify(idToken: token, accessToken: nil, nonce: nil).member.subject == "782bbtaQ-_")
    }
}
