import OpenID
import Testing

@Suite struct OptionalClaimTests {
    private func verify(_ changes: [String: String?]) async throws -> IDToken {
        let key = try await SigningKey.rsa()
        return try await OpenIDClient.verify(TokenText(claims: changes).signed(by: key), keys: [key.jwk])
    }

    @Test(
        arguments: [
            ("true", true), (#""true""#, true), ("false", false), (#""false""#, false), (#""TRUE""#, false),
            ("1", false), (#""1""#, false), ("null", false), ("[true]", false), (nil, false),
        ] as [(String?, Bool)]
    )
    func `an address is verified only by true, be it a boolean or a string`(
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
    func `a locale is a language tag whichever shape it has`(claim: String?, expected: String?) async throws {
        #expect(try await verify(["locale": claim]).member.locale == expected)
    }

    @Test(
        arguments: [
            "null", "7", "true", "[]", "{}", #""""#, #""a\u0000b""#, #""a\r\nb""#, #""a\u0085b""#,
            #""\#(String(repeating: "a", count: 2100))""#, nil,
        ]
    )
    func `a text of the wrong type, with control characters or too long is as good as missing`(
        claim: String?
    ) async throws {
        let names = ["name", "given_name", "family_name", "picture", "email"]
        let member = try await verify(Dictionary(uniqueKeysWithValues: names.map { ($0, claim) })).member
        let texts = [member.name, member.givenName, member.familyName, member.picture, member.email]
        #expect(texts.allSatisfy { $0 == nil })
        #expect(member.subject == "782bbtaQ-_")
    }
}
