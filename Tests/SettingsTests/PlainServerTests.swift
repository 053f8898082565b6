import OpenID
import Provider
import Testing

@testable import Settings

/// A server of plain OAuth 2.0 in the settings.
struct PlainServerTests {
    private static let minimal = [
        "PROVIDER_PRESET": "oauth2", "PROVIDER_ISSUER": "https://chat.example", "PROVIDER_CLIENT_ID": "id",
        "PROVIDER_CLIENT_SECRET": "s3cret", "PROVIDER_SUBJECT_CLAIM": "id", "SIGNIN_BASE_URL": "https://example.com",
        "SIGNIN_AUTHORIZATION_ENDPOINT": "https://chat.example/authorize",
        "SIGNIN_TOKEN_ENDPOINT": "https://api.chat.example/token",
        "SIGNIN_USERINFO_ENDPOINT": "https://api.chat.example/me?fields=id,name",
    ]

    private func provider(_ changes: [String: String?]) throws(ConfigurationError) -> ProviderSettings {
        let environment = Self.minimal.merging(changes.compactMapValues(\.self)) { $1 }
            .filter { changes[$0.key] != .some(nil) }
        return try Configuration(SettingSources(environment: environment, file: nil) { _ in "" }).first
    }

    private func problems(_ changes: [String: String?]) throws -> [String] {
        let error = #expect(throws: ConfigurationError.self) { try provider(changes) }
        return try #require(error).problems.map(\.subject)
    }

    @Test func `a server by its endpoints has no discovery document, no nonce and no ID token`() throws {
        let provider = try provider([:])
        #expect(provider.discovery == nil && provider.profiles is DocumentProfiles && !provider.profiles.offersLink)
        let options = provider.options
        #expect(options.areKnown && options.issuers == ["https://chat.example"] && options.scopes.isEmpty)
        #expect(options.tokenEndpoint == "https://api.chat.example/token" && options.jwksURI == nil)
        #expect(options.userinfoEndpoint == "https://api.chat.example/me?fields=id,name")
        #expect(options.usesPKCE && !options.usesNonce && !options.issuesIDToken)
        #expect(options.clientAuthentication == .basic && !provider.trustsEmail)
        #expect(Setting.providerAuthentication.defaultText == "")
        #expect(try self.provider(["PROVIDER_PROFILE_CLAIM": "url"]).profiles.offersLink)
    }

    @Test(
        arguments: [
            ([:], .basic), (["PROVIDER_CLIENT_AUTHENTICATION": "client_secret_post"], .post),
            (["PROVIDER_CLIENT_SECRET": nil], .none),
            (["PROVIDER_CLIENT_SECRET": ProviderAdditionsTests.key], .privateKey),
        ] as [([String: String?], ProtocolOptions.ClientAuthentication)]
    )
    func `the client authenticates as its secret allows`(
        changes: [String: String?],
        expected: ProtocolOptions.ClientAuthentication
    ) throws {
        #expect(try provider(changes).options.clientAuthentication == expected)
    }

    @Test(arguments: [
        "SIGNIN_AUTHORIZATION_ENDPOINT", "SIGNIN_TOKEN_ENDPOINT", "SIGNIN_USERINFO_ENDPOINT", "PROVIDER_SUBJECT_CLAIM",
        "PROVIDER_CLIENT_ID",
    ])
    func `a setting that the server needs is required`(name: String) throws {
        #expect(try problems([name: nil]) == [name])
        #expect(try problems(["PROVIDER_ISSUER": nil, name: nil]).contains("PROVIDER_PRESET"))
    }

    @Test(
        arguments: [
            (["PROVIDER_EMAIL_VERIFIED_CLAIM": "verified"], "PROVIDER_EMAIL_VERIFIED_CLAIM"),
            (["PROVIDER_EMAIL_CLAIM": "email", "PROVIDER_TRUSTS_EMAIL": "yes"], "PROVIDER_TRUSTS_EMAIL"),
            (["PROVIDER_CLIENT_AUTHENTICATION": "none"], "PROVIDER_CLIENT_AUTHENTICATION"),
            (["PROVIDER_CLIENT_AUTHENTICATION": "private_key_jwt"], "PROVIDER_CLIENT_AUTHENTICATION"),
            (
                ["PROVIDER_CLIENT_AUTHENTICATION": "client_secret_post", "PROVIDER_CLIENT_SECRET": nil],
                "PROVIDER_CLIENT_AUTHENTICATION"
            ),
            (["PROVIDER_PKCE": "no", "PROVIDER_CLIENT_SECRET": nil], "PROVIDER_PKCE"),
            (["PROVIDER_TENANTS": "x"], "PROVIDER_TENANTS"), (["PROVIDER_CLAIMS": "acr"], "PROVIDER_CLAIMS"),
            (["PROVIDER_GROUPS_CLAIM": "amr"], "PROVIDER_GROUPS_CLAIM"),
            (["PROVIDER_HOSTED_DOMAINS": "example.com"], "PROVIDER_HOSTED_DOMAINS"),
            (["SIGNIN_JWKS_URI": "https://chat.example/keys"], "SIGNIN_JWKS_URI"),
            (["PROVIDER_AUTHORIZATION_PARAMETERS": "max_age=60"], "PROVIDER_AUTHORIZATION_PARAMETERS"),
            (["PROVIDER_SUBJECT_CLAIM": "a b"], "PROVIDER_SUBJECT_CLAIM"),
            (["SIGNIN_TOKEN_ENDPOINT": "http://chat.example/token"], "SIGNIN_TOKEN_ENDPOINT"),
        ] as [([String: String?], String)]
    )
    func `settings that contradict each other are an error`(changes: [String: String?], name: String) throws {
        #expect(try problems(changes) == [name])
    }

    @Test(arguments: [
        "PROVIDER_SUBJECT_CLAIM", "PROVIDER_NAME_CLAIM", "PROVIDER_EMAIL_CLAIM", "PROVIDER_PICTURE_CLAIM",
        "PROVIDER_PROFILE_CLAIM",
    ])
    func `an OpenID provider says itself where it has what`(name: String) throws {
        let all = [
            "PROVIDER_PRESET", "SIGNIN_AUTHORIZATION_ENDPOINT", "SIGNIN_TOKEN_ENDPOINT", "SIGNIN_USERINFO_ENDPOINT",
            "PROVIDER_SUBJECT_CLAIM",
        ]
        let openID = Dictionary(uniqueKeysWithValues: all.map { ($0, String?.none) })
        #expect(try problems(openID.merging([name: "x"]) { $1 }) == [name])
    }
}
