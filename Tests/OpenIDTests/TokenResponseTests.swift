import HTTP
import OpenID
import Testing

@Suite struct TokenResponseTests {
    private func redeem(_ answer: ClientResponse, _ provider: Provider = .make()) async throws -> TokenResponse {
        let client = OpenIDClient.make(provider: provider, transport: ScriptedTransport([answer]))
        return try await client.redeem(code: "AQT", for: AuthorizationRequest(state: "s"))
    }

    private func refusal(_ answer: ClientResponse, _ provider: Provider = .make()) async -> OpenIDError.Code? {
        await #expect(throws: OpenIDError.self) { try await redeem(answer, provider) }?.code
    }

    @Test func `LinkedIn's token answer with comma-separated scopes is read`() async throws {
        let body = #"""
            {"access_token":"AQX","expires_in":5183999,"scope":"email,openid,profile","token_type":"Bearer",
            "id_token":"a.b.c","refresh_token":"AQR","refresh_token_expires_in":31536000,"new":{"x":[1]}}
            """#
        let expected = TokenResponse(
            accessToken: "AQX",
            expiresIn: 5_183_999,
            refreshToken: "AQR",
            idToken: "a.b.c",
            scopes: ["email", "openid", "profile"]
        )
        #expect(try await redeem(.make(200, body)) == expected)
    }

    @Test func `scopes may be separated by spaces and default to the requested scopes`() async throws {
        let told = try await redeem(.make(200, #"{"access_token":"t","scope":"openid  email"}"#))
        #expect(told.scopes == ["openid", "email"])
        let untold = try await redeem(.make(200, #"{"access_token":"t","scope":null}"#))
        #expect(untold.scopes == ["openid", "profile", "email"])
    }

    @Test(
        arguments: [
            "[]", "null", "", "{", #""text""#, #"{"access_token":"a"}x"#, #"{"access_token":"a","access_token":"b"}"#,
            #"{"access_token":"a","\u0061ccess_token":"a"}"#, #"{"access_token":""}"#, #"{"access_token":7}"#,
            #"{"access_token":null}"#, #"{"access_token":["a"]}"#, #"{}"#, #"{"access_token":"a b"}"#,
            #"{"access_token":"a\r\nSet-Cookie: x"}"#, #"{"access_token":"a\u0000"}"#, #"{"access_token":"é"}"#,
            #"{"access_token":"\ud800"}"#, #"{"access_token":"a","x":1e400}"#, #"{"access_token":"a","x":NaN}"#,
            #"{"access_token":"a","id_token":7}"#, #"{"access_token":"a","refresh_token":""}"#,
            "\u{feff}{\"access_token\":\"a\"}", #"{"access_token":"\#(String(repeating: "a", count: 8193))"}"#,
            #"{"access_token":"a","x":\#(String(repeating: "[", count: 100_000))}"#,
        ]
    )
    func `a token answer that is not an object or has no usable token is rejected`(body: String) async throws {
        #expect(await refusal(try .make(200, body)) == .tokenMalformed)
    }

    @Test func `a token answer that is not UTF-8 is rejected`() async throws {
        var answer = try ClientResponse.make(200, #"{"access_token":"a","x":"?"}"#)
        answer.body = answer.body.map { $0 == UInt8(ascii: "?") ? 0xff : $0 }
        #expect(await refusal(answer) == .tokenMalformed)
    }

    @Test(arguments: ["text/html", "text/plain", "application/jsonx", "", nil])
    func `a token answer of another content type is rejected`(type: String?) async throws {
        #expect(await refusal(try .make(200, #"{"access_token":"a"}"#, type: type)) == .tokenMalformed)
    }

    @Test(arguments: ["application/json", "Application/JSON; charset=utf-8", "application/json;charset=UTF-8"])
    func `any spelling of the JSON content type is accepted`(type: String) async throws {
        #expect(try await redeem(.make(200, #"{"access_token":"a"}"#, type: type)).accessToken == "a")
    }

    @Test func `the token type is Bearer in any case and may be missing only if the provider omits it`()
        async throws
    {
        let strict = Provider.make(allowsMissingTokenType: false)
        for type in ["Bearer", "bearer", "BEARER"] {
            let answer = try ClientResponse.make(200, #"{"access_token":"a","token_type":"\#(type)"}"#)
            #expect(try await redeem(answer, strict).accessToken == "a")
        }
        for member in [#""MAC""#, #""""#, "1", "null", #""Bearer ""#] {
            let answer = try ClientResponse.make(200, #"{"access_token":"a","token_type":\#(member)}"#)
            #expect(await refusal(answer, strict) == .tokenMalformed)
            #expect(await refusal(answer) == .tokenMalformed)
        }
        #expect(await refusal(try .make(200, #"{"access_token":"a"}"#), strict) == .tokenMalformed)
    }

    @Test(
        arguments: [
            ("5184000", 5_184_000), ("3600.9", 3600), (#""1800""#, 1800), ("0", nil), ("-1", nil), ("0.5", nil),
            ("1e300", 31_622_400), ("9223372036854775808", 31_622_400), ("-1e300", nil), ("null", nil), ("true", nil),
            (#""""#, nil), (#""-5""#, nil), (#""1e5""#, nil), (#""soon""#, nil), ("[]", nil),
            (#""\#(String(repeating: "9", count: 400))""#, 31_622_400),
        ] as [(String, Int?)]
    )
    func `any expires_in gives a valid number of seconds or none`(member: String, expected: Int?) async throws {
        let answer = try ClientResponse.make(200, #"{"access_token":"a","expires_in":\#(member)}"#)
        #expect(try await redeem(answer).expiresIn == expected)
    }

    @Test func `a missing ID token is an error if the provider should send one`() async throws {
        let provider = Provider.make(issuesIDToken: true)
        #expect(await refusal(try .make(200, #"{"access_token":"a"}"#), provider) == .idTokenMissing)
        #expect(try await redeem(.make(200, #"{"access_token":"a","id_token":"x"}"#), provider).idToken == "x")
    }
}
