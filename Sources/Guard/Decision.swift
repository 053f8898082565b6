package import Sessions

/// What a rule says to a request.
package enum Decision: Sendable {
    /// Let it pass; nil for a visitor who is not signed in, where the rule admits anyone.
    case admitted(Session?)
    /// Signing in may help.
    case signedOut
    /// Signing in does not help.
    case denied(Denial, Session?)
}
