import CryptoExtras
import HTTP
import OpenID
import Provider
import Testing

@testable import Settings

/// What an operator sets about an OpenID provider beside its issuer and its client.
struct ProviderAdditionsTests {
    private static let minimal = [
        "PROVIDER_ISSUER": "https://sso.example.com", "PROVIDER_CLIENT_ID": "id", "PROVIDER_CLIENT_SECRET": "s3cret",
        "SIGNIN_BASE_URL": "https://example.com",
    ]
    /// Made for this test.
    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVCXxDE6ULr5/ZVsp
        SPkJGDpyQ6iCbkojvPRahA8kEIShRANCAARoH1oY1eioZvJjNsq2p5ZKZTwVnDlN
        /i0kGhLflBrVYg9MWaFK7/cDtRnW4KAXufyOBwuT2dKzXEMPVIsyGwGC
        -----END PRIVATE KEY-----
        """
    private static let tenant = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490"
    private static let organizations = "https://login.microsoftonline.com/organizations/v2.0"
    private static let gitHub = ["PROVIDER_PRESET": "github", "PROVIDER_ISSUER": "https://github.com/login/oauth"]

    private func provider(_ changes: [String: String]) throws(ConfigurationError) -> ProviderSettings {
        let environment = Self.minimal.merging(changes) { $1 }
        return try Configuration(SettingSources(environment: environment, file: nil) { _ in "" }).first
    }

    private func problems(_ changes: [String: String]) throws -> [String] {
        let error = #expect(throws: ConfigurationError.self) { try provider(changes) }
        return try #require(error).problems.map(\.subject)
    }

    private func discovered(
        _ changes: [String: String],
        issuer: String = "https://sso.example.com",
        members: String = ""
    ) throws -> ProtocolOptions {
        let text = """
            {"issuer":"\(issuer)","authorization_endpoint":"https://sso.example.com/a","token_endpoint":\
            "https://sso.example.com/t","jwks_uri":"https://sso.example.com/k"\(members)}
            """
        let document = try DiscoveryDocument(parsing: Array(text.utf8), issuer: issuer)
        return try provider(changes).discovering(document).options
    }

    @Test func `parameters, leeway and domains hold with and without a discovery document`() throws {
        let changes = [
            "PROVIDER_AUTHORIZATION_PARAMETERS": "prompt=login&max_age=600", "PROVIDER_CLOCK_LEEWAY": "5s",
            "PROVIDER_HOSTED_DOMAINS": "Example.com",
        ]
        for options in [try provider(changes).options, try discovered(changes)] {
            #expect(options.authorizationParameters.form.encoded == "prompt=login&max_age=600&hd=example.com")
            #expect(options.authorizationParameters.maximumAge == 600 && options.clockLeeway == 5)
            #expect(options.requiredClaims == [ClaimRequirement("hd", in: ["example.com"])])
        }
        #expect(try provider([:]).options.requiredClaims.isEmpty && provider([:]).options.clockLeeway == 60)
    }

    @Test(arguments: [
        ("PROVIDER_AUTHORIZATION_PARAMETERS", "state=x"), ("PROVIDER_AUTHORIZATION_PARAMETERS", "redirect_uri=x"),
        ("PROVIDER_AUTHORIZATION_PARAMETERS", "prompt"), ("PROVIDER_CLOCK_LEEWAY", "301"),
        ("PROVIDER_PRESET", "facebook"),
        ("PROVIDER_HOSTED_DOMAINS", "*,example.com"), ("PROVIDER_HOSTED_DOMAINS", "https://example.com"),
        ("PROVIDER_HOSTED_DOMAINS", "example.com/x"), ("PROVIDER_KEY_ID", "key-1"), ("PROVIDER_TENANTS", tenant),
        ("PROVIDER_TEAM_ID", "DEF123GHIJ"),
    ])
    func `a value that the program cannot use is an error of its setting`(name: String, value: String) throws {
        #expect(try problems([name: value]) == [name])
    }

    @Test func `a secret that is a private key authenticates the client with signed assertions`() throws {
        let methods = #","token_endpoint_auth_methods_supported":["private_key_jwt","client_secret_basic"]"#
        let changes = ["PROVIDER_CLIENT_SECRET": Self.key, "PROVIDER_KEY_ID": "key-1"]
        #expect(try discovered(changes, members: methods).clientAuthentication == .privateKey)
        #expect(try discovered([:], members: methods).clientAuthentication == .basic)
        #expect(throws: OpenIDError.self) { try discovered(changes) }
        let damaged = Self.key.replacing("MIGH", with: "MIGG")
        #expect(try problems(["PROVIDER_CLIENT_SECRET": damaged]) == ["PROVIDER_CLIENT_SECRET"])
    }

    @Test func `P10: an issuer for several tenants needs their IDs, and its document has the template`() throws {
        #expect(try problems(["PROVIDER_ISSUER": Self.organizations]) == ["PROVIDER_ISSUER"])
        #expect(
            try problems(["PROVIDER_ISSUER": Self.organizations, "PROVIDER_TENANTS": "contoso.com"])
                == ["PROVIDER_TENANTS"]
        )
        let changes = ["PROVIDER_ISSUER": Self.organizations, "PROVIDER_TENANTS": Self.tenant.uppercased()]
        let place = try #require(try provider(changes).discovery)
        #expect(place.address == "\(Self.organizations)/.well-known/openid-configuration")
        #expect(place.issuer == "https://login.microsoftonline.com/{tenantid}/v2.0")
        let issuer = "https://login.microsoftonline.com/\(Self.tenant)/v2.0"
        #expect(try discovered(changes, issuer: place.issuer).issuers == [issuer])
        #expect(try provider(["PROVIDER_ISSUER": issuer]).discovery?.issuer == issuer)
    }

    @Test func `GitHub needs no discovery document and no openid scope`() throws {
        let provider = try provider(Self.gitHub.merging(["SIGNIN_SCOPES": "user:email read:org"]) { $1 })
        #expect(provider.discovery == nil && provider.preset == .github && provider.profiles is DocumentProfiles)
        #expect(provider.options.tokenEndpoint == "https://github.com/login/oauth/access_token")
        #expect(provider.options.scopes == ["user:email", "read:org"] && provider.options.areKnown)
        #expect(provider.name == "github.com")
    }

    @Test(arguments: [
        ("PROVIDER_ISSUER", "https://github.com"), ("PROVIDER_TENANTS", tenant),
        ("PROVIDER_HOSTED_DOMAINS", "example.com"), ("PROVIDER_AUTHORIZATION_PARAMETERS", "max_age=60"),
        ("PROVIDER_KEY_ID", "key-1"), ("PROVIDER_CLIENT_SECRET", key), ("SIGNIN_JWKS_URI", "https://example.com/keys"),
        ("PROVIDER_CLAIMS", "company acr"), ("PROVIDER_GROUPS_CLAIM", "teams"), ("PROVIDER_SUBJECT_CLAIM", "id"),
        ("SIGNIN_USERINFO_ENDPOINT", "https://github.example/api/v3/user?x=1"),
        ("PROVIDER_PKCE", "no"), ("PROVIDER_CLIENT_AUTHENTICATION", "client_secret_post"),
    ])
    func `a setting that needs an ID token is an error with GitHub`(name: String, value: String) throws {
        #expect(try problems(Self.gitHub.merging([name: value]) { $1 }) == [name])
    }

    @Test(arguments: ["PROVIDER_GROUPS_CLAIM", "PROVIDER_CLAIMS"])
    func `organizations and teams of GitHub are requested with a scope of their own`(name: String) throws {
        let groups = Self.gitHub.merging([name: "groups"]) { $1 }
        #expect(try provider(groups).options.scopes == ["user:email", "read:org"])
        #expect(try problems(groups.merging(["SIGNIN_SCOPES": "user:email"]) { $1 }) == ["SIGNIN_SCOPES"])
        #expect(try provider(groups.merging(["SIGNIN_SCOPES": "admin:org"]) { $1 }).options.scopes == ["admin:org"])
    }

    @Test func `Microsoft Entra does not accept a key without its certificate`() throws {
        let key = ["PROVIDER_CLIENT_SECRET": Self.key]
        let shared = ["PROVIDER_ISSUER": Self.organizations, "PROVIDER_TENANTS": Self.tenant]
        let single = ["PROVIDER_ISSUER": "https://login.microsoftonline.us/\(Self.tenant)/v2.0"]
        for issuer in [shared, single] {
            #expect(try problems(issuer.merging(key) { $1 }) == ["PROVIDER_CLIENT_SECRET"])
            _ = try provider(issuer)
        }
        _ = try provider(key.merging(["PROVIDER_ISSUER": "https://sso.example.com/\(Self.tenant)"]) { $1 })
    }

    // MARK: - Apple

    private static let apple = [
        "PROVIDER_PRESET": "apple", "PROVIDER_ISSUER": "https://appleid.apple.com", "PROVIDER_TEAM_ID": "DEF123GHIJ",
        "PROVIDER_KEY_ID": "ABC123DEFG", "PROVIDER_CLIENT_SECRET": key,
    ]

    @Test func `Apple gets the name and the address in a form, and a client secret that the key signs`() throws {
        let members = #","token_endpoint_auth_methods_supported":["client_secret_post"]"#
        let discovered = try discovered(Self.apple, issuer: "https://appleid.apple.com", members: members)
        for options in [try provider(Self.apple).options, discovered] {
            #expect(options.scopes == ["name", "email"] && options.usesFormPost)
            #expect(options.clientAuthentication == .post)
        }
        #expect(try provider(Self.apple).credentials.team == "DEF123GHIJ")
        #expect(try !provider(Self.apple.merging(["SIGNIN_SCOPES": "openid"]) { $1 }).options.usesFormPost)
        #expect(try provider(Self.apple).discovery?.issuer == "https://appleid.apple.com")
    }

    @Test(
        arguments: [
            ("PROVIDER_TEAM_ID", ""), ("PROVIDER_KEY_ID", ""), ("PROVIDER_CLIENT_SECRET", ""),
            ("PROVIDER_CLIENT_SECRET", "s3cret"), ("PROVIDER_CLIENT_SECRET", key.replacing("MIGH", with: "MIGG")),
            ("PROVIDER_CLIENT_SECRET", nil), ("PROVIDER_HOSTED_DOMAINS", "example.com"), ("PROVIDER_TENANTS", tenant),
        ] as [(String, String?)]
    )
    func `P26: Apple needs a team, a P-256 key with an ID, and nothing of others`(name: String, value: String?) throws {
        let value = try value ?? _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        #expect(try problems(Self.apple.merging([name: value]) { $1 }) == [name])
    }

    @Test(arguments: [
        "PROVIDER_PRESET", "PROVIDER_TEAM_ID", "PROVIDER_KEY_ID", "PROVIDER_AUTHORIZATION_PARAMETERS",
        "PROVIDER_CLOCK_LEEWAY",
        "PROVIDER_HOSTED_DOMAINS", "PROVIDER_SIGN_OUT_PAGE",
    ])
    func `an addition without an issuer is an error`(name: String) throws {
        let values = [
            "PROVIDER_PRESET": "openid", "PROVIDER_AUTHORIZATION_PARAMETERS": "prompt=login",
            "PROVIDER_CLOCK_LEEWAY": "5s", "PROVIDER_SIGN_OUT_PAGE": "https://example.com/",
        ]
        let environment = [
            "LINKEDIN_CLIENT_ID": "id", "LINKEDIN_CLIENT_SECRET": "secret", "SIGNIN_BASE_URL": "https://example.com",
            name: values[name] ?? "example.com",
        ]
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(SettingSources(environment: environment, file: nil) { _ in "" })
        }
        #expect(error?.problems.map(\.subject).contains(name) == true)
    }
}
