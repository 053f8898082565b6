import HTTP
import Provider
import Testing

@testable import OpenID

/// The ID token of a refresh (OpenID Connect Core §12.2).
@Suite struct RefreshedIDTokenTests {
    private static let issuer = "https://www.linkedin.com/oauth"
    private static let subject = "782bbtaQ-_"

    /// Whether the tokens are proven to be those of the member who signed in.
    private func isProven(
        _ changes: [String: String?],
        hasIDToken: Bool = true,
        usesNonce: Bool = false,
        domains: [String] = []
    ) async throws -> Bool {
        let key = try SigningKey.rsa()
        var provider = ProtocolOptions.make(usesNonce: usesNonce, issuesIDToken: true)
        GoogleWorkspace.admit(domains, to: &provider)
        let client = OpenIDClient.make(options: provider, transport: try KeySetPeer(key).transport)
        let token = hasIDToken ? try TokenText(claims: changes).signed(by: key) : nil
        let response = TokenResponse(accessToken: "t", idToken: token)
        return try await client.verify(refreshed: response, issuer: Self.issuer, subject: Self.subject)
    }

    @Test(arguments: [false, true])
    func `an ID token about the member of the sign-in proves whose tokens they are, also without a nonce`(
        usesNonce: Bool
    ) async throws {
        #expect(try await isProven([:], usesNonce: usesNonce))
    }

    @Test func `P21: a member who left the organization since the sign-in gets no new tokens`() async throws {
        #expect(try await isProven(["hd": #""example.com""#], domains: ["example.com"]))
        for left in [#""other.example""#, nil] {
            let error = await #expect(throws: OpenIDError.self) {
                try await isProven(["hd": left], domains: ["example.com"])
            }
            #expect(error?.code == .refreshForeign)
        }
    }

    @Test func `a refresh without an ID token proves nothing`() async throws {
        #expect(try await !isProven([:], hasIDToken: false))
    }

    @Test(arguments: [
        ("sub", #""another""#), ("sub", #""782BBTAQ-_""#), ("iss", #""https://www.linkedin.com""#),
        ("iss", #""https://issuer.example""#), ("aud", #""another-client""#),
    ])
    func `P32: an ID token about another member, or of another issuer or client, is foreign`(
        name: String,
        value: String
    ) async throws {
        let error = await #expect(throws: OpenIDError.self) { try await isProven([name: value]) }
        #expect(error?.code == .refreshForeign)
    }

    @Test(arguments: [
        ("exp", "1", OpenIDError.Code.idTokenExpired), ("sub", "7", .idTokenSubject),
        ("at_hash", #""x""#, .idTokenHash),
    ])
    func `the ID token of a refresh is verified like that of a sign-in`(
        name: String,
        value: String,
        expected: OpenIDError.Code
    ) async throws {
        let error = await #expect(throws: OpenIDError.self) { try await isProven([name: value]) }
        #expect(error?.code == expected)
    }
}
