import Testing

@testable import OpenID

@Suite struct SecretsTests {
    private static let values: [any Sendable] = [
        ClientCredentials(identifier: "client", secret: "hush"),
        AuthorizationRequest(state: "hush", nonce: "hush", codeVerifier: "hush"),
        AuthorizationResponse(state: "hush", outcome: .code("hush")),
        AuthorizationResponse.Outcome.code("hush"),
        TokenResponse(accessToken: "hush", refreshToken: "hush", idToken: "hush"),
    ]

    @Test(arguments: values.indices)
    func `a value with a secret never prints the secret`(index: Int) {
        let value = Self.values[index]
        var dumped = ""
        dump([value], to: &dumped)
        for text in [dumped, "\(value)", String(reflecting: value), "\([value])", "\(Optional(value) as Any)"] {
            #expect(!text.contains("hush"))
        }
    }

    @Test func `two secrets are equal only if all their bytes are equal`() {
        #expect(ConstantTime.equal("state", "state"))
        #expect(ConstantTime.equal("", ""))
        for other in ["", "s", "statf", "State", "states", "state\0", "tstae"] {
            #expect(!ConstantTime.equal(other, "state"))
            #expect(!ConstantTime.equal("state", other))
        }
        #expect(!ConstantTime.equal("e\u{301}", "é"))
        // The missing bytes must not count as zeros.
        #expect(!ConstantTime.equal("a", "a\0"))
    }
}
