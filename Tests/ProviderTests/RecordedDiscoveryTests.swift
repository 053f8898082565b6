import Provider
import Testing

@testable import OpenID

/// The members that the program reads of providers' public discovery documents, as of November 2026.
@Suite struct RecordedDiscoveryTests {
    private struct Recorded: Sendable, CustomTestStringConvertible {
        let name: String
        let issuer: String
        let members: String
        var method = ProtocolOptions.ClientAuthentication.basic
        var algorithms: [SigningAlgorithm] = [.rs256]
        var sendsIssuer = false
        var hasUserinfo = true

        var testDescription: String { name }

        func document() throws(OpenIDError) -> DiscoveryDocument {
            try DiscoveryDocument(parsing: Array(#"{"issuer":"\#(issuer)",\#(members)}"#.utf8), issuer: issuer)
        }
    }

    private static let tenant = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490"

    private static func entra(_ path: String, _ issuer: String) -> Recorded {
        let host = "https://login.microsoftonline.com"
        return Recorded(
            name: "Entra \(path)",
            issuer: "\(host)/\(issuer)/v2.0",
            members: """
                "token_endpoint":"\(host)/\(path)/oauth2/v2.0/token",\
                "token_endpoint_auth_methods_supported":["client_secret_post","private_key_jwt","client_secret_basic"],\
                "jwks_uri":"\(host)/\(path)/discovery/v2.0/keys","response_modes_supported":["query","fragment","form_post"],\
                "subject_types_supported":["pairwise"],"id_token_signing_alg_values_supported":["RS256"],\
                "response_types_supported":["code","id_token","code id_token","id_token token"],\
                "scopes_supported":["openid","profile","email","offline_access"],"request_uri_parameter_supported":false,\
                "userinfo_endpoint":"https://graph.microsoft.com/oidc/userinfo",\
                "authorization_endpoint":"\(host)/\(path)/oauth2/v2.0/authorize","tenant_region_scope":null
                """
        )
    }

    private static let all = [
        Recorded(
            name: "Google",
            issuer: "https://accounts.google.com",
            members: """
                "authorization_endpoint":"https://accounts.google.com/o/oauth2/v2/auth",\
                "token_endpoint":"https://oauth2.googleapis.com/token",\
                "userinfo_endpoint":"https://openidconnect.googleapis.com/v1/userinfo",\
                "revocation_endpoint":"https://oauth2.googleapis.com/revoke",\
                "jwks_uri":"https://www.googleapis.com/oauth2/v3/certs","response_types_supported":["code","token","none"],\
                "id_token_signing_alg_values_supported":["RS256"],"code_challenge_methods_supported":["plain","S256"],\
                "token_endpoint_auth_methods_supported":["client_secret_post","client_secret_basic"],\
                "grant_types_supported":["authorization_code","refresh_token"]
                """
        ),
        Recorded(
            name: "Keycloak",
            issuer: "https://sso.example.com/realms/members",
            members: keycloak("https://sso.example.com/realms/members/protocol/openid-connect"),
            algorithms: [.ps384, .rs384, .eddsa, .es384, .es256, .rs256, .es512, .ps256, .ps512, .rs512],
            sendsIssuer: true
        ),
        Recorded(
            name: "Authentik",
            issuer: "https://id.example.com/application/o/site/",
            members: """
                "authorization_endpoint":"https://id.example.com/application/o/authorize/",\
                "token_endpoint":"https://id.example.com/application/o/token/",\
                "userinfo_endpoint":"https://id.example.com/application/o/userinfo/",\
                "introspection_endpoint":"https://id.example.com/application/o/introspect/",\
                "revocation_endpoint":"https://id.example.com/application/o/revoke/",\
                "jwks_uri":"https://id.example.com/application/o/site/jwks/","response_types_supported":["code","id_token"],\
                "id_token_signing_alg_values_supported":["RS256"],"code_challenge_methods_supported":["plain","S256"],\
                "token_endpoint_auth_methods_supported":["client_secret_post","client_secret_basic"]
                """
        ),
        Recorded(
            name: "GitLab",
            issuer: "https://gitlab.com",
            members: """
                "authorization_endpoint":"https://gitlab.com/oauth/authorize","token_endpoint":"https://gitlab.com/oauth/token",\
                "revocation_endpoint":"https://gitlab.com/oauth/revoke",\
                "introspection_endpoint":"https://gitlab.com/oauth/introspect",\
                "userinfo_endpoint":"https://gitlab.com/oauth/userinfo",\
                "jwks_uri":"https://gitlab.com/oauth/discovery/keys","response_types_supported":["code"],\
                "token_endpoint_auth_methods_supported":["client_secret_basic","client_secret_post"],\
                "id_token_signing_alg_values_supported":["RS256"],"code_challenge_methods_supported":["plain","S256"]
                """
        ),
        Recorded(
            name: "Okta",
            issuer: "https://example.okta.com",
            members: """
                "authorization_endpoint":"https://example.okta.com/oauth2/v1/authorize",\
                "token_endpoint":"https://example.okta.com/oauth2/v1/token",\
                "userinfo_endpoint":"https://example.okta.com/oauth2/v1/userinfo",\
                "introspection_endpoint":"https://example.okta.com/oauth2/v1/introspect",\
                "revocation_endpoint":"https://example.okta.com/oauth2/v1/revoke",\
                "jwks_uri":"https://example.okta.com/oauth2/v1/keys","response_types_supported":["code","id_token"],\
                "id_token_signing_alg_values_supported":["RS256"],"code_challenge_methods_supported":["S256"],\
                "token_endpoint_auth_methods_supported":["client_secret_basic","client_secret_post","client_secret_jwt",\
                "private_key_jwt","none"]
                """
        ),
        Recorded(
            name: "Auth0",
            issuer: "https://example.us.auth0.com/",
            members: """
                "authorization_endpoint":"https://example.us.auth0.com/authorize",\
                "token_endpoint":"https://example.us.auth0.com/oauth/token",\
                "userinfo_endpoint":"https://example.us.auth0.com/userinfo",\
                "revocation_endpoint":"https://example.us.auth0.com/oauth/revoke",\
                "jwks_uri":"https://example.us.auth0.com/.well-known/jwks.json","response_types_supported":["code"],\
                "id_token_signing_alg_values_supported":["HS256","RS256","PS256"],\
                "token_endpoint_auth_methods_supported":["client_secret_basic","client_secret_post","private_key_jwt"],\
                "code_challenge_methods_supported":["S256","plain"]
                """,
            algorithms: [.rs256, .ps256]
        ),
        entra(tenant, tenant),
        Recorded(
            name: "Apple",
            issuer: "https://appleid.apple.com",
            members: """
                "authorization_endpoint":"https://appleid.apple.com/auth/authorize",\
                "token_endpoint":"https://appleid.apple.com/auth/token",\
                "revocation_endpoint":"https://appleid.apple.com/auth/revoke",\
                "jwks_uri":"https://appleid.apple.com/auth/keys","response_types_supported":["code"],\
                "response_modes_supported":["query","fragment","form_post"],\
                "id_token_signing_alg_values_supported":["RS256"],"scopes_supported":["openid","email","name"],\
                "token_endpoint_auth_methods_supported":["client_secret_post"]
                """,
            method: .post,
            hasUserinfo: false
        ),
    ]

    /// Keycloak's members from an address, which can be another one than that of the issuer for calls inside a network.
    private static func keycloak(_ address: String, inner: String? = nil) -> String {
        """
        "authorization_endpoint":"\(address)/auth","token_endpoint":"\(inner ?? address)/token",\
        "introspection_endpoint":"\(inner ?? address)/token/introspect","revocation_endpoint":"\(inner ?? address)/revoke",\
        "userinfo_endpoint":"\(inner ?? address)/userinfo","jwks_uri":"\(inner ?? address)/certs",\
        "grant_types_supported":["authorization_code","implicit","refresh_token"],"response_types_supported":["code","none"],\
        "id_token_signing_alg_values_supported":["PS384","RS384","EdDSA","ES384","HS256","HS512","ES256","RS256","HS384",\
        "ES512","PS256","PS512","RS512"],"code_challenge_methods_supported":["plain","S256"],\
        "token_endpoint_auth_methods_supported":["private_key_jwt","client_secret_basic","client_secret_post",\
        "tls_client_auth","client_secret_jwt"],"token_endpoint_auth_signing_alg_values_supported":["ES256","RS256"],\
        "authorization_response_iss_parameter_supported":true,"require_pushed_authorization_requests":false
        """
    }

    @Test(arguments: all)
    private func `the public document of a provider is enough for a sign-in`(provider: Recorded) throws {
        let options = try provider.document().options(scopes: ["openid"], hasSecret: true)
        #expect(options.issuers == [provider.issuer])
        #expect(options.clientAuthentication == provider.method)
        #expect(options.idTokenAlgorithms == provider.algorithms)
        #expect(options.requiresIssuerParameter == provider.sendsIssuer)
        #expect(options.usesPKCE && options.usesNonce && options.completesIDToken == provider.hasUserinfo)
    }

    @Test func `P7: endpoints inside a network are used, while the issuer stays the public one`() throws {
        let issuer = "https://sso.example.com/realms/members"
        let members = Self.keycloak(
            "\(issuer)/protocol/openid-connect",
            inner: "https://keycloak.internal:8443/r/members"
        )
        let recorded = Recorded(name: "Keycloak", issuer: issuer, members: members)
        let options = try recorded.document().options(scopes: ["openid"], hasSecret: true)
        #expect(
            options.issuers == [issuer] && options.tokenEndpoint == "https://keycloak.internal:8443/r/members/token"
        )
        let inner = Array(#"{"issuer":"https://keycloak.internal:8443/realms/members",\#(members)}"#.utf8)
        #expect(throws: OpenIDError.self) { try DiscoveryDocument(parsing: inner, issuer: issuer) }
    }

    @Test func `P10: the shared document of Entra has the template, and tenants make issuers of it`() throws {
        let recorded = Self.entra("organizations", "{tenantid}")
        let template = try #require(Entra.template(of: "https://login.microsoftonline.com/organizations/v2.0"))
        #expect(template == recorded.issuer)
        var options = try recorded.document().options(scopes: ["openid"], hasSecret: true)
        Entra.admit([Self.tenant], template: template, to: &options)
        #expect(options.issuers == ["https://login.microsoftonline.com/\(Self.tenant)/v2.0"])
    }
}
