package import HTTP

import struct FoundationEssentials.Date

/// Why a sign-in or a request to the provider failed.
///
/// It is safe to log: it contains nothing that the provider or the browser sent, except an issuer that was not accepted.
package struct OpenIDError: Error, Equatable {
    /// The reason, as the log spells it.
    package enum Code: String, Sendable, CaseIterable {
        // The discovery document.
        case discoveryUnavailable = "discovery-unavailable"
        case discoveryMalformed = "discovery-malformed"
        case discoveryIssuer = "discovery-issuer"
        // The authorization response.
        case malformedCallback = "callback-malformed"
        case issuerMismatch = "callback-issuer"
        // The token endpoint.
        case tokenUnavailable = "token-unavailable"
        case tokenThrottled = "token-throttled"
        case clientRefused = "token-client-refused"
        case codeRefused = "token-code-refused"
        case refreshRefused = "token-refresh-refused"
        /// A refresh returned tokens that are not proven to be those of the member who signed in.
        case refreshForeign = "token-refresh-foreign"
        case tokenMalformed = "token-malformed"
        case revocationRefused = "token-revocation-refused"
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
        /// Issued in the future, or not valid yet: one of the two clocks is wrong.
        case idTokenFuture = "id-token-future"
        case idTokenSubject = "id-token-subject"
        case idTokenNonce = "id-token-nonce"
        case idTokenHash = "id-token-hash"
        /// The member's sign-in at the provider is older than `max_age`, or the token does not say when it was.
        case idTokenAuthenticationTime = "id-token-auth-time"
        /// The member does not belong to the organization or the tenants that the operator admits.
        case idTokenClaim = "id-token-claim"
        // The logout token; what it has in common with an ID token has the reasons of an ID token.
        case logoutTokenMalformed = "logout-token-malformed"
        case keysUnavailable = "keys-unavailable"
        // A protected resource.
        case accessTokenRefused = "resource-token-refused"
        case accessDenied = "resource-denied"
        case throttled = "resource-throttled"
        case gone = "resource-gone"
        /// The API does not support the requested version, or has retired it.
        case versionRefused = "resource-version"
        case resourceUnavailable = "resource-unavailable"
        case resourceMalformed = "resource-malformed"
        case subjectMismatch = "userinfo-subject"
        // An access token that another program obtained.
        case accessTokenMalformed = "access-token-malformed"
        /// Unknown, or of another client.
        case accessTokenInactive = "access-token-inactive"
        case accessTokenExpired = "access-token-expired"
        case accessTokenRevoked = "access-token-revoked"
        case accessTokenForeign = "access-token-foreign"
        /// A token of the application itself.
        case accessTokenMemberless = "access-token-memberless"
        case accessTokenScopes = "access-token-scopes"
        case introspectionUnavailable = "introspection-unavailable"
        case introspectionThrottled = "introspection-throttled"
        case introspectionMalformed = "introspection-malformed"
        // Any of these calls.
        case busy = "upstream-busy"
    }

    package let code: Code
    /// An explanation for the operator.
    package let detail: String
    /// The transport's error, if there was no HTTP answer.
    package let transportError: TransportError?
    /// The provider's limit, if it was exceeded.
    package let throttle: Throttle?
    /// Seconds by which the provider's clock is ahead of this machine's, for `idTokenFuture`.
    package let clockSkew: Int?

    package var transport: TransportError.Code? { transportError?.code }

    /// The transport's error and the detail, for the log.
    package var logDetail: String {
        [transport?.rawValue, detail].compactMap(\.self).joined(separator: " ")
    }

    package init(
        _ code: Code,
        detail: String = "",
        transport: TransportError? = nil,
        throttle: Throttle? = nil,
        clockSkew: Int? = nil
    ) {
        self.code = code
        self.detail = detail
        transportError = transport
        self.throttle = throttle
        self.clockSkew = clockSkew
    }

    // MARK: - Classification

    /// Classifies an error answer of the token endpoint, or of an endpoint with the same errors (RFC 6749 §5.2).
    ///
    /// The name of the error counts more than the status, because providers answer the same error with 400 and 401. Only a
    /// known name refuses what was sent, because a firewall on the way can answer with any status.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - refusal: the code for an answer that refuses the code or the token that was sent.
    ///   - dialect: the provider's own errors.
    init(tokenEndpointAnswer response: ClientResponse, refusal: Code, _ dialect: Dialect) {
        let status = "HTTP \(response.status)"
        switch response.status {
        case 200, 400, 401, 403:
            let body = JSON(parsing: response.body)
            let name = body?["error"]?.stringValue
            let description = body?["error_description"]?.stringValue ?? ""
            if let name, let code = Self.meaning(of: name, description, refusal, dialect) {
                self.init(code, detail: "\(status) \(name)")
            } else if response.status == 401 {
                self.init(.clientRefused, detail: status)
            } else {
                // Without a name, the answer is probably not the provider's own.
                self.init(name == nil ? .tokenUnavailable : .tokenMalformed, detail: status)
            }
        case 429:
            self.init(.tokenThrottled, detail: status, throttle: Throttle(response, dialect))
        case 408, 500...999:
            self.init(.tokenUnavailable, detail: status)
        default:
            self.init(.tokenMalformed, detail: status)
        }
    }

    /// The meaning of an error name; nil if the name is unknown, so that it is not logged.
    private static func meaning(
        of name: String,
        _ description: String,
        _ refusal: Code,
        _ dialect: Dialect
    ) -> Code? {
        switch dialect.tokenRefusal(name, description) {
        case .client: return .clientRefused
        case .grant: return refusal
        case .code: return refusal == .refreshRefused ? nil : refusal
        case nil: break
        }
        return switch name {
        case "invalid_grant", "invalid_scope": refusal
        // RFC 7009 §2.2.1.
        case "unsupported_token_type": refusal == .revocationRefused ? refusal : nil
        case "invalid_client", "unauthorized_client", "unsupported_grant_type": .clientRefused
        case "server_error", "temporarily_unavailable": .tokenUnavailable
        default: nil
        }
    }

    /// Classifies an error answer of a protected resource (RFC 6750 §3.1).
    init(resourceAnswer response: ClientResponse, _ dialect: Dialect, now: Date) {
        let wait = [403, 429].contains(response.status) ? dialect.wait(response, now) : nil
        let code: Code =
            switch response.status {
            case 401: .accessTokenRefused
            case 403 where wait != nil: .throttled
            case 403: .accessDenied
            case 404 where dialect.hidesDenials: .accessDenied
            case 410: .gone
            case _ where dialect.rejectsVersion(response): .versionRefused
            case 429: .throttled
            // A status over 599 counts as 5xx (RFC 9110 §15).
            case 408, 500...999: .resourceUnavailable
            default: .resourceMalformed
            }
        let throttle = code == .throttled ? Throttle(response, dialect, wait: wait) : nil
        self.init(code, detail: "HTTP \(response.status)", throttle: throttle)
    }
}

