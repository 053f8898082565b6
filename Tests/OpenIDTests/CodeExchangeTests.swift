import HTTP
import OpenID
import Testing

@Suite struct CodeExchangeTests {
    private func request(
        provider: Provider = .make(),
        credentials: ClientCredentials = ClientCredentials(identifier: "client", secret: "secret"),
        code: String = "AQT",
        codeVerifier: String? = nil
    ) async throws -> (request: ClientRequest, form: FormData) {
        let transport = ScriptedTransport([try .make(200, #"{"access_token":"t","token_type":"Bearer"}"#)])
        let client = OpenIDClient.make(provider: provider, credentials: credentials, transport: transport)
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
            provider: .make(clientAuthentication: .basic),
            credentials: ClientCredentials(identifier: "id:1", secret: ":%+ é")
        )
        // base64 of "id%3A1:%3A%25%2B%20%C3%A9"
        #expect(request.headers[.authorization] == "Basic aWQlM0ExOiUzQSUyNSUyQiUyMCVDMyVBOQ==")
        #expect(form["client_id"] == .none && form["client_secret"] == .none)
    }

    @Test func `the example credentials of RFC 6749 are encoded as in the RFC`() async throws {
        let (request, _) = try await request(
            provider: .make(clientAuthentication: .basic),
            credentials: ClientCredentials(identifier: "s6BhdRkqt3", secret: "7Fjfp0ZBr1KtDRbnfVdmIw")
        )
        #expect(request.headers[.authorization] == "Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3")
    }

    @Test func `the code verifier is sent only to a provider that uses PKCE`() async throws {
        let with = try await request(provider: .make(usesPKCE: true), codeVerifier: "v").form
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
