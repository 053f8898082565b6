/// Something that went wrong, as a visitor is told it: fixed words by kind, nothing of the provider's.
package struct Problem: Sendable, Equatable {
    /// What the visitor was doing, which is what trying again repeats.
    package enum Activity: Sendable, CaseIterable {
        case signingIn
        /// The callback, of which nothing was used up: the same address works again.
        case finishingSignIn
        case readingProfile
    }

    package var kind: Kind
    /// The request's number, which the log has too.
    package var requestID: String
    /// Seconds after which trying again may help.
    package var retryAfter: Int?
    /// The account that was used, where another one may help.
    package var account: String?
    /// Whom to ask for access.
    package var contact: String?
    package var activity: Activity
    /// The local path that signing in again should lead to; the login endpoint checks it anew.
    package var returnPath: String?

    package init(
        _ kind: Kind,
        requestID: String,
        retryAfter: Int? = nil,
        account: String? = nil,
        contact: String? = nil,
        activity: Activity? = nil,
        returnPath: String? = nil
    ) {
        self.kind = kind
        self.requestID = requestID
        self.retryAfter = retryAfter
        self.account = account
        self.contact = contact
        self.activity = activity ?? kind.usualActivity
        self.returnPath = returnPath
    }
}
