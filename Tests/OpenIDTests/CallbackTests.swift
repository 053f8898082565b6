import Testing

@testable import OpenID

@Suite struct CallbackTests {
    private func outcome(_ query: String, _ options: ProtocolOptions = .make()) throws -> AuthorizationResponse {
        try OpenIDClient.make(options: options).parseCallback(query: query)
    }

    private func refusal(_ query: String, _ options: ProtocolOptions = .make()) -> OpenIDError.Code? {
        #expect(throws: OpenIDError.self) { try outcome(query, options) }?.code
    }

    @Test func `code and state of a callback are read byte for byte`() throws {
        #expect(try outcome("code=AQT&state=s") == AuthorizationResponse(state: "s", outcome: .code("AQT")))
        let odd = try outcome("x=1&x=2&state=s%2B&code=a%26client_id%3Dx+%2B%25%C3%A9")
        #expect(odd == AuthorizationResponse(state: "s+", outcome: .code("a&client_id=x +%é")))
    }

    @Test(
        arguments: [
            "", "code=a", "state=s", "code=&state=s", "code=a&state=", "code=a&code=b&state=s", "code=a&code=a&state=s",
            "state=a&state=b&code=c", "state=s&code", "state&code=a", "code=a&state=s&error=access_denied",
            "error=&state=s", "error=access_denied", "error=a&error=b&state=s", "code=a&state=s&iss=x&iss=x",
            "code=a%0d%0ab&state=s", "code=a%00&state=s", "code=a&state=%", "code=%ff&state=s", "code=a&state=%zz",
            "co%00de=a&state=s",
        ]
    )
    func `a callback with a missing, empty, repeated or contradictory parameter is rejected`(query: String) {
        #expect(refusal(query) == .malformedCallback)
    }

    @Test func `a code of 4 KiB is accepted and a longer code is rejected`() throws {
        let longest = String(repeating: "a", count: 4096)
        #expect(try outcome("state=s&code=\(longest)").outcome == .code(longest))
        #expect(refusal("state=s&code=a\(longest)") == .malformedCallback)
        #expect(refusal("code=a&state=\(longest)") == .malformedCallback)
    }

    @Test(
        arguments: [
            ("user_cancelled_login", AuthorizationErrorCode.cancelled), ("user_cancelled_authorize", .cancelled),
            ("access_denied", .cancelled), ("consent_required", .cancelled),
            ("unauthorized_scope_error", .scopeRefused),
            ("invalid_scope_error", .scopeUnknown), ("invalid_scope", .scopeRefused),
            ("openid_insufficient_scope_error", .scopeInsufficient),
            ("temporarily_unavailable", .temporarilyUnavailable),
            ("server_error", .serverError), ("invalid_request", .invalidRequest),
            ("unauthorized_client", .invalidRequest), ("unsupported_response_type", .invalidRequest),
            ("ACCESS_DENIED", .other), ("<script>", .other),
        ]
    )
    func `an error in a callback is mapped to a known kind`(name: String, kind: AuthorizationErrorCode) throws {
        let text = "error_description=Scope+%26quot%3Br_liteprofile%26quot%3B&error_uri=javascript:alert(1)"
        let response = try outcome("error=\(name)&\(text)&state=s")
        #expect(response == AuthorizationResponse(state: "s", outcome: .error(kind)))
    }

    @Test(
        arguments: [
            ("Scope+%26quot%3Bprofile%26quot%3B+is+not+authorized+for+your+application", "profile"),
            ("Scope+%22email%22+is+unknown", "email"), ("Scope+%26quot%3Br_verify%26quot%3B", nil),
            ("Scope+profile+is+not+authorized", nil), ("x&error_description=%22email%22", nil),
        ]
    )
    func `only a scope that was requested is taken from the description of an error`(
        text: String,
        scope: String?
    ) throws {
        let response = try outcome("error=unauthorized_scope_error&error_description=\(text)&state=s")
        #expect(response.refusedScope == scope)
    }

    @Test(arguments: ["code=a", "error=access_denied"])
    func `iss in a callback is compared byte for byte, also in an error callback`(answer: String) throws {
        let issuer = "iss=https%3A%2F%2Fwww.linkedin.com%2Foauth"
        let expected = try outcome("\(answer)&state=s")
        #expect(try outcome("\(answer)&state=s&\(issuer)") == expected)
        #expect(try outcome("\(answer)&state=s&iss=https://www.linkedin.com") == expected)
        for wrong in ["iss=https://evil.example", issuer + "%2F", "iss=HTTPS://www.linkedin.com", "iss="] {
            #expect(refusal("\(answer)&state=s&\(wrong)") == .issuerMismatch)
        }
    }

    @Test func `an issuer in a canonically equivalent spelling is another issuer`() {
        // U+212A is the Kelvin sign, which == treats as equal to K.
        let provider = ProtocolOptions.make(issuers: ["https://K.example"])
        #expect(refusal("code=a&state=s&iss=https://%E2%84%AA.example", provider) == .issuerMismatch)
    }

    @Test func `the operator sees the first 120 characters of a rejected issuer`() {
        let long = "https://other.example/" + String(repeating: "x", count: 1000)
        #expect(throws: OpenIDError(.issuerMismatch, detail: "iss is not an accepted issuer: " + long.prefix(120))) {
            try OpenIDClient.make().parseCallback(query: "code=a&state=s&iss=\(long)")
        }
    }

    @Test func `iss is required in a callback if the provider always sends it`() throws {
        let provider = ProtocolOptions.make(requiresIssuerParameter: true)
        #expect(refusal("code=a&state=s", provider) == .issuerMismatch)
        #expect(refusal("error=access_denied&state=s", provider) == .issuerMismatch)
        #expect(try outcome("code=a&state=s&iss=https://www.linkedin.com", provider).state == "s")
    }
}
