/// Why a request is turned away although it makes no difference to sign in; the raw value is the log's reason code.
package enum Denial: String, Sendable {
    /// The server's configuration names no rule: then nobody is meant, not everybody.
    case ruleMissing = "rule-missing"
    case ruleInvalid = "rule-invalid"
    case listUnreadable = "list-unreadable"
    /// `SIGNIN_ACTION` is a word that this program does not know.
    case actionUnknown = "action-unknown"
    case emailUnverified = "email-unverified"
    case notNamed = "not-named"
    case notListed = "not-on-allow-list"
    case listed = "on-deny-list"
    /// The rule admits the member; the web server itself turned the request away.
    case byServer = "web-server"

    /// Whether another account would fare no better, because the fault is the operator's.
    package var isMisconfiguration: Bool {
        switch self {
        case .ruleMissing, .ruleInvalid, .listUnreadable, .actionUnknown: true
        case .emailUnverified, .notNamed, .notListed, .listed, .byServer: false
        }
    }
}
