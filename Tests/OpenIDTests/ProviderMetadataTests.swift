import OpenID
import Testing

@Suite struct ProviderMetadataTests {
    private static let issuer = "https://www.linkedin.com/oauth"

    /// LinkedIn's document, with some members changed, or taken out by nil.
    private func document(_ changes: [String: String?] = [:]) -> [UInt8] {
        var members = [
            "issuer": #""https://www.linkedin.com/oauth""#,
            "authorization_endpoint": #""https://www.linkedin.com/oauth/v2/authorization""#,
            "token_endpoint": #""https://www.linkedin.com/oauth/v2/accessToken""#,
            "userinfo_endpoint": #""https://api.linkedin.com/v2/userinfo""#,
            "jwks_uri": #""https://www.linkedin.com/oauth/openid/jwks""#,
            "response_types_supported": #"["code"]"#, "subject_types_supported": #"["pairwise"]"#,
            "id_token_signing_alg_values_supported": #"["RS256"]"#,
            "scopes_supported": #"["openid","profile","email"]"#,
        ]
        for (name, value) in changes { members[name] = value }
        return Array(("{" + members.map { #""\#($0)":\#($1)"# }.joined(separator: ",") + "}").utf8)
    }

    private func refusal(_ changes: [String: String?]) -> ProviderMetadataError? {
        #expect(throws: ProviderMetadataError.self) {
            try ProviderMetadata(parsing: document(changes), issuer: Self.issuer)
        }
    }

    @Test func `LinkedIn's document makes a provider`() throws {
        let metadata = try ProviderMetadata(parsing: document(), issuer: Self.issuer)
        let expected = Provider(
            issuers: [Self.issuer],
            authorizationEndpoint: "https://www.linkedin.com/oauth/v2/authorization",
            tokenEndpoint: "https://www.linkedin.com/oauth/v2/accessToken",
            userinfoEndpoint: "https://api.linkedin.com/v2/userinfo",
            jwksURI: "https://www.linkedin.com/oauth/openid/jwks",
            scopes: ["openid"],
            clientAuthentication: .basic,
            usesPKCE: false
        )
        #expect(Provider(metadata, scopes: ["openid"]) == expected)
    }

    @Test func `what a provider offers is used`() throws {
        let metadata = try ProviderMetadata(
            parsing: document([
                "token_endpoint_auth_methods_supported": #"["private_key_jwt","client_secret_post"]"#,
                "code_challenge_methods_supported": #"["plain","S256"]"#,
                "authorization_response_iss_parameter_supported": "true",
                "id_token_signing_alg_values_supported": #"["none","HS256","ES256","RS256","RS999"]"#,
                "userinfo_endpoint": nil,
            ]),
            issuer: Self.issuer
        )
        let provider = Provider(metadata, scopes: ["openid"])
        #expect(provider.clientAuthentication == .post)
        #expect(provider.usesPKCE && provider.usesNonce && provider.requiresIssuerParameter)
        #expect(provider.idTokenAlgorithms == [.es256, .rs256])
        #expect(provider.userinfoEndpoint == nil)
    }

    @Test(arguments: [nil, #""https://www.linkedin.com""#, #""https://www.linkedin.com/oauth/""#, "7", "null"])
    func `a document of another issuer is refused`(issuer: String?) {
        #expect(refusal(["issuer": issuer]) == .issuerMismatch)
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    func `a document without a needed endpoint is refused`(name: String) {
        #expect(refusal([name: nil]) == .missing(name))
        #expect(refusal([name: "null"]) == .missing(name))
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"])
    func `an endpoint that is not https is refused, but on this machine`(name: String) throws {
        let bad = [
            "http://www.linkedin.com/x", "ftp://x", "javascript:alert(1)", "/x", "", "https://", "https:///x",
            "https://a b", "https://é.example/", "http://127.0.0.1.evil.example/", "http://localhost.evil.example",
            "http://127.0.0.1@evil.example/", "https://a\\u000db",
        ]
        for address in bad { #expect(refusal([name: #""\#(address)""#]) == .insecureEndpoint(name), "\(address)") }
        #expect(refusal([name: "7"]) == .insecureEndpoint(name))
        for address in ["http://127.0.0.1:8080/x", "http://localhost/x", "http://[::1]:1", "HTTPS://a.example/"] {
            _ = try ProviderMetadata(parsing: document([name: #""\#(address)""#]), issuer: Self.issuer)
        }
    }

    @Test(arguments: ["token_endpoint_auth_methods_supported", "id_token_signing_alg_values_supported"])
    func `a provider that offers nothing spoken here is refused`(name: String) {
        #expect(refusal([name: #"["private_key_jwt","HS256","none"]"#]) == .unsupported(name))
    }

    @Test(arguments: ["", "[]", "null", "<html>", #"{"issuer":"a","issuer":"a"}"#])
    func `a document that is no JSON object is refused`(text: String) {
        #expect(throws: ProviderMetadataError.notAnObject) {
            try ProviderMetadata(parsing: Array(text.utf8), issuer: "a")
        }
    }

    @Test func `the document is under the issuer`() {
        let address = "https://www.linkedin.com/oauth/.well-known/openid-configuration"
        #expect(ProviderMetadata.address(of: "https://www.linkedin.com/oauth") == address)
        #expect(ProviderMetadata.address(of: "https://www.linkedin.com/oauth/") == address)
    }
}
