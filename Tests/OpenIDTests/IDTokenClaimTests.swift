import OpenID
import Testing

import struct Foundation.Date

@Suite struct IDTokenClaimTests {
    private func verify(
        _ changes: [String: String?],
        _ provider: Provider = .make(),
        accessToken: String? = nil,
        nonce: String? = nil
    ) async throws -> IDToken {
        let key = try await SigningKey.rsa()
        let token = try TokenText(claims: changes).signed(by: key)
        return try await OpenIDClient.verify(
            token,
            keys: [key.jwk],
            provider: provider,
            accessToken: accessToken,
            nonce: nonce
        )
    }

    private func refusal(
        _ changes: [String: String?],
        _ provider: Provider = .make(),
        accessToken: String? = nil,
        nonce: String? = nil
    ) async throws -> OpenIDError.Code? {
        let key = try await SigningKey.rsa()
        return await OpenIDClient.refusal(
            try TokenText(claims: changes).signed(by: key),
            keys: [key.jwk],
            provider: provider,
            accessToken: accessToken,
            nonce: nonce
        )
    }

    @Test func `LinkedIn's token with its stray zip and its odd types is believed`() async throws {
        let expected = IDToken(
            issuer: "https://www.linkedin.com/oauth",
            member: MemberClaims(
                subject: "782bbtaQ-_",
                name: "Zoë 🦊",
                givenName: "Zoë",
                familyName: "🦊",
                picture: "https://media.example/p?e=1&v=beta",
                email: "zoe@site.example",
                emailVerified: true,
                locale: "en-US"
            ),
            issued: Date(timeIntervalSince1970: 1_799_999_990),
            expires: Date(timeIntervalSince1970: 1_800_003_590)
        )
        #expect(try await verify([:]) == expected)
    }

    @Test func `any issuer of the provider's list is accepted and told`() async throws {
        #expect(try await verify(["iss": #""https://www.linkedin.com""#]).issuer == "https://www.linkedin.com")
    }

    @Test(
        arguments: [
            #""https://evil.example""#, #""https://www.linkedin.com/""#, #""http://www.linkedin.com""#,
            #""https://WWW.linkedin.com""#, #"["https://www.linkedin.com"]"#, "7", "null", nil,
        ]
    )
    func `an issuer that is not identical to a configured one is refused`(issuer: String?) async throws {
        #expect(try await refusal(["iss": issuer]) == .idTokenIssuer)
    }

    @Test(
        arguments: [
            (#""https://www.linkedin.com/oauth2""#, "https://www.linkedin.com/oauth2"), ("7", "not a string"),
            (nil, "missing"),
        ] as [(String?, String)]
    )
    func `the issuer that is not accepted is named to the operator`(issuer: String?, shown: String) async throws {
        let error = await #expect(throws: OpenIDError.self) { try await verify(["iss": issuer]) }
        #expect(error?.detail == "iss is not an accepted issuer: \(shown)")
    }

    @Test(arguments: [#""client""#, #"["client"]"#, #"["client","client"]"#])
    func `an audience of this client alone is accepted`(audience: String) async throws {
        #expect(try await verify(["aud": audience]).member.subject == "782bbtaQ-_")
        #expect(try await verify(["aud": audience, "azp": #""client""#]).member.subject == "782bbtaQ-_")
    }

    @Test(
        arguments: [
            nil, #""other""#, #""client2""#, #""clien""#, #""Client""#, #"["other"]"#, "[]", "7", "null", "{}",
            #"["client","other"]"#, #"["client",7]"#, #"[["client"]]"#, #""client other""#,
        ]
    )
    func `a missing, foreign or additional audience is refused`(audience: String?) async throws {
        #expect(try await refusal(["aud": audience]) == .idTokenAudience)
    }

    @Test func `several audiences are accepted only if the authorized party is this client`() async throws {
        #expect(try await verify(["aud": #"["client","other"]"#, "azp": #""client""#]).member.subject == "782bbtaQ-_")
        #expect(try await refusal(["aud": #"["client","other"]"#, "azp": #""other""#]) == .idTokenAudience)
        #expect(try await refusal(["aud": #"["other"]"#, "azp": #""client""#]) == .idTokenAudience)
        #expect(try await refusal(["aud": #"["client",7]"#, "azp": #""client""#]) == .idTokenAudience)
    }

    @Test(arguments: [#""other""#, "7", "null", #"["client"]"#])
    func `an authorized party other than this client is refused`(party: String) async throws {
        #expect(try await refusal(["azp": party]) == .idTokenAudience)
    }

    @Test(arguments: [nil, #""""#, "null", "7", #"["a"]"#, #""a\u0000b""#, #""a\u001fb""#, #""é""#, #""a\u007f""#])
    func `a subject that is missing or no printable ASCII text is refused`(subject: String?) async throws {
        #expect(try await refusal(["sub": subject]) == .idTokenSubject)
    }

    @Test func `a subject has at most 255 characters`() async throws {
        let longest = String(repeating: "s", count: 255)
        #expect(try await verify(["sub": #""\#(longest)""#]).member.subject == longest)
        #expect(try await refusal(["sub": #""\#(longest)s""#]) == .idTokenSubject)
    }

    @Test func `the nonce must be the one sent, where the provider uses one`() async throws {
        let provider = Provider.make(usesNonce: true)
        #expect(try await verify(["nonce": #""n""#], provider, nonce: "n").member.subject == "782bbtaQ-_")
        for nonce in [nil, #""m""#, #""""#, #""nn""#, "7", "null"] {
            #expect(try await refusal(["nonce": nonce], provider, nonce: "n") == .idTokenNonce)
        }
        #expect(try await refusal(["nonce": #""n""#], provider, nonce: nil) == .idTokenNonce)
    }

    @Test func `a provider without nonces need not send one`() async throws {
        #expect(try await verify([:], nonce: "n").member.subject == "782bbtaQ-_")
    }

    @Test func `a hash of the access token must fit it, if there is one`() async throws {
        // The example of OpenID Connect Core, appendix A.3.
        let accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
        let hash = #""77QmUPtjPfzWtF2AnpK9RQ""#
        #expect(try await verify(["at_hash": hash], accessToken: accessToken).member.subject == "782bbtaQ-_")
        for wrong in [#""77QmUPtjPfzWtF2AnpK9RR""#, #""""#, "7", "null"] {
            #expect(try await refusal(["at_hash": wrong], accessToken: accessToken) == .idTokenHash)
        }
        #expect(try await refusal(["at_hash": hash], accessToken: "other") == .idTokenHash)
    }
}
