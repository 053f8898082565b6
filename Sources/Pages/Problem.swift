/// A problem that a page reports to a visitor: its texts depend only on the kind, never on the provider's response.
package struct Problem: Sendable, Equatable {
    /// What the visitor was doing, so that "Try again" repeats it.
    package enum Activity: Sendable, CaseIterable {
        case signingIn
        /// The callback, whose code and state were not used: the same URL works again.
        case finishingSignIn
        case readingProfile
    }

    package var kind: Kind
    /// The ID of the request, which is also in the log.
    package var requestID: String
    /// Seconds to wait before trying again.
    package var retryAfter: Int?
    /// The account that was used, if another one may help.
    package var account: String?
    /// The contact to ask for access.
    package var contact: String?
    package var activity: Activity
    /// The local path to return to after sign-in; the sign-in route checks it again.
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
