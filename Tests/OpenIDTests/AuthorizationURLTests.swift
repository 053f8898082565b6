import HTTP
import OpenID
import Testing

@Suite struct AuthorizationURLTests {
    private func parameters(_ url: String) throws -> FormData {
        try #require(FormData(parsing: String(url.split(separator: "?", maxSplits: 1)[1])))
    }

    @Test func `the browser is sent to the configured endpoint with each parameter once and no secret`() throws {
        let client = OpenIDClient.make()
        let url = client.authorizationURL(for: AuthorizationRequest(state: "s"))
        #expect(
            url == "https://provider.example/authorization?response_type=code&client_id=client"
                + "&redirect_uri=https%3A%2F%2Fsite.example%2Fsignin%2Foauth&scope=openid%20profile%20email&state=s"
        )
    }

    @Test func `every value is percent-encoded exactly once, whatever it holds`() throws {
        let client = OpenIDClient.make(
            provider: .make(scopes: ["a&b", "c=d"]),
            credentials: ClientCredentials(identifier: "id &=+%é", secret: "x"),
            redirectURI: "https://site.example/oauth?x=%20&y=1"
        )
        let url = client.authorizationURL(for: AuthorizationRequest(state: "s&state=t"))
        let expected = FormData([
            "response_type": "code", "client_id": "id &=+%é", "redirect_uri": "https://site.example/oauth?x=%20&y=1",
            "scope": "a&b c=d", "state": "s&state=t",
        ])
        #expect(try parameters(url) == expected)
    }

    @Test func `a query that the endpoint has of its own is kept`() {
        let client = OpenIDClient.make(provider: .make(authorizationEndpoint: "https://provider.example/a?tenant=1"))
        let url = client.authorizationURL(for: AuthorizationRequest(state: "s"))
        #expect(url.hasPrefix("https://provider.example/a?tenant=1&response_type=code&"))
    }

    @Test func `neither nonce nor code challenge is sent to a provider that uses none`() throws {
        let client = OpenIDClient.make()
        let request = AuthorizationRequest(state: "s", nonce: "n", codeVerifier: "v")
        let url = client.authorizationURL(for: request)
        #expect(!url.contains("nonce") && !url.contains("challenge"))
        #expect(client.begin().nonce == nil && client.begin().codeVerifier == nil)
    }

    @Test func `the code challenge is the S256 of the verifier in RFC 7636 appendix B`() throws {
        let client = OpenIDClient.make(provider: .make(usesPKCE: true))
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let url = client.authorizationURL(for: AuthorizationRequest(state: "s", codeVerifier: verifier))
        let parameters = try parameters(url)
        #expect(parameters["code_challenge"] == .one("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"))
        #expect(parameters["code_challenge_method"] == .one("S256"))
        #expect(!url.contains(verifier))
    }

    @Test func `the nonce is sent as it is remembered`() throws {
        let client = OpenIDClient.make(provider: .make(usesNonce: true))
        let request = client.begin()
        let nonce = try #require(request.nonce)
        #expect(try parameters(client.authorizationURL(for: request))["nonce"] == .one(nonce))
    }
}
