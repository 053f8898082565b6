import HTTP
import OpenID
import Testing

/// What LinkedIn sends, from a provider without a dialect.
@Suite struct DialectTests {
    private static let standard = ProtocolOptions.make(dialect: Dialect())

    private func client(_ answer: ClientResponse) -> OpenIDClient {
        OpenIDClient.make(options: Self.standard, transport: ScriptedTransport([answer]))
    }

    private func refusal(_ answer: ClientResponse) async -> OpenIDError.Code? {
        await #expect(throws: OpenIDError.self) {
            try await client(answer).redeem(code: "c", for: AuthorizationRequest(state: "s"))
        }?.code
    }

    @Test(arguments: ["user_cancelled_login", "unauthorized_scope_error", "openid_insufficient_scope_error"])
    func `an authorization error of another provider's dialect has no meaning`(name: String) throws {
        let response = try OpenIDClient.make(options: Self.standard).parseCallback(query: "error=\(name)&state=s")
        #expect(response.outcome == .error(.other))
    }

    @Test func `a comma separates no scopes without a dialect`() async throws {
        let answer = try ClientResponse.make(200, #"{"access_token":"a","token_type":"Bearer","scope":"a,b c"}"#)
        let tokens = try await client(answer).redeem(code: "c", for: AuthorizationRequest(state: "s"))
        #expect(tokens.scopes == ["a,b", "c"])
    }

    @Test(arguments: ["invalid_request", "invalid_redirect_uri", "access_denied", "invalid_client_id"])
    func `a token error of another provider's dialect refuses nothing that was sent`(name: String) async throws {
        #expect(await refusal(try .make(400, #"{"error":"\#(name)"}"#)) == .tokenMalformed)
    }

    @Test func `an introspection response is read without members of a dialect`() async throws {
        let answer = """
            {"active":true,"client_id":"client","status":"revoked","auth_type":"2L","expires_at":1,\
            "scope":"openid profile email"}
            """
        #expect(try await client(.make(200, answer)).introspect(accessToken: "t").expires == nil)
    }

    @Test func `a resource is asked once if only a dialect says that the token may be accepted later`() async throws {
        let transport = ScriptedTransport([try .make(401, #"{"serviceErrorCode":65601}"#)])
        let client = OpenIDClient.make(options: Self.standard, transport: transport)
        let error = await #expect(throws: OpenIDError.self) {
            try await client.resource("https://a.example", headers: Headers(), accessToken: "t", patience: .long)
        }
        #expect(error?.code == .accessTokenRefused)
        #expect(transport.sent.count == 1)
    }

    @Test(arguments: [(426, ""), (400, #"{"code":"NONEXISTENT_VERSION"}"#)])
    func `only a dialect knows which responses reject a version`(status: Int, body: String) async throws {
        let answer = try ClientResponse.make(status, body)
        let error = await #expect(throws: OpenIDError.self) {
            try await client(answer).resource(
                "https://a.example",
                headers: Headers(),
                accessToken: "t",
                patience: .none
            )
        }
        #expect(error?.code == .resourceMalformed)
    }
}
