import HTTP
import OpenID
import Testing

/// Token revocation (RFC 7009).
@Suite struct RevocationTests {
    private func provider(_ authentication: ProtocolOptions.ClientAuthentication = .post) -> ProtocolOptions {
        var provider = ProtocolOptions.make(clientAuthentication: authentication)
        provider.revocationEndpoint = "https://provider.example/revoke"
        return provider
    }

    @Test func `the request is a form POST with token and credentials`() async throws {
        let transport = ScriptedTransport([ClientResponse(status: 200)])
        try await OpenIDClient.make(options: provider(), transport: transport).revoke("a token&client_id=x")
        let request = try #require(transport.sent.first)
        #expect(request.method == .post && request.url == "https://provider.example/revoke")
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
        let form = FormData(parsing: String(decoding: request.body, as: UTF8.self))
        #expect(form?["token"] == .one("a token&client_id=x") && form?.pairs.count == 3)
        #expect(form?["client_id"] != FormData.Lookup.none && form?["client_secret"] != FormData.Lookup.none)
    }

    @Test func `a provider with Basic authentication gets no secret in the form`() async throws {
        let transport = ScriptedTransport([ClientResponse(status: 200)])
        try await OpenIDClient.make(options: provider(.basic), transport: transport).revoke("a")
        let request = try #require(transport.sent.first)
        #expect(request.headers[.authorization]?.hasPrefix("Basic ") == true && request.body == Array("token=a".utf8))
    }

    @Test func `without an endpoint nothing is sent`() async throws {
        let transport = ScriptedTransport([])
        try await OpenIDClient.make(transport: transport).revoke("a")
        #expect(transport.sent.isEmpty)
    }

    @Test(arguments: [
        (400, #"{"error":"unsupported_token_type"}"#, OpenIDError.Code.revocationRefused),
        (401, #"{"error":"invalid_client"}"#, .clientRefused), (429, "", .tokenThrottled), (503, "", .tokenUnavailable),
        (302, "", .tokenMalformed), (404, "", .tokenMalformed),
    ])
    func `any answer but 200 is an error`(status: Int, body: String, code: OpenIDError.Code) async throws {
        let transport = ScriptedTransport([ClientResponse(status: status, body: Array(body.utf8))])
        let client = OpenIDClient.make(options: provider(), transport: transport)
        let error = await #expect(throws: OpenIDError.self) { try await client.revoke("canary-token") }
        #expect(error?.code == code && error?.logDetail.contains("canary") == false)
    }
}
