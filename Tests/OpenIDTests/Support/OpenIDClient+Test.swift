import HTTP
import Provider
import Synchronization

import struct Foundation.Date

@testable import OpenID

extension OpenIDClient {
    /// The current time of tests that do not need another.
    static let testTime = 1_800_000_000.0

    static func make(
        options: ProtocolOptions = .make(),
        credentials: ClientCredentials = ClientCredentials(identifier: "client", secret: "secret"),
        redirectURI: String = "https://site.example/signin/oauth",
        transport: ScriptedTransport = ScriptedTransport([]),
        now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: testTime) },
        pause: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) -> OpenIDClient {
        OpenIDClient(
            options: options,
            credentials: credentials,
            redirectURI: redirectURI,
            transport: transport,
            now: now,
            pause: pause
        )
    }
}

extension ProtocolOptions {
    /// A provider with LinkedIn's options by default.
    static func make(
        issuers: [String] = ["https://www.linkedin.com/oauth", "https://www.linkedin.com"],
        authorizationEndpoint: String = "https://provider.example/authorization",
        scopes: [String] = ["openid", "profile", "email"],
        clientAuthentication: ClientAuthentication = .post,
        usesPKCE: Bool = false,
        usesNonce: Bool = false,
        requiresIssuerParameter: Bool = false,
        issuesIDToken: Bool = false,
        idTokenAlgorithms: [SigningAlgorithm] = [.rs256],
        clockLeeway: Int = 60,
        dialect: Dialect = .linkedIn
    ) -> ProtocolOptions {
        var options = ProtocolOptions(
            issuers: issuers,
            authorizationEndpoint: authorizationEndpoint,
            tokenEndpoint: "https://provider.example/token",
            userinfoEndpoint: "https://api.provider.example/userinfo",
            introspectionEndpoint: "https://provider.example/introspect",
            jwksURI: "https://provider.example/jwks",
            scopes: scopes,
            clientAuthentication: clientAuthentication,
            usesPKCE: usesPKCE,
            usesNonce: usesNonce,
            requiresIssuerParameter: requiresIssuerParameter,
            issuesIDToken: issuesIDToken,
            idTokenAlgorithms: idTokenAlgorithms,
            dialect: dialect
        )
        options.clockLeeway = clockLeeway
        return options
    }
}

extension OpenIDClient {
    /// Verifies an ID token of a provider that publishes these keys.
    static func verify(
        _ token: String,
        keys: [String],
        options: ProtocolOptions = .make(),
        accessToken: String? = nil,
        nonce: String? = nil
    ) async throws(OpenIDError) -> IDToken {
        let transport: ScriptedTransport
        do {
            transport = try KeySetPeer(keys).transport
        } catch {
            throw OpenIDError(.keysUnavailable, detail: "the test made no key set: \(error)")
        }
        return try await OpenIDClient.make(options: options, transport: transport)
            .verify(idToken: token, accessToken: accessToken, nonce: nonce)
    }

    /// Why an ID token is rejected; nil if it is accepted.
    static func refusal(
        _ token: String,
        keys: [String],
        options: ProtocolOptions = .make(),
        accessToken: String? = nil,
        nonce: String? = nil
    ) async -> OpenIDError.Code? {
        do throws(OpenIDError) {
            _ = try await verify(token, keys: keys, options: options, accessToken: accessToken, nonce: nonce)
            return nil
        } catch {
            return error.code
        }
    }
}

/// A clock that moves only by `advance`.
final class TestClock: Sendable {
    private let time = Mutex(OpenIDClient.testTime)

    /// Seconds since 1970.
    var seconds: Double { time.withLock { $0 } }

    @Sendable func now() -> Date {
        Date(timeIntervalSince1970: seconds)
    }

    func advance(by seconds: Double) {
        time.withLock { $0 += seconds }
    }
}
