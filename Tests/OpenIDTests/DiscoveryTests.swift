import HTTP
import Testing

@testable import OpenID

@Suite struct DiscoveryTests {
    private static let issuer = "https://provider.example/tenant"

    /// A document with changed members, as JSON texts; nil removes one.
    private func document(_ changes: [String: String?] = [:], issuer: String = issuer) -> [UInt8] {
        var members: [String: String] = [
            "issuer": #""\#(issuer)""#,
            "authorization_endpoint": #""\#(issuer)/authorize?policy=1""#,
            "token_endpoint": #""\#(issuer)/token""#,
            "jwks_uri": #""\#(issuer)/keys""#,
            "userinfo_endpoint": #""\#(issuer)/userinfo""#,
            "response_types_supported": #"["code","id_token"]"#,
            "subject_types_supported": #"["public"]"#,
            "id_token_signing_alg_values_supported": #"["RS256"]"#,
        ]
        for (name, value) in changes { members[name] = value }
        return Array("{\(members.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ","))}".utf8)
    }

    private func options(
        _ changes: [String: String?] = [:],
        hasSecret: Bool = true
    ) throws(OpenIDError) -> ProtocolOptions {
        try DiscoveryDocument(parsing: document(changes), issuer: Self.issuer)
            .options(scopes: ["openid"], hasSecret: hasSecret)
    }