extension Transport {
    /// Sends a request; throws `busy`, `unavailable` or `malformed` if there is no HTTP answer.
    func send(
        _ request: ClientRequest,
        or unavailable: OpenIDError.Code,
        malformed: OpenIDError.Code
    ) async throws(OpenIDError) -> ClientResponse {
        do {
            return try await send(request)
        } catch {
            let code =
                switch error.code {
                case .busy: OpenIDError.Code.busy
                case .malformed, .tooLarge: malformed
                case .refusedURL, .unreachable, .untrusted, .timedOut, .cancelled: unavailable
                }
            throw OpenIDError(code, detail: error.detail, transport: error)
        }
    }
}

// MARK: - Throttling

/// A provider's limit that was exceeded (429, RFC 6585 §4): who exceeded it, and how long to wait.
package struct Throttle: Sendable, Equatable {
    /// Whose calls the provider counts.
    package enum Limit: Sendable {
        case application
        case member
        case unnamed
    }

    package let limit: Limit
    /// Seconds to wait, 1 to 86,400, because limits are per day; nil if the provider did not send a valid number.
    package let retryAfter: Int?

    package init(limit: Limit, retryAfter: Int?) {
        self.limit = limit
        self.retryAfter = retryAfter
    }

    private static let longest = 86_400

    init(_ response: ClientResponse, _ dialect: Dialect, wait: Int? = nil) {
        limit = dialect.throttledLimit(response)
        retryAfter = wait ?? Self.retryAfter(of: response)
    }

    /// The seconds to wait that a response names; nil if it does not.
    package static func retryAfter(of response: ClientResponse) -> Int? {
        response.headers[.retryAfter].flatMap(seconds)
    }

    /// A number of seconds (RFC 9110 §10.2.3); dates are not supported.
    private static func seconds(_ field: String) -> Int? {
        guard field.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(field),
            (1...longest).contains(seconds)
        else { return nil }
        return seconds
    }
}
