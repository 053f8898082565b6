import HTTP
import OpenID

import struct Foundation.Date

extension OpenIDClient {
    /// The time in all tests that do not say another.
    static let testTime = 1_800_000_000.0

    static func make(
        provider: Provider = .make(),
        credentials: ClientCredentials = ClientCredentials(identifier: "client", secret: "secret"),
        redirectURI: String = "https://site.example/signin/oauth",
        transport: ScriptedTransport = ScriptedTransport([]),
        now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: testTime) },
        pause: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) -> OpenIDClient {
        OpenIDClient(
            provider: provider,
            credentials: credentials,
            redirectURI: redirectURI,
            transport: transport,
            now: now,
            pause: pause
        )
    }
}

extension Provider {
    /// LinkedIn's switches unless told otherwise.
    static func make(
        issuers: [String] = ["https://www.linkedin.com/oauth", "https://www.linkedin.com"],
        authorizationEndpoint: String = "https://provider.example/authorization",
        scopes: [String] = ["openid", "profile", "email"],
        clientAuthentication: ClientAuthentication = .post,
        usesPKCE: Bool = false,
        usesNonce: Bool = false,
        requiresIssuerParameter: Bool = false,
        issuesIDToken: Bool = false,
        allowsMissingTokenType: Bool = true,
        idTokenAlgorithms: [SigningAlgorithm] = [.rs256],
        clockLeeway: Int = 60
    ) -> Provider {
        Provider(
            issuers: issuers,
            authorizationEndpoint: authorizationEndpoint,
            tokenEndpoint: "https://provider.example/token",
            userinfoEndpoint: "https://api.provider.example/userinfo",
            jwksURI: "https://provider.example/jwks",
            scopes: scopes,
            clientAuthentication: clientAuthentication,
            usesPKCE: usesPKCE,
            usesNonce: usesNonce,
            requiresIssuerParameter: requiresIssuerParameter,
            issuesIDToken: issuesIDToken,
            allowsMissingTokenType: allowsMissingTokenType,
            idTokenAlgorithms: idTokenAlgorithms,
            clockLeeway: clockLeeway
        )
    }
}
