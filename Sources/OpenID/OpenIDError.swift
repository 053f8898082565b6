package import HTTP

/// Why a sign-in could not be completed.
///
/// Safe to log: of what the provider or the browser sent it holds only an issuer that was not accepted.
package struct OpenIDError: Error, Equatable {
    /// The reason, as the log spells it.
    package enum Code: String, Sendable, CaseIterable {
        // The authorization response.
        case malformedCallback = "callback-malformed"
        case issuerMismatch = "callback-issuer"
        // The token endpoint.
        case tokenUnavailable = "token-unavailable"
        case tokenThrottled = "token-throttled"
        case clientRefused = "token-client-refused"
        case codeRefused = "token-code-refused"
        case refreshRefused = "token-refresh-refused"
        case tokenMalformed = "token-malformed"
        // The ID token.
        case idTokenMissing = "id-token-missing"
        case idTokenMalformed = "id-token-malformed"
        case idTokenAlgorithm = "id-token-algorithm"
        case idTokenKey = "id-token-key"
        case idTokenSignature = "id-token-signature"
        case idTokenIssuer = "id-token-issuer"
        case idTokenAudience = "id-token-audience"
        case idTokenExpired = "id-token-expired"
        case idTokenTime = "id-token-time"
        /// Issued, or valid only, later than now: one of the two clocks is wrong.
        case idTokenFuture = "id-token-future"
        case idTokenSubject = "id-token-subject"
        case idTokenNonce = "id-token-nonce"
        case idTokenHash = "id-token-hash"
        case keysUnavailable = "keys-unavailable"
        // A protected resource.
        case accessTokenRefused = "resource-token-refused"
        case accessDenied = "resource-denied"
        case throttled = "resource-throttled"
        case gone = "resource-gone"
        /// The API no longer has, or never had, the version that was asked for.
        case versionRefused = "resource-version"
        case resourceUnavailable = "resource-unavailable"
        case resourceMalformed = "resource-malformed"
        case subjectMismatch = "userinfo-subject"
        // Either.
        case busy = "upstream-busy"
    }

    package let code: Code
    /// A sentence for the operator.
    package let detail: String
    /// What the transport said, if the call failed below HTTP.
    package let transport: TransportError.Code?
    /// What the provider said, if it asked for fewer calls.
    package let throttle: Throttle?
    /// Seconds by which the provider's clock is ahead of this machine's, for `idTokenFuture`.
    package let clockSkew: Int?

    /// The detail with what the transport said, for the log.
    package var logDetail: String {
        [transport?.rawValue, detail].compactMap(\.self).joined(separator: " ")
    }

    package init(
        _ code: Code,
        detail: String = "",
        transport: TransportError.Code? = nil,
        throttle: Throttle? = nil,
        clockSkew: Int? = nil
    ) {
        self.code = code
        self.detail = detail
        self.transport = transport
        self.throttle = throttle
        self.clockSkew = clockSkew
    }
}