    private func refusal(
        _ bytes: [UInt8],
        issuer: String = issuer,
        hasSecret: Bool = true
    ) -> OpenIDError.Code? {
        do throws(OpenIDError) {
            _ = try DiscoveryDocument(parsing: bytes, issuer: issuer).options(scopes: [], hasSecret: hasSecret)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a document gives every endpoint, PKCE, a nonce and the issuer`() throws {
        let options = try options([
            "introspection_endpoint": #""https://api.provider.example/introspect""#,
            "revocation_endpoint": #""https://api.provider.example/revoke""#,
            "end_session_endpoint": #""https://api.provider.example/end?realm=a""#,
        ])
        #expect(options.issuers == [Self.issuer])
        #expect(options.authorizationEndpoint == "\(Self.issuer)/authorize?policy=1")
        #expect(options.tokenEndpoint == "\(Self.issuer)/token")
        #expect(options.jwksURI == "\(Self.issuer)/keys")
        #expect(options.userinfoEndpoint == "\(Self.issuer)/userinfo")
        #expect(options.introspectionEndpoint == "https://api.provider.example/introspect")
        #expect(options.revocationEndpoint == "https://api.provider.example/revoke")
        #expect(options.endSessionEndpoint == "https://api.provider.example/end?realm=a")
        #expect(options.usesPKCE && options.usesNonce && options.issuesIDToken && options.areKnown)
    }

    @Test(arguments: [("true", true), ("false", false), (nil, true)] as [(String?, Bool)])
    func `a provider may send logout tokens unless its document denies it`(member: String?, isExpected: Bool) throws {
        #expect(try options(["backchannel_logout_supported": member]).sendsLogoutTokens == isExpected)
    }

    @Test(arguments: [
        "https://provider.example/tenant/", "https://provider.example/Tenant", "https://provider.example",
        "https://provider.example:443/tenant", "http://provider.example/tenant", "",
    ])
    func `P5: a document of another issuer is rejected, even if only a final slash differs`(found: String) {
        #expect(refusal(document(issuer: found)) == .discoveryIssuer)
    }

    @Test func `P5: a final slash of the issuer is part of it, and is not doubled in the address`() {
        #expect(refusal(document(issuer: "\(Self.issuer)/"), issuer: "\(Self.issuer)/") == nil)
        let address = "\(Self.issuer)/.well-known/openid-configuration"
        #expect(DiscoveryDocument.address(of: Self.issuer) == address)
        #expect(DiscoveryDocument.address(of: "\(Self.issuer)/") == address)
    }

    @Test(arguments: [("true", true), ("false", false), (#""true""#, false), (nil, false)])
    func `P2, P3: iss is required in callbacks if the document announces it`(value: String?, isRequired: Bool) throws {
        let options = try options(["authorization_response_iss_parameter_supported": value])
        #expect(options.requiresIssuerParameter == isRequired)
    }

    @Test(arguments: [
        "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "introspection_endpoint",
        "revocation_endpoint",
    ])
    func `every endpoint must be an https URL without a fragment`(name: String) {
        let wrong = [
            "http://provider.example/x", "http://127.0.0.1/x", "ftp://provider.example/x", "/x", "",
            "https://provider.example/x#y", "https://user@provider.example/x", "javascript:alert(1)",
        ]
        for url in wrong { #expect(refusal(document([name: #""\#(url)""#])) == .discoveryMalformed) }
        #expect(refusal(document([name: "7"])) == .discoveryMalformed)
    }

    @Test func `an issuer on this machine may have endpoints with plain http, but only on this machine`() {
        let issuer = "http://127.0.0.1:8080"
        #expect(refusal(document(issuer: issuer), issuer: issuer) == nil)
        let remote = document(["token_endpoint": #""http://provider.example/token""#], issuer: issuer)
        #expect(refusal(remote, issuer: issuer) == .discoveryMalformed)
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    func `a document without an endpoint that a sign-in needs is rejected`(name: String) {
        #expect(refusal(document([name: nil])) == .discoveryMalformed)
        #expect(refusal(document([name: "null"])) == .discoveryMalformed)
    }

    @Test(arguments: ["http://provider.example/end", "javascript:alert(1)", "/end", ""])
    func `a wrong end session endpoint is ignored, because a sign-in does not need it`(url: String) throws {
        #expect(try options(["end_session_endpoint": #""\#(url)""#]).endSessionEndpoint == nil)
    }

    @Test func `a provider without userinfo can be used`() throws {
        let options = try options(["userinfo_endpoint": nil])
        #expect(options.userinfoEndpoint == nil && !options.completesIDToken)
    }

    @Test func `only asymmetric algorithms are accepted, never none and never HS256`() throws {
        let name = "id_token_signing_alg_values_supported"
        let mixed = #"["none","HS256","HS512","ES256","PS384","EdDSA","RS512","ES256K","rs256"]"#
        #expect(try options([name: mixed]).idTokenAlgorithms == [.es256, .ps384, .eddsa, .rs512])
        #expect(try options([name: nil]).idTokenAlgorithms == [.rs256])
        for none in [#"["none"]"#, #"["HS256"]"#, "[]", #""RS256""#] {
            #expect(refusal(document([name: none])) == .discoveryMalformed)
        }
    }

    @Test func `the client authenticates as the document says, and with Basic if it says nothing`() throws {
        let name = "token_endpoint_auth_methods_supported"
        #expect(try options().clientAuthentication == .basic)
        let both = #"["client_secret_post","client_secret_basic"]"#
        #expect(try options([name: both]).clientAuthentication == .basic)
        #expect(try options([name: #"["client_secret_post","private_key_jwt"]"#]).clientAuthentication == .post)
        #expect(refusal(document([name: #"["private_key_jwt"]"#])) == .discoveryMalformed)
        #expect(try options([name: #"["client_secret_basic"]"#], hasSecret: false).clientAuthentication == .none)
    }

    @Test func `PKCE is used unless the document lists other methods only; a client without secret needs it`() throws {
        let name = "code_challenge_methods_supported"
        #expect(try options([name: #"["plain","S256"]"#]).usesPKCE)
        #expect(try options([name: nil]).usesPKCE)
        #expect(try !options([name: #"["plain"]"#]).usesPKCE)
        #expect(refusal(document([name: #"["plain"]"#]), hasSecret: false) == .discoveryMalformed)
    }

    @Test(arguments: [
        ("response_types_supported", #"["id_token"]"#), ("response_types_supported", #""code""#),
        ("grant_types_supported", #"["implicit"]"#), ("require_pushed_authorization_requests", "true"),
    ])
    func `a provider without the code flow is rejected`(name: String, value: String) {
        #expect(refusal(document([name: value])) == .discoveryMalformed)
    }

    @Test func `a document that is too large or not a JSON object is rejected`() {
        #expect(refusal(document() + [UInt8](repeating: 0x20, count: DiscoveryDocument.limit)) == .discoveryMalformed)
        for text in ["", "[]", "<html>", #"{"issuer":"a","issuer":"b"}"#] {
            #expect(refusal(Array(text.utf8)) == .discoveryMalformed)
        }
    }

    @Test(arguments: [
        (404, "application/json", OpenIDError.Code.discoveryUnavailable),
        (302, "application/json", .discoveryUnavailable),
        (500, "application/json", .discoveryUnavailable),
        (200, "text/html", .discoveryMalformed),
    ])
    func `only a 200 with JSON is a document`(status: Int, type: String, code: OpenIDError.Code) async throws {
        var headers = Headers()
        try headers.append(.contentType, type)
        let answer = ClientResponse(status: status, headers: headers, body: document())
        let error = await #expect(throws: OpenIDError.self) {
            try await DiscoveryDocument.fetch(issuer: Self.issuer, by: ScriptedTransport([answer]))
        }
        #expect(error?.code == code)
    }

    @Test func `the document is fetched below the issuer, without credentials`() async throws {
        var headers = Headers()
        try headers.append(.contentType, "application/json; charset=utf-8")
        let transport = ScriptedTransport([ClientResponse(status: 200, headers: headers, body: document())])
        let (document, bytes) = try await DiscoveryDocument.fetch(issuer: Self.issuer, by: transport)
        #expect(document == (try DiscoveryDocument(parsing: bytes, issuer: Self.issuer)))
        #expect(transport.sent.map(\.url) == ["\(Self.issuer)/.well-known/openid-configuration"])
        #expect(transport.sent.first?.headers[.authorization] == nil)
    }

    @Test func `a public client sends its identifier and no secret`() async throws {
        let transport = ScriptedTransport([])
        let client = OpenIDClient.make(
            options: .make(clientAuthentication: .none),
            credentials: ClientCredentials(identifier: "client", secret: ""),
            transport: transport
        )
        _ = try? await client.refresh(refreshToken: "token")
        let request = try #require(transport.sent.first)
        let form = try #require(FormData(parsing: String(decoding: request.body, as: UTF8.self)))
        #expect(form["client_id"] == .one("client") && form["client_secret"] == .none)
        #expect(request.headers[.authorization] == nil)
    }
}

/// What of the claims about a member may be used.
@Suite struct MemberAddressTests {
    private func claims(_ members: String) async throws -> MemberClaims {
        var headers = Headers()
        try headers.append(.contentType, "application/json")
        let body = Array(#"{"sub":"alice",\#(members)}"#.utf8)
        let transport = ScriptedTransport([ClientResponse(status: 200, headers: headers, body: body)])
        return try await OpenIDClient.make(transport: transport).userInfo(accessToken: "token", subject: "alice")
    }

    @Test(arguments: [
        ("true", true), (#""true""#, true), ("false", false), (#""false""#, false), ("1", false), (#""1""#, false),
        (#""True""#, false), ("null", false), ("[true]", false),
    ])
    func `P16: only true and "true" verify an address`(flag: String, isVerified: Bool) async throws {
        let claims = try await claims(#""email":"a@example.org","email_verified":\#(flag)"#)
        #expect(claims.email == "a@example.org" && claims.emailVerified == isVerified)
    }

    @Test func `P15: an address without a flag is not verified`() async throws {
        #expect(try await !claims(#""email":"a@example.org""#).emailVerified)
    }

    @Test(arguments: ["a@b@example.org", "a.example.org", "@@", ""])
    func `P18: an address must have exactly one @`(address: String) async throws {
        #expect(try await claims(#""email":"\#(address)","email_verified":true"#).email == nil)
    }

    @Test func `P17: address and flag come from one document`() {
        let token = MemberClaims(subject: "alice", email: "a@example.org", emailVerified: false)
        let userinfo = MemberClaims(subject: "alice", name: "Alice", email: "b@example.org", emailVerified: true)
        let kept = token.completed(by: userinfo)
        #expect((kept.name, kept.email, kept.emailVerified) == ("Alice", "a@example.org", false))
        let added = MemberClaims(subject: "alice", emailVerified: true).completed(by: MemberClaims(subject: "alice"))
        #expect(added.email == nil && !added.emailVerified)
        let taken = MemberClaims(subject: "alice").completed(by: userinfo)
        #expect(taken.email == "b@example.org" && taken.emailVerified)
    }
}
