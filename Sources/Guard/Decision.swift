package import Sessions

/// The result of a rule for a request.
package enum Decision: Sendable {
    /// The request is allowed; the session is nil for a visitor who is not signed in, if the rule is `anyone`.
    case admitted(Session?)
    /// The request is rejected; signing in may help.
    case signedOut
    /// The request is rejected; signing in does not help.
    case denied(Denial, Session?)
}
