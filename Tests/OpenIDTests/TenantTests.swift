import HTTP
import Provider
import Testing

@testable import OpenID

/// One application for several tenants of Microsoft Entra, and one for several Google Workspace organizations.
@Suite struct TenantTests {
    private static let ours = "11111111-2222-3333-4444-555555555555"
    private static let alsoOurs = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
    private static let foreign = "99999999-9999-9999-9999-999999999999"
    private static let address = "https://login.microsoftonline.com/organizations/v2.0"

    private static func issuer(_ tenant: String) -> String { "https://login.microsoftonline.com/\(tenant)/v2.0" }

    private func options() throws -> ProtocolOptions {
        var options = ProtocolOptions.make(usesNonce: false, issuesIDToken: true, dialect: Dialect())
        let template = try #require(Entra.template(of: Self.address))
        Entra.admit([Self.ours, Self.alsoOurs], template: template, to: &options)
        return options
    }

    /// Verifies a token of Entra with these claims and with a key whose JWK has this `issuer`.
    private func verify(
        _ changes: [String: String?],
        keyIssuer: String? = nil,
        options: ProtocolOptions? = nil
    ) async throws -> IDToken {
        let key = try SigningKey.rsa()
        let owner = keyIssuer.map { #","issuer":"\#($0)""# } ?? ""
        let jwk = String(key.jwk.dropLast()) + owner + "}"
        let claims: [String: String?] = [
            "iss": #""\#(Self.issuer(Self.ours))""#, "tid": #""\#(Self.ours)""#, "oid": #""object""#,
            "email_verified": nil,
        ]
        let token = try TokenText(header: ["zip": nil], claims: claims.merging(changes) { $1 }).signed(by: key)
        return try await OpenIDClient.verify(token, keys: [jwk], options: try options ?? self.options())
    }

    private func refusal(_ changes: [String: String?], keyIssuer: String? = nil) async throws -> OpenIDError.Code? {
        do {
            _ = try await verify(changes, keyIssuer: keyIssuer)
            return nil
        } catch let error as OpenIDError {
            return error.code
        }
    }

    @Test func `P10: a token of each listed tenant is accepted, and its subject names the tenant`() async throws {
        let token = try await verify([:])
        #expect(token.issuer == Self.issuer(Self.ours))
        #expect(token.member.subject == "\(Self.ours).782bbtaQ-_")
        let other = try await verify(["iss": #""\#(Self.issuer(Self.alsoOurs))""#, "tid": #""\#(Self.alsoOurs)""#])
        #expect(other.member.subject == "\(Self.alsoOurs).782bbtaQ-_")
    }

    @Test func `P10: the issuer must be the template with the tenant of the token in it`() async throws {
        let ours = Self.issuer(Self.ours)
        let template = "https://login.microsoftonline.com/{tenantid}/v2.0"
        for (issuer, tenant) in [
            (ours, Self.alsoOurs), (ours, Self.foreign), (Self.issuer(Self.foreign), Self.ours), (template, Self.ours),
            (ours.replacing("https", with: "http"), Self.ours), (ours + "/", Self.ours),
            (ours.replacing("login.microsoftonline.com", with: "login.example.com"), Self.ours),
            (Self.address, Self.ours),
        ] {
            let changes = ["iss": #""\#(issuer)""#, "tid": #""\#(tenant)""#]
            #expect(try await refusal(changes) == .idTokenIssuer, "\(issuer) \(tenant)")
        }
        #expect(try await refusal(["tid": nil]) == .idTokenIssuer)
        #expect(try await refusal(["tid": #"["\#(Self.ours)"]"#]) == .idTokenIssuer)
    }

    @Test func `P10: a member of a tenant that is not listed is told that the account has no access`() async throws {
        for tenant in [Self.foreign, "{tenantid}", "organizations"] {
            let changes = ["iss": #""\#(Self.issuer(tenant))""#, "tid": #""\#(tenant)""#]
            #expect(try await refusal(changes) == .idTokenClaim)
        }
    }

    @Test func `a key of another tenant in the common key set signs no token`() async throws {
        #expect(try await refusal([:], keyIssuer: Self.issuer(Self.ours)) == nil)
        #expect(try await refusal([:], keyIssuer: Self.issuer("{tenantid}")) == nil)
        #expect(try await refusal([:], keyIssuer: Self.issuer(Self.foreign)) == .idTokenKey)
    }

    @Test func `P11: the same sub in two tenants is two members, and an address changes nothing`() async throws {
        let first = try await verify(["email": #""a@one.example""#]).member.subject
        let moved = try await verify(["email": #""b@two.example""#, "preferred_username": #""b""#]).member.subject
        let second = try await verify(["iss": #""\#(Self.issuer(Self.alsoOurs))""#, "tid": #""\#(Self.alsoOurs)""#])
        #expect(first == moved && first != second.member.subject)
    }

    @Test func `P12: only xms_edov verifies the address of a member of several tenants`() async throws {
        for (changes, isVerified) in [
            (["xms_edov": "true"], true), (["email_verified": "true"], false), (["xms_edov": "false"], false),
            (["xms_edov": "1"], false), ([:], false),
        ] {
            #expect(try await verify(changes).member.emailVerified == isVerified, "\(changes)")
        }
    }

    @Test func `P14: only the shared paths are for several tenants, and the host stays the configured one`() {
        let template = { Entra.template(of: $0) }
        #expect(
            template("https://login.microsoftonline.us/common/v2.0")
                == "https://login.microsoftonline.us/{tenantid}/v2.0"
        )
        #expect(template(Self.issuer(Self.ours)) == nil && template("https://login.microsoftonline.com") == nil)
        #expect(Entra.isTenant(Self.ours) && Entra.isTenant(Self.alsoOurs))
        for wrong in ["", "common", "contoso.com", Self.ours.dropLast() + "G", "\(Self.ours)0", "*"] {
            #expect(!Entra.isTenant(String(wrong)))
        }
    }

    @Test func `userinfo repeats the sub without the tenant, and another sub is another member`() async throws {
        let transport = ScriptedTransport([
            try .make(200, #"{"sub":"782bbtaQ-_","name":"Ada"}"#), try .make(200, #"{"sub":"\#(Self.ours).x"}"#),
        ])
        let client = OpenIDClient.make(options: try options(), transport: transport)
        let subject = "\(Self.ours).782bbtaQ-_"
        let claims = try await client.userInfo(accessToken: "t", subject: subject)
        #expect(claims.subject == subject && claims.name == "Ada")
        let error = await #expect(throws: OpenIDError.self) {
            try await client.userInfo(accessToken: "t", subject: subject)
        }
        #expect(error?.code == .subjectMismatch)
    }

    @Test func `an access token of another program is not accepted, because nothing names its tenant`() async throws {
        let answer = try ClientResponse.make(200, #"{"sub":"782bbtaQ-_"}"#)
        let client = OpenIDClient.make(options: try options(), transport: ScriptedTransport([answer]))
        let error = await #expect(throws: OpenIDError.self) { try await client.userInfo(ofIntrospected: "t") }
        #expect(error?.code == .idTokenClaim)
    }

    @Test func `P32: a refreshed token of another tenant is foreign`() async throws {
        let key = try SigningKey.rsa()
        let client = OpenIDClient.make(options: try options(), transport: try KeySetPeer(key).transport)
        for tenant in [Self.alsoOurs, Self.foreign] {
            let claims = ["iss": #""\#(Self.issuer(tenant))""#, "tid": #""\#(tenant)""#]
            let token = try TokenText(header: ["zip": nil], claims: claims).signed(by: key)
            let response = TokenResponse(accessToken: "t", idToken: token)
            let error = await #expect(throws: OpenIDError.self) {
                try await client.verify(
                    refreshed: response,
                    issuer: Self.issuer(Self.ours),
                    subject: "\(Self.ours).782bbtaQ-_"
                )
            }
            #expect(error?.code == .refreshForeign)
        }
    }

    // MARK: - Google Workspace

    private func workspace(_ domains: [String]) -> ProtocolOptions {
        var options = ProtocolOptions.make(issuers: [Self.google])
        GoogleWorkspace.admit(domains, to: &options)
        return options
    }

    private static let google = "https://accounts.google.com"

    @Test(
        arguments: [
            (["example.com"], #""example.com""#, true), (["example.com"], #""Example.COM""#, true),
            (["example.com"], #""example.com.evil.example""#, false), (["example.com"], #""sub.example.com""#, false),
            (["example.com"], nil, false), (["example.com"], #"["example.com"]"#, false),
            (["*"], #""any.example""#, true),
            (["*"], nil, false), (["*"], #""""#, false), (["a.example", "b.example"], #""b.example""#, true),
            ([], nil, true),
        ] as [([String], String?, Bool)]
    )
    func `P21, P22: the ID token must have the domain in hd, whatever the address is`(
        domains: [String],
        claim: String?,
        isAccepted: Bool
    ) async throws {
        let claims = ["iss": #""\#(Self.google)""#, "hd": claim, "email": #""ada@example.com""#]
        let key = try SigningKey.rsa()
        let token = try TokenText(claims: claims).signed(by: key)
        let code = await OpenIDClient.refusal(token, keys: [key.jwk], options: workspace(domains))
        #expect(code == (isAccepted ? nil : .idTokenClaim))
    }

    @Test(arguments: [
        (["example.com"], "&hd=example.com"), (["a.example", "b.example"], "&hd=%2A"), (["*"], "&hd=%2A"),
    ])
    func `P21: the request only asks for accounts of the domain`(domains: [String], end: String) {
        let client = OpenIDClient.make(options: workspace(domains))
        #expect(client.authorizationURL(for: AuthorizationRequest(state: "s")).hasSuffix(end))
    }

    @Test func `P23: a refresh without a new refresh token is accepted`() async throws {
        let transport = ScriptedTransport([try .make(200, #"{"access_token":"t","token_type":"Bearer"}"#)])
        let response = try await OpenIDClient.make(transport: transport).refresh(refreshToken: "r")
        #expect(response.refreshToken == nil && response.accessToken == "t")
    }
}
