import OpenID
import Testing

/// The current time is 1,800,000,000 and the leeway is 60 seconds.
@Suite struct IDTokenTimeTests {
    private func refusal(_ changes: [String: String?], leeway: Int = 60) async throws -> OpenIDError.Code? {
        let key = try await SigningKey.rsa()
        return await OpenIDClient.refusal(
            try TokenText(claims: changes).signed(by: key),
            keys: [key.jwk],
            provider: .make(clockLeeway: leeway)
        )
    }

    @Test(
        arguments: [
            ("1800000001", nil), ("1799999999", nil), ("1799999940.5", nil), ("1799999940", .idTokenExpired),
            ("1799999939", .idTokenExpired), ("1.8000035e9", nil), ("0", .idTokenExpired), ("-1", .idTokenTime),
            ("1e300", .idTokenTime), ("9223372036854775808", .idTokenTime), ("-1e300", .idTokenTime),
            (#""1800003590""#, .idTokenTime), ("null", .idTokenTime), ("[]", .idTokenTime), (nil, .idTokenTime),
        ] as [(String?, OpenIDError.Code?)]
    )
    func `an ID token is accepted until exp plus the leeway`(
        expiry: String?,
        expected: OpenIDError.Code?
    ) async throws {
        #expect(try await refusal(["exp": expiry]) == expected)
    }

    @Test(
        arguments: [
            ("1800000000", nil), ("1800000060", nil), ("1800000061", .idTokenFuture), ("1800086400", .idTokenFuture),
            ("1799999000.25", nil), ("1799996340", nil), ("1799996339", .idTokenTime), ("1799400000", .idTokenTime),
            ("1e300", .idTokenTime), ("-1", .idTokenTime), (#""1800000000""#, .idTokenTime), ("null", .idTokenTime),
            (nil, .idTokenTime),
        ] as [(String?, OpenIDError.Code?)]
    )
    func `an ID token must have been issued within the last hour`(
        issued: String?,
        expected: OpenIDError.Code?
    ) async throws {
        #expect(try await refusal(["iat": issued]) == expected)
    }

    @Test(
        arguments: [
            ("1799990000", nil), ("1800000060", nil), ("1800000061", .idTokenFuture), (#""1""#, .idTokenTime),
            ("1e300", .idTokenTime), ("null", .idTokenTime), (nil, nil),
        ] as [(String?, OpenIDError.Code?)]
    )
    func `an ID token is rejected before nbf`(begins: String?, expected: OpenIDError.Code?) async throws {
        #expect(try await refusal(["nbf": begins]) == expected)
    }

    @Test(arguments: [("iat", "1800003600"), ("nbf", "1800003600"), ("iat", "1800003599.6")])
    func `an ID token from the future reports how far this machine's clock is behind`(
        claim: String,
        time: String
    ) async throws {
        let key = try await SigningKey.rsa()
        let token = try TokenText(claims: ["exp": "1800007200", claim: time]).signed(by: key)
        let error = await #expect(throws: OpenIDError.self) {
            try await OpenIDClient.verify(token, keys: [key.jwk], provider: .make(clockLeeway: 60))
        }
        #expect(error?.code == .idTokenFuture)
        #expect(error?.clockSkew == 3600)
        #expect(error?.detail == "\(claim) is 3600 seconds ahead of this machine's clock")
    }

    @Test func `the leeway is between 0 and 5 minutes`() async throws {
        #expect(Provider.make(clockLeeway: 10_000).clockLeeway == 300)
        #expect(Provider.make(clockLeeway: -5).clockLeeway == 0)
        var provider = Provider.make()
        provider.clockLeeway = 301
        #expect(provider.clockLeeway == 300)
        #expect(try await refusal(["exp": "1799999701"], leeway: 10_000) == nil)
        #expect(try await refusal(["exp": "1799999700"], leeway: 10_000) == .idTokenExpired)
        #expect(try await refusal(["exp": "1800000000"], leeway: 0) == .idTokenExpired)
    }
}
