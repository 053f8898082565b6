/// The reason why a request is rejected although signing in would not help; the raw value is the reason code in the log.
package enum Denial: String, Sendable {
    /// The configuration of the web server has no rule, so nobody is admitted.
    case ruleMissing = "rule-missing"
    case ruleInvalid = "rule-invalid"
    case listUnreadable = "list-unreadable"
    /// The value of `SIGNIN_ACTION` is unknown.
    case actionUnknown = "action-unknown"
    case emailUnverified = "email-unverified"
    case notNamed = "not-named"
    case notListed = "not-on-allow-list"
    case listed = "on-deny-list"
    /// The rule admits the member, but the web server itself rejected the request.
    case byServer = "web-server"

    /// Whether the operator is at fault, so that another account would not help.
    package var isMisconfiguration: Bool {
        switch self {
        case .ruleMissing, .ruleInvalid, .listUnreadable, .actionUnknown: true
        case .emailUnverified, .notNamed, .notListed, .listed, .byServer: false
        }
    }
}
