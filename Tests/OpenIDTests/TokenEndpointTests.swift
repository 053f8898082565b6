import HTTP
import Testing

@testable import OpenID

@Suite struct CodeExchangeTests {
    private func request(
        options: ProtocolOptions = .make(),
        credentials: ClientCredentials = ClientCredentials(identifier: "client", secret: "secret"),
        code: String = "AQT",
        codeVerifier: String? = nil
    ) async throws -> (request: ClientRequest, form: FormData) {
        let transport = ScriptedTransport([try .make(200, #"{"access_token":"t","token_type":"Bearer"}"#)])
        let client = OpenIDClient.make(options: options, credentials: credentials, transport: transport)
        _ = try await client.redeem(code: code, for: AuthorizationRequest(state: "s", codeVerifier: codeVerifier))
        let request = try #require(transport.sent.first)
        #expect(transport.sent.count == 1)
        return (request, try #require(FormData(parsing: String(decoding: request.body, as: UTF8.self))))
    }

    @Test func `the token request is a form POST with code, redirect URI and credentials`() async throws {
        let (request, form) = try await request()
        #expect(request.method == .post)
        #expect(request.url == "https://provider.example/token")
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(request.headers[.accept] == "application/json")
        #expect(request.headers[.authorization] == nil)
        let expected = FormData([
            "grant_type": "authorization_code", "code": "AQT", "redirect_uri": "https://site.example/signin/oauth",
            "client_id": "client", "client_secret": "secret",
        ])
        #expect(form == expected)
    }

    @Test(arguments: ["a&client_id=x", "a+b", "a%2Bb", "a=b", "é🦊", String(repeating: "x", count: 4096)])
    func `any code is sent byte for byte in exactly one parameter`(code: String) async throws {
        let form = try await request(code: code).form
        #expect(form["code"] == .one(code))
        #expect(form["client_id"] == .one("client"))
        #expect(form.pairs.count == 5)
    }

    @Test func `Basic credentials are form-encoded before they are joined by a colon`() async throws {
        let (request, form) = try await request(
            options: .make(clientAuthentication: .basic),
            credentials: ClientCredentials(identifier: "id:1", secret: ":%+ é")
        )
        // base64 of "id%3A1:%3A%25%2B%20%C3%A9"
        #expect(request.headers[.authorization] == "Basic aWQlM0ExOiUzQSUyNSUyQiUyMCVDMyVBOQ==")
        #expect(form["client_id"] == .none && form["client_secret"] == .none)
    }

    @Test func `the example credentials of RFC 6749 are encoded as in the RFC`() async throws {
        let (request, _) = try await request(
            options: .make(clientAuthentication: .basic),
            credentials: ClientCredentials(identifier: "s6BhdRkqt3", secret: "7Fjfp0ZBr1KtDRbnfVdmIw")
        )
        #expect(request.headers[.authorization] == "Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3")
    }

    @Test func `the code verifier is sent only to a provider that uses PKCE`() async throws {
        let with = try await request(options: .make(usesPKCE: true), codeVerifier: "v").form
        #expect(with["code_verifier"] == .one("v"))
        let without = try await request(codeVerifier: "v").form
        #expect(without["code_verifier"] == .none)
    }

    @Test(
        arguments: [
            (TransportError.Code.timedOut, OpenIDError.Code.tokenUnavailable), (.unreachable, .tokenUnavailable),
            (.untrusted, .tokenUnavailable), (.refusedURL, .tokenUnavailable), (.cancelled, .tokenUnavailable),
            (.malformed, .tokenMalformed), (.tooLarge, .tokenMalformed), (.busy, .busy),
        ]
    )
    func `a code exchange that fails below HTTP is classified and never retried`(
        code: TransportError.Code,
        expected: OpenIDError.Code
    ) async throws {
        let transport = ScriptedTransport(failing: code)
        let client = OpenIDClient.make(transport: transport)
        let error = await #expect(throws: OpenIDError.self) {
            try await client.redeem(code: "AQT", for: AuthorizationRequest(state: "s"))
        }
        #expect(error?.code == expected)
        #expect(error?.transport == code)
        #expect(transport.sent.count == 1)
    }

    @Test func `a refresh token is exchanged with the client's credentials`() async throws {
        let transport = ScriptedTransport([try .make(200, #"{"access_token":"t","refresh_token":"r2"}"#)])
        let tokens = try await OpenIDClient.make(transport: transport).refresh(refreshToken: "r1")
        let body = try #require(transport.sent.first?.body)
        let expected = FormData([
            "grant_type": "refresh_token", "refresh_token": "r1", "client_id": "client", "client_secret": "secret",
        ])
        #expect(FormData(parsing: String(decoding: body, as: UTF8.self)) == expected)
        #expect(tokens.refreshToken == "r2")
    }
}

@Suite struct TokenResponseTests {
    private func redeem(_ answer: ClientResponse, _ options: ProtocolOptions = .make()) async throws -> TokenResponse {
        let client = OpenIDClient.make(options: options, transport: ScriptedTransport([answer]))
        return try await client.redeem(code: "AQT", for: AuthorizationRequest(state: "s"))
    }

    private func refusal(_ answer: ClientResponse, _ options: ProtocolOptions = .make()) async -> OpenIDError.Code? {
        await #expect(throws: OpenIDError.self) { try await redeem(answer, options) }?.code
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
            refreshTokenExpiresIn: 31_536_000,
            idToken: "a.b.c",
            scopes: ["email", "openid", "profile"]
        )
        #expect(try await redeem(.make(200, body)) == expected)
    }

    @Test func `scopes may be separated by spaces and default to the requested scopes`() async throws {
        let told = try await redeem(.make(200, #"{"access_token":"t","scope":"openid  email"}"#))
        #expect(told.scopes == ["openid", "email"])
        let untold = try await redeem(.make(200, #"{"access_token":"t","scope":null,"error":null}"#))
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
        let strict = ProtocolOptions.make(dialect: Dialect())
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
        let provider = ProtocolOptions.make(issuesIDToken: true)
        #expect(await refusal(try .make(200, #"{"access_token":"a"}"#), provider) == .idTokenMissing)
        #expect(try await redeem(.make(200, #"{"access_token":"a","id_token":"x"}"#), provider).idToken == "x")
    }
}

@Suite struct TokenRefusalTests {
    private func refusal(_ answer: ClientResponse, _ options: ProtocolOptions = .make()) async -> OpenIDError? {
        let transport = ScriptedTransport([answer])
        let error = await #expect(throws: OpenIDError.self) {
            try await OpenIDClient.make(options: options, transport: transport)
                .redeem(code: "AQT", for: AuthorizationRequest(state: "s"))
        }
        #expect(transport.sent.count == 1)
        return error
    }

    @Test(arguments: [(400, "invalid_request"), (200, "invalid_request"), (401, "invalid_client"), (401, "invention")])
    func `a refusal of a client without a secret names the missing secret`(status: Int, name: String) async throws {
        let answer = try ClientResponse.make(
            status,
            #"{"error":"\#(name)","error_description":"client_secret is missing."}"#
        )
        let refused = await refusal(answer, .make(clientAuthentication: .none, dialect: Dialect()))
        #expect(
            refused?.code == .clientRefused && refused?.detail.contains("the settings have no client secret") == true
        )
        let known = await refusal(answer, .make(dialect: Dialect()))
        #expect(known?.detail.contains("no client secret") == false)
        #expect(known?.code == (name == "invalid_request" ? .tokenMalformed : .clientRefused))
    }

    @Test(
        arguments: [
            (400, "invalid_grant", "", OpenIDError.Code.codeRefused),
            (401, "invalid_request", "Unable to retrieve access token: authorization code not found", .codeRefused),
            (400, "invalid_request", "Unable to retrieve access token: authorization code not found", .codeRefused),
            (400, "invalid_redirect_uri", "appid/redirect uri/code verifier does not match", .codeRefused),
            (400, "invalid_request", "The provided authorization grant is invalid, expired or revoked", .codeRefused),
            (400, "access_denied", "Refresh token not allowed", .codeRefused),
            (401, "invalid_client", "Client authentication failed", .clientRefused),
            (400, "invalid_client", "", .clientRefused),
            (400, "invalid_client_id", "The passed in client_id is invalid", .clientRefused),
            (400, "invalid_request", #"A required parameter \"client_id\" is missing"#, .clientRefused),
            (400, "invalid_request", #"A required parameter \"client_secret\" is missing"#, .clientRefused),
            (400, "unauthorized_client", "", .clientRefused),
            (400, "invention", "", .tokenMalformed), (403, "invention", "", .tokenMalformed),
            (401, "invention", "", .clientRefused), (400, "server_error", "", .tokenUnavailable),
            (401, "server_error", "", .tokenUnavailable), (403, "temporarily_unavailable", "", .tokenUnavailable),
        ]
    )
    func `an error of the token endpoint is classified by its name before its status`(
        status: Int,
        name: String,
        words: String,
        expected: OpenIDError.Code
    ) async throws {
        let body = #"{"error":"\#(name)","error_description":"\#(words)"}"#
        #expect(await refusal(try .make(status, body))?.code == expected)
    }

    @Test(
        arguments: [
            (400, OpenIDError.Code.tokenUnavailable), (403, .tokenUnavailable), (401, .clientRefused),
            (408, .tokenUnavailable),
            (429, .tokenThrottled), (500, .tokenUnavailable), (502, .tokenUnavailable), (503, .tokenUnavailable),
            (504, .tokenUnavailable), (201, .tokenMalformed), (204, .tokenMalformed), (206, .tokenMalformed),
            (301, .tokenMalformed), (302, .tokenMalformed), (304, .tokenMalformed), (307, .tokenMalformed),
            (404, .tokenMalformed), (0, .tokenMalformed), (-1, .tokenMalformed),
            (999, .tokenUnavailable), (600, .tokenUnavailable),
        ]
    )
    func `an error of the token endpoint without a readable body is classified by its status`(
        status: Int,
        expected: OpenIDError.Code
    ) async throws {
        let error = await refusal(try .make(status, "<html>", type: "text/html"))
        #expect(error?.code == expected)
        #expect(error?.detail == "HTTP \(status)")
    }

    @Test(
        arguments: [
            (400, #"{"error":"invalid_grant"}"#, OpenIDError.Code.refreshRefused),
            (401, #"{"error":"invalid_request","error_description":"expired or revoked"}"#, .refreshRefused),
            (400, #"{"error":"invalid_scope"}"#, .refreshRefused), (400, "", .tokenUnavailable),
            (403, "<html>", .tokenUnavailable), (403, #"{"message":"blocked"}"#, .tokenUnavailable),
            (400, #"{"error":"server_error"}"#, .tokenUnavailable),
            (400, #"{"error":"temporarily_unavailable"}"#, .tokenUnavailable),
            (400, #"{"error":7}"#, .tokenUnavailable), (400, #"{"error":"invention"}"#, .tokenMalformed),
            (403, #"{"error":"access_denied"}"#, .tokenMalformed),
            (400, #"{"error":"invalid_redirect_uri"}"#, .tokenMalformed),
            (400, #"{"error":"unsupported_token_type"}"#, .tokenMalformed),
            (400, #"{"error":"unauthorized_client"}"#, .clientRefused), (429, "{}", .tokenThrottled),
        ]
    )
    func `only a known error of RFC 6749 refuses a refresh token`(
        status: Int,
        body: String,
        expected: OpenIDError.Code
    ) async throws {
        let transport = ScriptedTransport([try .make(status, body)])
        let error = await #expect(throws: OpenIDError.self) {
            try await OpenIDClient.make(transport: transport).refresh(refreshToken: "r1")
        }
        #expect(error?.code == expected)
    }

    @Test(arguments: [("120", 120), ("0", nil), ("soon", nil), ("99999999", nil)] as [(String, Int?)])
    func `a throttle of the token endpoint says how long to wait`(field: String, seconds: Int?) async throws {
        var answer = try ClientResponse.make(429)
        try answer.headers.append(.retryAfter, field)
        #expect(await refusal(answer)?.throttle?.retryAfter == seconds)
    }

    @Test func `a token in an answer other than 200 is rejected`() async throws {
        #expect(await refusal(try .make(203, #"{"access_token":"a"}"#))?.code == .tokenMalformed)
    }

    @Test func `an error contains no text from the provider`() async throws {
        let body = #"{"error":"AQT-secret","error_description":"client_id AQT-secret","error_uri":"AQT-secret"}"#
        let error = try #require(await refusal(try .make(400, body)))
        #expect(error == OpenIDError(.tokenMalformed, detail: "HTTP 400"))
    }
}
