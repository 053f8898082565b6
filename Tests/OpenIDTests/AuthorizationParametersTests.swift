import HTTP
import Testing

import struct Foundation.Date

@testable import OpenID

/// Parameters that the operator adds to authorization requests.
@Suite struct AuthorizationParametersTests {
    @Test func `parameters of the operator follow those of the protocol, each encoded once`() throws {
        var options = ProtocolOptions.make()
        options.authorizationParameters = try .init(parsing: "prompt=select_account&acr_values=urn%3Aa+b&max_age=60")
        let url = OpenIDClient.make(options: options).authorizationURL(for: AuthorizationRequest(state: "s"))
        #expect(url.hasSuffix("&state=s&prompt=select_account&acr_values=urn%3Aa%20b&max_age=60"))
        #expect(options.authorizationParameters.maximumAge == 60)
    }

    @Test(arguments: [
        "response_type", "response_mode", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "request", "request_uri", "registration", "id_token_hint", "claims", "hd",
        "client_secret", "STATE", "Redirect_URI",
    ])
    func `a parameter that the program sets itself is rejected in any spelling of its letters`(name: String) {
        #expect(throws: AuthorizationParameters.Unusable.self) { try AuthorizationParameters(parsing: "\(name)=x") }
        #expect(throws: AuthorizationParameters.Unusable.self) {
            try AuthorizationParameters(parsing: "prompt=login&\(name)=x")
        }
    }

    @Test(arguments: [
        "", "&", "prompt", "prompt=", "=x", "prompt=a&prompt=b", "p%00=x", "p=%", "é=x", "max_age=-1", "max_age=1.5",
        "max_age=x", "max_age=99999999999999999999", "max_age=31536001",
        "p=\(String(repeating: "x", count: 513))", (1...21).map { "p\($0)=x" }.joined(separator: "&"),
    ])
    func `a text that is not a list of distinct parameters is rejected`(text: String) {
        #expect(throws: AuthorizationParameters.Unusable.self) { try AuthorizationParameters(parsing: text) }
    }

    /// Why an ID token is rejected; the sign-in started 100 seconds ago, and the leeway is 60 seconds.
    private func refusal(authTime: String?, maximumAge: Int?) async throws -> OpenIDError.Code? {
        var options = ProtocolOptions.make()
        if let maximumAge { options.authorizationParameters = try .init(parsing: "max_age=\(maximumAge)") }
        let key = try SigningKey.rsa()
        let client = OpenIDClient.make(options: options, transport: try KeySetPeer(key).transport)
        do throws(OpenIDError) {
            let token: String
            do { token = try TokenText(claims: ["auth_time": authTime]).signed(by: key) } catch { return .busy }
            let started = Date(timeIntervalSince1970: OpenIDClient.testTime - 100)
            _ = try await client.verify(idToken: token, accessToken: nil, nonce: nil, started: started)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        arguments: [
            ("1799999900", nil), ("1799999999", nil), ("1799996240", nil), ("1800000060", nil),
            ("1799996239", .idTokenAuthenticationTime), ("1800000061", .idTokenAuthenticationTime),
            ("0", .idTokenAuthenticationTime), (#""1799999900""#, .idTokenAuthenticationTime),
            ("null", .idTokenAuthenticationTime), (nil, .idTokenAuthenticationTime),
        ] as [(String?, OpenIDError.Code?)]
    )
    func `with max_age, auth_time must be there and at most that old when the sign-in starts`(
        time: String?,
        expected: OpenIDError.Code?
    ) async throws {
        #expect(try await refusal(authTime: time, maximumAge: 3600) == expected)
    }

    @Test func `max_age=0 accepts a sign-in after the request only, and no max_age accepts any`() async throws {
        #expect(try await refusal(authTime: "1799999950", maximumAge: 0) == nil)
        #expect(try await refusal(authTime: "1799999839", maximumAge: 0) == .idTokenAuthenticationTime)
        #expect(try await refusal(authTime: "1", maximumAge: nil) == nil)
        #expect(try await refusal(authTime: nil, maximumAge: nil) == nil)
    }
}
