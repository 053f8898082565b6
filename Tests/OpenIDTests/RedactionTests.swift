import OpenID
import Testing

@Suite struct RedactionTests {
    private static let values: [any Sendable] = [
        ClientCredentials(identifier: "client", secret: "hush"),
        AuthorizationRequest(state: "hush", nonce: "hush", codeVerifier: "hush"),
        AuthorizationResponse(state: "hush", outcome: .code("hush")),
        AuthorizationResponse.Outcome.code("hush"),
        TokenResponse(accessToken: "hush", refreshToken: "hush", idToken: "hush"),
    ]

    @Test(arguments: values.indices)
    func `a value that holds a secret does not print it, however it is printed`(index: Int) {
        let value = Self.values[index]
        var dumped = ""
        dump([value], to: &dumped)
        for text in [dumped, "\(value)", String(reflecting: value), "\([value])", "\(Optional(value) as Any)"] {
            #expect(!text.contains("hush"))
        }
    }
}
