import Encoding

import struct Crypto.SHA256

/// The values of one sign-in that are sent to the provider and stored until the callback.
package struct AuthorizationRequest: Sendable, Equatable, Unprintable {
    package let state: String
    package let nonce: String?
    package let codeVerifier: String?

    /// - Parameters:
    ///   - state: at least 128 random bits as base64url (RFC 6749 §10.10).
    ///   - nonce: a random text, if the provider uses a nonce.
    ///   - codeVerifier: 43 to 128 unreserved characters (RFC 7636 §4.1), if the provider uses PKCE.
    package init(state: String, nonce: String? = nil, codeVerifier: String? = nil) {
        self.state = state
        self.nonce = nonce
        self.codeVerifier = codeVerifier
    }
}

/// The content of a callback (RFC 6749 §4.1.2); only its form and issuer have been checked.
package struct AuthorizationResponse: Sendable, Equatable, Unprintable {
    package enum Outcome: Sendable, Equatable, Unprintable {
        case code(String)
        case error(AuthorizationErrorCode)
    }

    package let state: String
    package let outcome: Outcome
    /// The requested scope that the provider's description of an error names, if any.
    package var refusedScope: String?
    /// The name of the member beside the code: not signed, for display only.
    package var displayName: String?
}

/// Why the provider sent the browser back without a code.
package enum AuthorizationErrorCode: String, Sendable, CaseIterable {
    /// The member clicked Cancel on the provider's sign-in or consent page.
    case cancelled
    /// The application is not allowed to request one of its scopes.
    case scopeRefused = "scope-refused"
    /// One of the requested scopes does not exist.
    case scopeUnknown = "scope-unknown"
    /// The provider requires another scope in addition to `openid`.
    case scopeInsufficient = "scope-insufficient"
    case temporarilyUnavailable = "temporarily-unavailable"
    case serverError = "server-error"
    case invalidRequest = "invalid-request"
    case other

    /// The reason, as the log spells it.
    package var reason: String { "provider-\(rawValue)" }

    /// Classifies an error by its name, which the provider or RFC 6749 §4.1.2.1 defines.
    init(_ name: String, dialect: Dialect) {
        if let known = dialect.authorizationErrors[name] {
            self = known
            return
        }
        self =
            switch name {
            // LemonLDAP::NG answers consent_required to a member who refuses (OpenID Connect Core §3.1.2.6).
            case "access_denied", "consent_required": .cancelled
            case "invalid_scope": .scopeRefused
            case "temporarily_unavailable": .temporarilyUnavailable
            case "server_error": .serverError
            case "invalid_request", "unauthorized_client", "unsupported_response_type": .invalidRequest
            default: .other
            }
    }
}

/// Proof key for code exchange (RFC 7636) with the method S256.
enum PKCE {
    /// BASE64URL(SHA256(ASCII(code_verifier))), RFC 7636 §4.2.
    static func challenge(for verifier: String) -> String {
        Base64URL.encode(SHA256.hash(data: Array(verifier.utf8)))
    }
}
