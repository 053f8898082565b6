import HTTP
import OpenID
import Testing

@Suite struct AuthorizationRequestTests {
    /// A generator that repeats itself in every test.
    private struct Counter: RandomNumberGenerator {
        var value: UInt64 = 0

        mutating func next() -> UInt64 {
            value += 1
            return value
        }
    }

    private static let client = OpenIDClient.make(options: .make(usesPKCE: true, usesNonce: true))

    private func parameters(_ url: String) throws -> FormData {
        try #require(FormData(parsing: String(url.split(separator: "?", maxSplits: 1)[1])))
    }

    @Test func `state, nonce and code verifier are different, each 43 characters of base64url`() throws {
        let request = Self.client.begin()
        let texts = [request.state, try #require(request.nonce), try #require(request.codeVerifier)]
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(Set(texts).count == 3)
        for text in texts {
            #expect(text.count == 43)
            #expect(Set(text).isSubset(of: alphabet))
        }
    }

    @Test func `state, nonce and code verifier come from the given random generator`() {
        var first = Counter()
        var second = Counter()
        let request = Self.client.begin(using: &first)
        #expect(request == Self.client.begin(using: &second))
        #expect(request != Self.client.begin(using: &second))
    }

    @Test func `the authorization URL is the configured endpoint with each parameter once and no secret`() throws {
        let client = OpenIDClient.make()
        let url = client.authorizationURL(for: AuthorizationRequest(state: "s"))
        #expect(
            url == "https://provider.example/authorization?response_type=code&client_id=client"
                + "&redirect_uri=https%3A%2F%2Fsite.example%2Fsignin%2Foauth&scope=openid%20profile%20email&state=s"
        )
    }

    @Test(arguments: [
        ("https://a.example/end", "?client_id=a%20b"), ("https://a.example/end?realm=1", "&client_id=a%20b"),
    ])
    func `the page for signing out is the end session endpoint with the client ID`(endpoint: String, query: String) {
        var options = ProtocolOptions.make()
        options.signOutPage = "https://a.example/logout"
        let credentials = ClientCredentials(identifier: "a b", secret: "x")
        #expect(OpenIDClient.make(options: options, credentials: credentials).signOutURL == "https://a.example/logout")
        options.endSessionEndpoint = endpoint
        #expect(OpenIDClient.make(options: options, credentials: credentials).signOutURL == endpoint + query)
    }

    @Test func `every parameter of the authorization URL is percent-encoded exactly once`() throws {
        let client = OpenIDClient.make(
            options: .make(scopes: ["a&b", "c=d"]),
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

    @Test func `a query in the authorization endpoint is kept`() {
        let client = OpenIDClient.make(options: .make(authorizationEndpoint: "https://provider.example/a?tenant=1"))
        let url = client.authorizationURL(for: AuthorizationRequest(state: "s"))
        #expect(url.hasPrefix("https://provider.example/a?tenant=1&response_type=code&"))
    }

    @Test func `nonce and code challenge are sent only to providers that use them`() throws {
        let client = OpenIDClient.make()
        let request = AuthorizationRequest(state: "s", nonce: "n", codeVerifier: "v")
        let url = client.authorizationURL(for: request)
        #expect(!url.contains("nonce") && !url.contains("challenge"))
        #expect(client.begin().nonce == nil && client.begin().codeVerifier == nil)
    }

    @Test func `the code challenge is the S256 value of RFC 7636 appendix B`() throws {
        let client = OpenIDClient.make(options: .make(usesPKCE: true))
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let url = client.authorizationURL(for: AuthorizationRequest(state: "s", codeVerifier: verifier))
        let parameters = try parameters(url)
        #expect(parameters["code_challenge"] == .one("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"))
        #expect(parameters["code_challenge_method"] == .one("S256"))
        #expect(!url.contains(verifier))
    }

    @Test func `the nonce in the authorization URL is the stored nonce`() throws {
        let client = OpenIDClient.make(options: .make(usesNonce: true))
        let request = client.begin()
        let nonce = try #require(request.nonce)
        #expect(try parameters(client.authorizationURL(for: request))["nonce"] == .one(nonce))
    }
}
