import Testing

import struct Foundation.Date

@testable import OpenID

@Suite struct IDTokenClaimTests {
    private func verify(
        _ changes: [String: String?],
        _ options: ProtocolOptions = .make(),
        accessToken: String? = nil,
        nonce: String? = nil
    ) async throws -> IDToken {
        let key = try SigningKey.rsa()
        let token = try TokenText(claims: changes).signed(by: key)
        return try await OpenIDClient.verify(
            token,
            keys: [key.jwk],
            options: options,
            accessToken: accessToken,
            nonce: nonce
        )
    }

    private func refusal(
        _ changes: [String: String?],
        _ options: ProtocolOptions = .make(),
        accessToken: String? = nil,
        nonce: String? = nil
    ) async throws -> OpenIDError.Code? {
        let key = try SigningKey.rsa()
        return await OpenIDClient.refusal(
            try TokenText(claims: changes).signed(by: key),
            keys: [key.jwk],
            options: options,
            accessToken: accessToken,
            nonce: nonce
        )
    }

    @Test func `LinkedIn's ID token with its zip header and unusual types is accepted`() async throws {
        let expected = IDToken(
            issuer: "https://www.linkedin.com/oauth",
            member: MemberClaims(
                subject: "782bbtaQ-_",
                name: "Zoë 🦊",
                picture: "https://media.example/p?e=1&v=beta",
                email: "zoe@site.example",
                emailVerified: true,
                locale: "en-US"
            ),
            issued: Date(timeIntervalSince1970: 1_799_999_990),
            expires: Date(timeIntervalSince1970: 1_800_003_590)
        )
        let token = try await verify([:])
        #expect(token.issuer == expected.issuer && token.issued == expected.issued && token.expires == expected.expires)
        #expect(token.member.known == expected.member)
    }

    @Test func `any configured issuer is accepted and returned`() async throws {
        #expect(try await verify(["iss": #""https://www.linkedin.com""#]).issuer == "https://www.linkedin.com")
    }

    @Test(
        arguments: [
            #""https://evil.example""#, #""https://www.linkedin.com/""#, #""http://www.linkedin.com""#,
            #""https://WWW.linkedin.com""#, #"["https://www.linkedin.com"]"#, "7", "null", nil,
        ]
    )
    func `an issuer that is not identical to a configured one is rejected`(issuer: String?) async throws {
        #expect(try await refusal(["iss": issuer]) == .idTokenIssuer)
    }

