package import Sessions

/// The result of a rule for a request.
package enum Decision: Sendable {
    /// The request is allowed; the session is nil for a visitor who is not signed in, if the rule is `anyone`.
    case admitted(Session?)
    /// The request is rejected, and signing in may help: there is no session, or it is too old for the rule.
    case signedOut
    /// The request is rejected; signing in does not help.
    case denied(Denial, Session?)
}

/// Why a request is rejected for a reason that signing in cannot change; the raw value is the reason code in the log.
package enum Denial: String, Sendable {
    /// The web server's configuration has no rule, so nobody is admitted.
    case ruleMissing = "rule-missing"
    case ruleInvalid = "rule-invalid"
    case listUnreadable = "list-unreadable"
    /// The value of `SIGNIN_ACTION` is unknown.
    case actionUnknown = "action-unknown"
    case emailUnverified = "email-unverified"
    case notNamed = "not-named"
    case notListed = "not-on-allow-list"
    case listed = "on-deny-list"
    /// The rule admits the member, but the web server rejected the request itself.
    case byServer = "web-server"

    /// Whether the cause is the configuration, so that another account would be rejected too.
    package var isMisconfiguration: Bool {
        switch self {
        case .ruleMissing, .ruleInvalid, .listUnreadable, .actionUnknown: true
        case .emailUnverified, .notNamed, .notListed, .listed, .byServer: false
        }
    }
}
