import HTTP
import OpenID
import Testing

import struct Foundation.Date

@Suite struct IntrospectionTests {
    /// LinkedIn's documented answer, for the client of these tests.
    private static let linkedIn = """
        {"active":true,"client_id":"client","authorized_at":1799990000,"created_at":1799990000,"status":"active",\
        "expires_at":1805000000,"scope":"email,openid,profile","auth_type":"3L"}
        """

    private func introspect(_ answer: ClientResponse, token: String = "AQX") async throws -> IntrospectedToken {
        try await OpenIDClient.make(transport: ScriptedTransport([answer])).introspect(accessToken: token)
    }

    private func refusal(_ answer: ClientResponse) async -> OpenIDError? {
        await #expect(throws: OpenIDError.self) { try await introspect(answer) }
    }

    /// The documented answer with other members; nil removes one.
    private func changed(_ changes: [String: String?]) throws -> ClientResponse {
        var members = [
            "active": "true", "client_id": #""client""#, "status": #""active""#, "expires_at": "1805000000",
            "scope": #""email,openid,profile""#, "auth_type": #""3L""#,
        ]
        for (name, value) in changes { members[name] = value }
        return try .make(200, "{" + members.map { #""\#($0)":\#($1)"# }.joined(separator: ",") + "}")
    }

    @Test func `LinkedIn's answer about an active token gives its expiry and scopes`() async throws {
        let token = try await introspect(.make(200, Self.linkedIn))
        #expect(token.expires == Date(timeIntervalSince1970: 1_805_000_000))
        #expect(token.scopes == ["email", "openid", "profile"])
    }

    @Test func `the token is sent in a form with the credentials of the client`() async throws {
        let transport = ScriptedTransport([try .make(200, Self.linkedIn)])
        _ = try await OpenIDClient.make(transport: transport).introspect(accessToken: "AQ&client_id=x")
        let request = try #require(transport.sent.first)
        #expect(transport.sent.count == 1)
        #expect(request.method == .post)
        #expect(request.url == "https://provider.example/introspect")
        let expected = FormData(["token": "AQ&client_id=x", "client_id": "client", "client_secret": "secret"])
        #expect(FormData(parsing: String(decoding: request.body, as: UTF8.self)) == expected)
    }

    @Test func `the answer of a standard server is read`() async throws {
        let changes: [String: String?] = [
            "status": nil, "auth_type": nil, "expires_at": nil, "exp": "1800000001",
            "scope": #""openid profile email w_member_social""#,
        ]
        let token = try await introspect(changed(changes))
        #expect(token.expires == Date(timeIntervalSince1970: 1_800_000_001))
        #expect(token.scopes.contains("w_member_social"))
        #expect(try await introspect(changed(["expires_at": nil])).expires == nil)
    }

    @Test(arguments: [
        ("active", "false", OpenIDError.Code.accessTokenInactive), ("status", #""revoked""#, .accessTokenRevoked),
        ("status", #""expired""#, .accessTokenExpired), ("client_id", #""other""#, .accessTokenForeign),
        ("client_id", #""Client""#, .accessTokenForeign), ("client_id", #""client ""#, .accessTokenForeign),
        ("auth_type", #""2L""#, .accessTokenMemberless), ("auth_type", #""Enterprise_User""#, .accessTokenMemberless),
        ("expires_at", "1800000000", .accessTokenExpired), ("expires_at", "0", .accessTokenExpired),
        ("scope", #""openid,profile""#, .accessTokenScopes), ("scope", #""""#, .accessTokenScopes),
        ("scope", #""openid,profile,emails""#, .accessTokenScopes),
    ])
    func `a token that this client must not use is refused`(
        name: String,
        value: String,
        expected: OpenIDError.Code
    ) async throws {
        #expect(await refusal(try changed([name: value]))?.code == expected)
    }

    @Test func `LinkedIn's answer about the token of another application is refused`() async throws {
        #expect(await refusal(try .make(200, #"{"active":false}"#))?.code == .accessTokenInactive)
    }

    @Test func `missing scopes are named`() async throws {
        #expect(await refusal(try changed(["scope": #""openid""#]))?.detail == "missing: profile email")
    }

    @Test(arguments: [
        ("active", #""true""#), ("active", "1"), ("active", nil), ("client_id", nil), ("client_id", "7"),
        ("status", "true"), ("status", #""Active""#), ("expires_at", #""1805000000""#), ("expires_at", "-1"),
        ("expires_at", "1e300"), ("scope", nil), ("scope", #"["openid","profile","email"]"#),
    ])
    func `an answer that is not fully understood is refused`(name: String, value: String?) async throws {
        #expect(await refusal(try changed([name: value]))?.code == .introspectionMalformed)
    }

    @Test(arguments: ["", "[]", "null", "{", Self.linkedIn + "x", #"{"active":true,"active":true}"#])
    func `an answer that is not a JSON object is refused`(body: String) async throws {
        #expect(await refusal(try .make(200, body))?.code == .introspectionMalformed)
    }

    @Test func `an answer with another content type is refused`() async throws {
        #expect(await refusal(try .make(200, Self.linkedIn, type: "text/html"))?.code == .introspectionMalformed)
    }

    @Test(arguments: [
        (
            400, #"{"error":"invalid_request","error_description":"A required parameter \"client_id\" is missing"}"#,
            OpenIDError.Code.clientRefused
        ),
        (400, #"{"error":"invalid_client_id"}"#, .clientRefused),
        (400, #"{"error":"invalid_request","error_description":"Invalid token"}"#, .accessTokenInactive),
        (400, "", .accessTokenInactive), (401, #"{"error":"invalid_client"}"#, .clientRefused),
        (401, "", .clientRefused), (429, "{}", .introspectionThrottled), (500, "{}", .introspectionUnavailable),
        (503, "", .introspectionUnavailable), (408, "", .introspectionUnavailable), (204, "", .introspectionMalformed),
        (302, "", .introspectionMalformed), (404, "{}", .introspectionMalformed),
    ])
    func `an error answer is classified`(status: Int, body: String, expected: OpenIDError.Code) async throws {
        #expect(await refusal(try .make(status, body))?.code == expected)
    }

    private func checkCredentials(_ answer: ClientResponse) async throws {
        try await OpenIDClient.make(transport: ScriptedTransport([answer])).checkCredentials(askingAbout: "no-token")
    }

    @Test func `an answer about a token that does not exist accepts the client`() async throws {
        try await checkCredentials(.make(200, #"{"active":false}"#))
    }

    @Test(arguments: [
        (400, "", OpenIDError.Code.introspectionMalformed), (403, "<html>", .introspectionMalformed),
        (400, #"{"error":"invalid_request","error_description":"Invalid token"}"#, .introspectionMalformed),
        (200, #"{"active":true,"client_id":"client"}"#, .introspectionMalformed), (200, "{}", .introspectionMalformed),
        (401, "", .clientRefused), (400, #"{"error":"invalid_client_id"}"#, .clientRefused),
        (429, "", .introspectionThrottled), (503, "", .introspectionUnavailable),
    ])
    func `no other answer accepts the client`(status: Int, body: String, expected: OpenIDError.Code) async throws {
        let answer = try ClientResponse.make(status, body)
        let error = await #expect(throws: OpenIDError.self) { try await checkCredentials(answer) }
        #expect(error?.code == expected)
        if status != 200 { #expect(error?.detail.contains("HTTP \(status)") == true) }
    }

    @Test(arguments: [
        (TransportError.Code.timedOut, OpenIDError.Code.introspectionUnavailable),
        (.unreachable, .introspectionUnavailable), (.malformed, .introspectionMalformed), (.busy, .busy),
    ])
    func `an introspection that fails below HTTP is classified and not repeated`(
        code: TransportError.Code,
        expected: OpenIDError.Code
    ) async throws {
        let transport = ScriptedTransport(failing: code)
        let error = await #expect(throws: OpenIDError.self) {
            try await OpenIDClient.make(transport: transport).introspect(accessToken: "AQX")
        }
        #expect(error?.code == expected)
        #expect(transport.sent.count == 1)
    }

    @Test(arguments: ["", "a b", "a\nb", "é", "a\u{7f}", String(repeating: "x", count: 8193)])
    func `a text that is not a token is not sent`(text: String) async throws {
        let transport = ScriptedTransport([])
        let error = await #expect(throws: OpenIDError.self) {
            try await OpenIDClient.make(transport: transport).introspect(accessToken: text)
        }
        #expect(error?.code == .accessTokenMalformed)
        #expect(transport.sent.isEmpty)
    }

    @Test func `userinfo without an ID token names the member`() async throws {
        let body =
            #"{"sub":"782bbtaQ","name":"John Doe","email":"doe@email.com","email_verified":true,"acr":"mfa","team":"a"}"#
        let client = OpenIDClient.make(transport: ScriptedTransport([try .make(200, body)]))
        let claims = try await client.userInfo(ofIntrospected: "AQX")
        #expect((claims.subject, claims.name, claims.emailVerified) == ("782bbtaQ", "John Doe", true))
        #expect(claims.value(of: "team") == .texts(["a"]))
        #expect(claims.value(of: "acr") == .absent, "only an ID token can say how the member signed in")
        let nameless = OpenIDClient.make(transport: ScriptedTransport([try .make(200, #"{"name":"John Doe"}"#)]))
        let error = await #expect(throws: OpenIDError.self) { try await nameless.userInfo(ofIntrospected: "AQX") }
        #expect(error?.code == .resourceMalformed)
    }
}
