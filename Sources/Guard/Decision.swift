package import Sessions

/// The result of a rule for a request.
package enum Decision: Sendable {
    /// The request is allowed; the session is nil for a visitor who is not signed in, if the rule is `anyone`.
    case admitted(CheckedSession?)
    /// The request is rejected, and signing in may help: there is no session, or it is too old for the rule.
    case signedOut
    /// The request is rejected; signing in does not help.
    case denied(Denial, CheckedSession?)
    /// The request presents a personal token that is not accepted; the ID is nil if the text is not a token.
    case tokenRefused(TokenObjection, PersonalTokenID?)
}

/// Why a personal token is not accepted at a guarded location; the raw value is the reason code in the log.
package enum TokenObjection: String, Sendable {
    /// The text is not a token.
    case malformed = "personal-token-malformed"
    /// There is no such token: it was revoked, it has ended, or it never existed.
    case unknown = "personal-token-unknown"
    /// The client presented so many unknown tokens that the store is not asked.
    case tooManyUnknown = "personal-token-limit"
    /// The token is not good for this path.
    case location = "personal-token-location"
    /// The rule has `signed-in-within`, and the use of a token is not a sign-in.
    case age = "personal-token-age"

    /// The error of the answer; nil if it is not known whether the token is good.
    package var error: BearerError? {
        switch self {
        case .malformed, .unknown: .invalidToken
        case .tooManyUnknown: nil
        case .location, .age: .insufficientScope
        }
    }
}

/// The error codes of answers about a token in `Authorization: Bearer` (RFC 6750 §3.1).
package enum BearerError: String, Sendable {
    case invalidToken = "invalid_token"
    case insufficientScope = "insufficient_scope"
}

/// Why a request is rejected for a reason that signing in cannot change; the raw value is the reason code in the log.
package enum Denial: String, Sendable, CaseIterable {
    /// The web server's configuration has no rule, so nobody is admitted.
    case ruleMissing = "rule-missing"
    case ruleInvalid = "rule-invalid"
    case listUnreadable = "list-unreadable"
    /// A line of a list is not an entry, or can never match a member.
    case listInvalid = "list-invalid"
    /// The value of `SIGNIN_ACTION` is unknown.
    case actionUnknown = "action-unknown"
    case emailUnverified = "email-unverified"
    /// The provider says that the address is verified, but the settings do not trust its addresses.
    case emailUntrusted = "email-untrusted"
    case otherProvider = "provider-not-named"
    case claimDiffers = "claim-differs"
    /// The settings did not name the claim when the member signed in.
    case claimNotKept = "claim-not-kept"
    case claimAbsent = "claim-absent"
    /// The claim is an object, a fraction, or a list of other things than text, whole numbers and truth values.
    case claimType = "claim-type"
    case claimTooLarge = "claim-too-large"
    /// The provider names another place for the claim, as Microsoft does for members of many groups.
    case claimDistributed = "claim-distributed"
    /// The identity with the claims for applications exceeds the limit of `IdentityFields`.
    case fieldsTooLarge = "fields-too-large"
    case notNamed = "not-named"
    case notListed = "not-on-allow-list"
    case listed = "on-deny-list"
    /// The rule admits the member, but the web server rejected the request itself.
    case byServer = "web-server"

    /// Whether the cause is the configuration, so that another account would be rejected too.
    package var isMisconfiguration: Bool {
        switch self {
        case .ruleMissing, .ruleInvalid, .listUnreadable, .listInvalid, .actionUnknown: true
        case .emailUnverified, .emailUntrusted, .otherProvider, .claimDiffers, .claimNotKept, .claimAbsent, .claimType,
            .claimTooLarge, .claimDistributed, .fieldsTooLarge, .notNamed, .notListed, .listed, .byServer:
            false
        }
    }
}
