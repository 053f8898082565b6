/// What a browser brings back from the provider, before anything is checked but its form (RFC 6749 §4.1.2).
package struct AuthorizationResponse: Sendable, Equatable, Unprintable {
    package enum Outcome: Sendable, Equatable, Unprintable {
        case code(String)
        case error(AuthorizationErrorCode)
    }

    package let state: String
    package let outcome: Outcome

    package init(state: String, outcome: Outcome) {
        self.state = state
        self.outcome = outcome
    }
}

/// Why the provider sent the browser back without a code; what the provider said in words is not kept.
package enum AuthorizationErrorCode: String, Sendable, CaseIterable {
    /// The member pressed Cancel at the login or at the consent page.
    case cancelled
    /// The application may not ask for one of its scopes.
    case scopeRefused = "scope-refused"
    case temporarilyUnavailable = "temporarily-unavailable"
    case serverError = "server-error"
    case invalidRequest = "invalid-request"
    case other
}
