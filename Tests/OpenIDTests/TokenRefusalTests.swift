import HTTP
import OpenID
import Testing

@Suite struct TokenRefusalTests {
    private func refusal(_ answer: ClientResponse) async -> OpenIDError? {
        let transport = ScriptedTransport([answer])
        let error = await #expect(throws: OpenIDError.self) {
            try await OpenIDClient.make(transport: transport)
                .redeem(code: "AQT", for: AuthorizationRequest(state: "s"))
        }
        #expect(transport.sent.count == 1)
        return error
    }

    @Test(
        arguments: [
            (400, "invalid_grant", "", OpenIDError.Code.codeRefused),
            (401, "invalid_request", "Unable to retrieve access token: authorization code not found", .codeRefused),
            (400, "invalid_request", "Unable to retrieve access token: authorization code not found", .codeRefused),
            (400, "invalid_redirect_uri", "appid/redirect uri/code verifier does not match", .codeRefused),
            (400, "invalid_request", "The provided authorization grant is invalid, expired or revoked", .codeRefused),
            (400, "access_denied", "Refresh token not allowed", .codeRefused),
            (401, "invalid_client", "Client authentication failed", .clientRefused),
            (400, "invalid_client", "", .clientRefused),
            (400, "invalid_client_id", "The passed in client_id is invalid", .clientRefused),
            (400, "invalid_request", #"A required parameter \"client_id\" is missing"#, .clientRefused),
            (400, "invalid_request", #"A required parameter \"client_secret\" is missing"#, .clientRefused),
            (400, "unauthorized_client", "", .clientRefused),
            (400, "invention", "", .codeRefused), (401, "invention", "", .clientRefused),
        ]
    )
    func `an error of the token endpoint is classified by its name before its status`(
        status: Int,
        name: String,
        words: String,
        expected: OpenIDError.Code
    ) async throws {
        let body = #"{"error":"\#(name)","error_description":"\#(words)"}"#
        #expect(await refusal(try .make(status, body))?.code == expected)
    }

    @Test(
        arguments: [
            (400, OpenIDError.Code.codeRefused), (401, .clientRefused), (408, .tokenUnavailable),
            (429, .tokenThrottled), (500, .tokenUnavailable), (502, .tokenUnavailable), (503, .tokenUnavailable),
            (504, .tokenUnavailable), (201, .tokenMalformed), (204, .tokenMalformed), (206, .tokenMalformed),
            (301, .tokenMalformed), (302, .tokenMalformed), (304, .tokenMalformed), (307, .tokenMalformed),
            (404, .tokenMalformed), (0, .tokenMalformed), (-1, .tokenMalformed), (999, .tokenMalformed),
        ]
    )
    func `an error of the token endpoint without a readable body is classified by its status`(
        status: Int,
        expected: OpenIDError.Code
    ) async throws {
        let error = await refusal(try .make(status, "<html>", type: "text/html"))
        #expect(error?.code == expected)
        #expect(error?.detail == "HTTP \(status)")
    }

    @Test func `a token in an answer other than 200 is rejected`() async throws {
        #expect(await refusal(try .make(203, #"{"access_token":"a"}"#))?.code == .tokenMalformed)
    }

    @Test func `an error contains no text from the provider`() async throws {
        let body = #"{"error":"AQT-secret","error_description":"client_id AQT-secret","error_uri":"AQT-secret"}"#
        let error = try #require(await refusal(try .make(400, body)))
        #expect(error == OpenIDError(.codeRefused, detail: "HTTP 400"))
    }
}
