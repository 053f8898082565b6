import OpenID
import Sessions
import Testing

@testable import Settings

struct IssuerSettingsTests {
    private static let minimal = [
        "PROVIDER_ISSUER": "https://accounts.google.com", "PROVIDER_CLIENT_ID": "id",
        "PROVIDER_CLIENT_SECRET": "s3cret", "SIGNIN_BASE_URL": "https://example.com",
    ]

    private func read(_ changes: [String: String] = [:]) throws(ConfigurationError) -> Configuration {
        let environment = Self.minimal.merging(changes) { $1 }.filter { $0.value != "-" }
        return try Configuration(SettingSources(environment: environment, file: nil) { _ in "" })
    }

    private func problems(_ changes: [String: String]) throws -> [String] {
        let error = #expect(throws: ConfigurationError.self) { try read(changes) }
        return try #require(error).problems.map(\.subject)
    }

    @Test func `with an issuer, no setting of LinkedIn is needed`() throws {
        let configuration = try read()
        let provider = configuration.first
        #expect(provider.issuer == "https://accounts.google.com" && provider.name == "accounts.google.com")
        #expect(provider.hasSecret && provider.file == nil)
        #expect(provider.credentials.identifier == "id")
        #expect(provider.options.issuers == ["https://accounts.google.com"])
        #expect(provider.options.scopes == ["openid", "profile", "email"])
        #expect(!provider.options.areKnown && !provider.usesLinkedIn)
        #expect(provider.redirectURI == "https://example.com/oauth")
        #expect(configuration.pages.providers.map(\.name) == ["accounts.google.com"])
        #expect(try read(["PROVIDER_NAME": "Google"]).pages.providers[0].name == "Google")
        #expect(try read(["PROVIDER_CLIENT_SECRET": "-"]).first.hasSecret == false)
    }

    @Test(arguments: [
        "LINKEDIN_CLIENT_ID", "LINKEDIN_CLIENT_SECRET", "LINKEDIN_PRODUCT", "LINKEDIN_VERSION", "SIGNIN_ISSUERS",
        "SIGNIN_PROFILE_ENDPOINT",
    ])
    func `a setting of LinkedIn together with an issuer is an error`(name: String) throws {
        let values = ["LINKEDIN_PRODUCT": "openid", "SIGNIN_PROFILE_ENDPOINT": "https://provider.example/me"]
        #expect(try problems([name: values[name] ?? "text"]).contains(name))
    }

    @Test(arguments: ["PROVIDER_CLIENT_ID", "PROVIDER_CLIENT_SECRET", "PROVIDER_NAME", "PROVIDER_ID"])
    func `a setting of another provider without an issuer is an error`(name: String) throws {
        let linkedIn = [
            "PROVIDER_ISSUER": "-", "PROVIDER_CLIENT_ID": "-", "PROVIDER_CLIENT_SECRET": "-",
            "LINKEDIN_CLIENT_ID": "id", "LINKEDIN_CLIENT_SECRET": "secret",
        ]
        #expect(try problems(linkedIn.merging([name: "text"]) { $1 }) == [name])
    }

    @Test func `an issuer needs a client ID, and scopes with openid`() throws {
        let changes = ["PROVIDER_CLIENT_ID": "-", "SIGNIN_SCOPES": "profile email"]
        #expect(try problems(changes).sorted() == ["PROVIDER_CLIENT_ID", "SIGNIN_SCOPES"])
    }

    @Test(arguments: [
        "http://accounts.google.com", "accounts.google.com", "https://accounts.google.com?a=b",
        "https://user@accounts.google.com", "https://accounts.google.com#a",
    ])
    func `an issuer is an https URL without a query`(issuer: String) throws {
        #expect(try problems(["PROVIDER_ISSUER": issuer]).contains("PROVIDER_ISSUER"))
    }

    @Test func `P11: another issuer has other members, unless the operator keeps the ID`() throws {
        func id(_ issuer: String, _ changes: [String: String] = [:]) throws -> String? {
            try read(changes.merging(["PROVIDER_ISSUER": issuer]) { $1 }).first.id.description
        }
        let first = try id("https://sso.example.com/realms/one")
        #expect(first?.hasPrefix("sso-example-com-") == true)
        #expect(try first == id("https://sso.example.com/realms/one"))
        #expect(try first != id("https://sso.example.com/realms/one/"))
        #expect(try first != id("https://sso.example.com/realms/two"))
        #expect(try id("https://sso.example.com/realms/two", ["PROVIDER_ID": "sso"]) == "sso")
        let long = "https://\(String(repeating: "a", count: 60)).example.com:8443"
        #expect(try id(long).flatMap(ProviderID.init) != nil)
        #expect(try problems(["PROVIDER_ID": "linkedin"]) == ["PROVIDER_ID"])
        #expect(try problems(["PROVIDER_ID": "Google"]) == ["PROVIDER_ID"])
    }

    /// A discovery document with more members.
    private func document(_ more: String = "") throws -> DiscoveryDocument {
        let text = """
            {"issuer":"https://accounts.google.com","authorization_endpoint":"https://accounts.google.com/auth",
            "token_endpoint":"https://accounts.google.com/token","jwks_uri":"https://accounts.google.com/keys"\(more)}
            """
        return try DiscoveryDocument(parsing: Array(text.utf8), issuer: "https://accounts.google.com")
    }

    @Test func `P7: the operator may replace an endpoint of the document, but not the issuer`() throws {
        let document = try document()
        let settings = ["SIGNIN_TOKEN_ENDPOINT": "https://inside.example.com/token", "SIGNIN_SCOPES": "openid"]
        let provider = try read(settings).first.discovering(document).options
        #expect(provider.tokenEndpoint == "https://inside.example.com/token")
        #expect(provider.authorizationEndpoint == "https://accounts.google.com/auth")
        #expect(provider.signOutPage == "https://accounts.google.com/Logout")
        #expect(provider.scopes == ["openid"] && provider.areKnown)
    }

    @Test func `the operator may replace the end session endpoint of the document`() throws {
        let document = try document(#","end_session_endpoint":"https://accounts.google.com/end""#)
        #expect(try read().first.discovering(document).options.endSessionEndpoint == "https://accounts.google.com/end")
        let page = "https://accounts.google.com/signout?a=b"
        let options = try read(["PROVIDER_SIGN_OUT_PAGE": page]).first.discovering(document).options
        #expect(options.signOutPage == page && options.endSessionEndpoint == nil)
    }
}