    @Test(
        arguments: [
            (#""https://www.linkedin.com/oauth2""#, "https://www.linkedin.com/oauth2"), ("7", "not a string"),
            (nil, "missing"),
        ] as [(String?, String)]
    )
    func `the operator sees a rejected issuer`(issuer: String?, shown: String) async throws {
        let error = await #expect(throws: OpenIDError.self) { try await verify(["iss": issuer]) }
        #expect(error?.detail == "iss is not an accepted issuer: \(shown)")
    }

    @Test(arguments: [#""client""#, #"["client"]"#, #"["client","client"]"#])
    func `an audience with this client only is accepted`(audience: String) async throws {
        #expect(try await verify(["aud": audience]).member.subject == "782bbtaQ-_")
        #expect(try await verify(["aud": audience, "azp": #""client""#]).member.subject == "782bbtaQ-_")
    }

    @Test(
        arguments: [
            nil, #""other""#, #""client2""#, #""clien""#, #""Client""#, #"["other"]"#, "[]", "7", "null", "{}",
            #"["client","other"]"#, #"["client",7]"#, #"[["client"]]"#, #""client other""#,
        ]
    )
    func `a missing, foreign or additional audience is rejected`(audience: String?) async throws {
        #expect(try await refusal(["aud": audience]) == .idTokenAudience)
    }

    @Test func `several audiences are accepted only if the authorized party is this client`() async throws {
        #expect(try await verify(["aud": #"["client","other"]"#, "azp": #""client""#]).member.subject == "782bbtaQ-_")
        #expect(try await refusal(["aud": #"["client","other"]"#, "azp": #""other""#]) == .idTokenAudience)
        #expect(try await refusal(["aud": #"["other"]"#, "azp": #""client""#]) == .idTokenAudience)
        #expect(try await refusal(["aud": #"["client",7]"#, "azp": #""client""#]) == .idTokenAudience)
    }

    @Test(arguments: [#""other""#, "7", "null", #"["client"]"#])
    func `an authorized party other than this client is rejected`(party: String) async throws {
        #expect(try await refusal(["azp": party]) == .idTokenAudience)
    }

    @Test(arguments: [nil, #""""#, "null", "7", #"["a"]"#, #""a\u0000b""#, #""a\u001fb""#, #""é""#, #""a\u007f""#])
    func `a subject that is missing or not printable ASCII is rejected`(subject: String?) async throws {
        #expect(try await refusal(["sub": subject]) == .idTokenSubject)
    }

    @Test func `a subject longer than 255 characters is rejected`() async throws {
        let longest = String(repeating: "s", count: 255)
        #expect(try await verify(["sub": #""\#(longest)""#]).member.subject == longest)
        #expect(try await refusal(["sub": #""\#(longest)s""#]) == .idTokenSubject)
    }

    @Test func `the nonce must be the nonce that was sent, if the provider uses one`() async throws {
        let provider = ProtocolOptions.make(usesNonce: true)
        #expect(try await verify(["nonce": #""n""#], provider, nonce: "n").member.subject == "782bbtaQ-_")
        for nonce in [nil, #""m""#, #""""#, #""nn""#, "7", "null"] {
            #expect(try await refusal(["nonce": nonce], provider, nonce: "n") == .idTokenNonce)
        }
        #expect(try await refusal(["nonce": #""n""#], provider, nonce: nil) == .idTokenNonce)
    }

    @Test func `a provider without nonces need not return one`() async throws {
        #expect(try await verify([:], nonce: "n").member.subject == "782bbtaQ-_")
    }

    @Test func `at_hash must match the access token if it is present`() async throws {
        // The example of OpenID Connect Core, appendix A.3.
        let accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
        let hash = #""77QmUPtjPfzWtF2AnpK9RQ""#
        #expect(try await verify(["at_hash": hash], accessToken: accessToken).member.subject == "782bbtaQ-_")
        for wrong in [#""77QmUPtjPfzWtF2AnpK9RR""#, #""""#, "7", "null"] {
            #expect(try await refusal(["at_hash": wrong], accessToken: accessToken) == .idTokenHash)
        }
        #expect(try await refusal(["at_hash": hash], accessToken: "other") == .idTokenHash)
    }

    @Test(
        arguments: [
            ("true", true), (#""true""#, true), ("false", false), (#""false""#, false), (#""TRUE""#, false),
            ("1", false), (#""1""#, false), ("null", false), ("[true]", false), (nil, false),
        ] as [(String?, Bool)]
    )
    func `email_verified counts only as true or "true"`(
        claim: String?,
        expected: Bool
    ) async throws {
        #expect(try await verify(["email_verified": claim]).member.emailVerified == expected)
    }

    @Test(
        arguments: [
            (#""en_US""#, "en-US"), (#""en-US""#, "en-US"), (#""zh""#, "zh"), (#""es-419""#, "es-419"),
            (#"{"country":"US","language":"en"}"#, "en-US"), (#"{"language":"zh"}"#, "zh"),
            (#"{"country":"US"}"#, nil), (#"{"country":7,"language":"en"}"#, "en"), (#"{"language":["en"]}"#, nil),
            ("7", nil), (#""<b>""#, nil), (#""""#, nil), (#""en\u0000""#, nil), ("[]", nil), (nil, nil),
            (#""\#(String(repeating: "a", count: 36))""#, nil),
        ] as [(String?, String?)]
    )
    func `a locale is read as a language tag from a string or an object`(claim: String?, expected: String?) async throws
    {
        #expect(try await verify(["locale": claim]).member.locale == expected)
    }

    @Test(
        arguments: [
            "null", "7", "true", "[]", "{}", #""""#, #""a\u0000b""#, #""a\r\nb""#, #""a\u0085b""#,
            #""\#(String(repeating: "a", count: 2100))""#, nil,
        ]
    )
    func `a text claim that has the wrong type, control characters or too many bytes counts as missing`(
        claim: String?
    ) async throws {
        let names = ["name", "picture", "email"]
        let member = try await verify(Dictionary(uniqueKeysWithValues: names.map { ($0, claim) })).member
        let texts = [member.name, member.picture, member.email]
        #expect(texts.allSatisfy { $0 == nil })
        #expect(member.subject == "782bbtaQ-_")
    }
}

/// The current time is 1,800,000,000 and the leeway is 60 seconds.
@Suite struct IDTokenTimeTests {
    private func refusal(_ changes: [String: String?], leeway: Int = 60) async throws -> OpenIDError.Code? {
        let key = try SigningKey.rsa()
        return await OpenIDClient.refusal(
            try TokenText(claims: changes).signed(by: key),
            keys: [key.jwk],
            options: .make(clockLeeway: leeway)
        )
    }

    @Test(
        arguments: [
            ("1800000001", nil), ("1799999999", nil), ("1799999940.5", nil), ("1799999940", .idTokenExpired),
            ("1799999939", .idTokenExpired), ("1.8000035e9", nil), ("0", .idTokenExpired), ("-1", .idTokenTime),
            ("1e300", .idTokenTime), ("9223372036854775808", .idTokenTime), ("-1e300", .idTokenTime),
            (#""1800003590""#, .idTokenTime), ("null", .idTokenTime), ("[]", .idTokenTime), (nil, .idTokenTime),
        ] as [(String?, OpenIDError.Code?)]
    )
    func `an ID token is accepted until exp plus the leeway`(
        expiry: String?,
        expected: OpenIDError.Code?
    ) async throws {
        #expect(try await refusal(["exp": expiry]) == expected)
    }

    @Test(
        arguments: [
            ("1800000000", nil), ("1800000060", nil), ("1800000061", .idTokenFuture), ("1800086400", .idTokenFuture),
            ("1799999000.25", nil), ("1799996340", nil), ("1799996339", .idTokenTime), ("1799400000", .idTokenTime),
            ("1e300", .idTokenTime), ("-1", .idTokenTime), (#""1800000000""#, .idTokenTime), ("null", .idTokenTime),
            (nil, .idTokenTime),
        ] as [(String?, OpenIDError.Code?)]
    )
    func `an ID token must have been issued within the last hour`(
        issued: String?,
        expected: OpenIDError.Code?
    ) async throws {
        #expect(try await refusal(["iat": issued]) == expected)
    }

    @Test(
        arguments: [
            ("1799990000", nil), ("1800000060", nil), ("1800000061", .idTokenFuture), (#""1""#, .idTokenTime),
            ("1e300", .idTokenTime), ("null", .idTokenTime), (nil, nil),
        ] as [(String?, OpenIDError.Code?)]
    )
    func `an ID token is rejected before nbf`(begins: String?, expected: OpenIDError.Code?) async throws {
        #expect(try await refusal(["nbf": begins]) == expected)
    }

    @Test(arguments: [("iat", "1800003600"), ("nbf", "1800003600"), ("iat", "1800003599.6")])
    func `an ID token from the future reports how far this machine's clock is behind`(
        claim: String,
        time: String
    ) async throws {
        let key = try SigningKey.rsa()
        let token = try TokenText(claims: ["exp": "1800007200", claim: time]).signed(by: key)
        let error = await #expect(throws: OpenIDError.self) {
            try await OpenIDClient.verify(token, keys: [key.jwk], options: .make(clockLeeway: 60))
        }
        #expect(error?.code == .idTokenFuture)
        #expect(error?.clockSkew == 3600)
        #expect(error?.detail == "\(claim) is 3600 seconds ahead of this machine's clock")
    }

    @Test func `the leeway is between 0 and 5 minutes`() async throws {
        #expect(ProtocolOptions.make(clockLeeway: 10_000).clockLeeway == 300)
        #expect(ProtocolOptions.make(clockLeeway: -5).clockLeeway == 0)
        var provider = ProtocolOptions.make()
        provider.clockLeeway = 301
        #expect(provider.clockLeeway == 300)
        #expect(try await refusal(["exp": "1799999701"], leeway: 10_000) == nil)
        #expect(try await refusal(["exp": "1799999700"], leeway: 10_000) == .idTokenExpired)
        #expect(try await refusal(["exp": "1800000000"], leeway: 0) == .idTokenExpired)
    }
}
