package import HTTP

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
    /// The number of the request; nil unless the log has a line with the number.
    package var requestID: String?
    /// Seconds to wait before trying again.
    package var retryAfter: Int?
    /// The account that was used, if another one may help; the page shows no picture.
    package var account: SignedInMember?
    /// The contact to ask for access.
    package var contact: String?
    /// Nil for what a visitor usually does when this problem occurs.
    package var activity: Activity?
    /// The local path to return to after sign-in; the sign-in route checks it again.
    package var returnPath: String?

    package init(
        _ kind: Kind,
        requestID: String?,
        retryAfter: Int? = nil,
        account: SignedInMember? = nil,
        contact: String? = nil,
        activity: Activity? = nil,
        returnPath: String? = nil
    ) {
        self.kind = kind
        self.requestID = requestID
        self.retryAfter = retryAfter
        self.account = account
        self.contact = contact
        self.activity = activity
        self.returnPath = returnPath
    }

    /// What went wrong; each kind has its own texts.
    ///
    /// The raw value is the code in the JSON for scripts, spelled like the error codes of OAuth 2.0 (RFC 6749 §5.2).
    package enum Kind: String, Sendable, CaseIterable {
        case notFound = "not_found"
        case methodNotAllowed = "method_not_allowed"
        case badRequest = "bad_request"
        case tooLarge = "too_large"
        /// The URL is too long for a sign-in to return to it.
        case addressTooLong = "address_too_long"
        /// The page is for signed-in members.
        case signInNeeded = "sign_in_needed"
        /// The member is signed in, but the site does not admit this account.
        case accountNotAllowed = "account_not_allowed"
        /// The rule is about a verified e-mail address, and the provider has not verified that of the member.
        case emailNotVerified = "email_not_verified"
        /// The rule is about a verified e-mail address, and the provider sent no address of the member.
        case emailMissing = "email_missing"
        /// The web server or the rule rejects every account; only the operator can fix this.
        case forbidden = "forbidden"
        /// Sign-ins succeed repeatedly, but the browser sends no session cookie.
        case sessionCookieLost = "session_cookie_lost"
        /// Sign-ins succeed repeatedly, and the browser sends a session cookie, but the store does not know the
        /// session.
        case sessionUnknown = "session_unknown"
        /// Sign-ins succeed repeatedly, but the rule treats each new session as too old: the clocks of the site's machines
        /// differ.
        case sessionTooOld = "session_too_old"
        case signInCancelled = "sign_in_cancelled"
        /// The provider does not allow this application the requested scopes; only the operator can fix this.
        case scopeRefused = "scope_refused"
        /// The browser did not send the sign-in cookie, or the sign-in started in another browser.
        case stateMissing = "state_missing"
        /// The sign-in cookie is missing in a WebKit browser on a site with plain http on this machine: WebKit rejects Secure
        /// cookies there.
        case unencryptedCookieLost = "unencrypted_cookie_lost"
        case stateExpired = "state_expired"
        /// The callback was requested twice, for example by the back button, a reload or a double click.
        case stateUsed = "state_used"
        case callbackMalformed = "callback_malformed"
        /// The provider rejected the client credentials; only the operator can fix this.
        case providerRefusedUs = "provider_refused_us"
        case codeRefused = "code_refused"
        case providerUnavailable = "provider_unavailable"
        case providerTimedOut = "provider_timed_out"
        /// Too many concurrent calls to the provider.
        case providerBusy = "provider_busy"
        /// The client has reached its limit of calls to the provider or of sign-ins.
        case tooManyRequests = "too_many_requests"
        /// The provider limits the rate of calls.
        case providerThrottled = "provider_throttled"
        /// The ID token is invalid.
        case identityRejected = "identity_rejected"
        /// The ID token was issued in the future: the clock of this machine is slow.
        case clockWrong = "clock_wrong"
        case profileUnavailable = "profile_unavailable"
        case profileDenied = "profile_denied"
        /// The provider has closed the old profile API (410).
        case profileGone = "profile_gone"
        /// The provider has retired the API versions in the settings; only the operator can fix this.
        case versionRetired = "version_retired"
        /// The provider does not yet accept an access token that it has just issued.
        case accessPending = "access_pending"
        /// The provider no longer accepts the access token; a new sign-in gets a new one.
        case accessEnded = "access_ended"
        case storeUnavailable = "store_unavailable"
        /// The browser is signed out, but the store could not end the session.
        case signOutUnfinished = "sign_out_unfinished"
        /// The store could not end all sessions of a member; the member can try again.
        case sessionsRemain = "sessions_remain"
        /// Another site sent the sign-out request.
        case crossSite = "cross_site"
        /// Another site sent the request to delete a member's data.
        case deletionRefused = "deletion_refused"
        /// The page of a form named another member than the session: another tab has changed the account meanwhile.
        case accountChanged = "account_changed"
        /// A page of the program sent a form without a session, which may have ended in another browser.
        case changeNeedsSignIn = "change_needs_sign_in"
        /// The store could not delete all data of a member; the member can try again.
        case deletionUnfinished = "deletion_unfinished"
        /// A form was sent without a session and could not be kept.
        case formNotKept = "form_not_kept"
        /// The client has reached its limit of kept forms.
        case tooManyForms = "too_many_forms"
        /// The kept form does not exist here: it has expired, or another browser sent it.
        case formGone = "form_gone"
        /// The kept form cannot be decrypted.
        case formDamaged = "form_damaged"
        /// The kept form has already been sent.
        case formSent = "form_sent"
        /// The request to send a kept form does not match the form.
        case formRefused = "form_refused"
        /// The program could not connect to the site; the form is still kept.
        case formUnsent = "form_unsent"
        /// The form may have arrived, but the site's response did not.
        case formUnanswered = "form_unanswered"
        /// The form may have arrived, but the application did not respond in time.
        case formTimedOut = "form_timed_out"
        case internalError = "internal_error"
    }
}

extension Problem.Kind {
    /// The status of the page: 4xx for a problem that the visitor can solve, 5xx for others (RFC 9110 §15).
    package var status: Status {
        switch self {
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .badRequest, .stateMissing, .unencryptedCookieLost, .stateExpired, .stateUsed, .callbackMalformed,
            .sessionCookieLost:
            .badRequest
        case .tooLarge: .contentTooLarge
        case .addressTooLong: Status(414, "URI Too Long")
        case .tooManyRequests, .tooManyForms: .tooManyRequests
        case .signInNeeded, .changeNeedsSignIn, .formNotKept: .unauthorized
        case .accountNotAllowed, .emailNotVerified, .emailMissing, .forbidden, .signInCancelled, .crossSite,
            .deletionRefused, .formRefused:
            .forbidden
        case .accountChanged, .formSent: .conflict
        case .formGone: .gone
        case .scopeRefused, .providerRefusedUs, .codeRefused, .providerUnavailable, .identityRejected,
            .profileUnavailable, .profileDenied, .profileGone, .versionRetired, .accessPending, .accessEnded,
            .formUnanswered:
            .badGateway
        case .providerTimedOut, .formTimedOut: .gatewayTimeout
        case .providerBusy, .providerThrottled, .storeUnavailable, .signOutUnfinished, .sessionsRemain,
            .deletionUnfinished, .formUnsent:
            .serviceUnavailable
        case .clockWrong, .sessionUnknown, .sessionTooOld, .formDamaged, .internalError: .internalServerError
        }
    }
}

extension Problem.Kind {
    /// Whether the page shows the number of a request in the log, by which the operator finds its line; not if nothing failed.
    ///
    /// The code that answers with such a problem logs a warning or an error with the same number.
    package var showsRequest: Bool {
        switch self {
        case .notFound, .methodNotAllowed, .tooLarge, .addressTooLong, .signInNeeded, .accountNotAllowed,
            .emailNotVerified, .emailMissing, .signInCancelled, .stateExpired, .stateUsed, .tooManyRequests,
            .accessEnded, .accountChanged, .changeNeedsSignIn, .formNotKept, .tooManyForms, .formGone, .formSent:
            false
        case .badRequest, .forbidden, .sessionCookieLost, .sessionUnknown, .sessionTooOld, .scopeRefused, .stateMissing,
            .unencryptedCookieLost, .callbackMalformed, .providerRefusedUs, .codeRefused, .providerUnavailable,
            .providerTimedOut, .providerBusy, .providerThrottled, .identityRejected, .clockWrong, .profileUnavailable,
            .profileDenied, .profileGone, .versionRetired, .accessPending, .storeUnavailable, .signOutUnfinished,
            .sessionsRemain, .crossSite, .deletionRefused, .deletionUnfinished, .formDamaged, .formRefused, .formUnsent,
            .formUnanswered, .formTimedOut, .internalError:
            true
        }
    }
}

extension Problem.Kind {
    /// Whether the page names the account of the member, whom a rule rejects.
    var isAboutAccount: Bool { [.accountNotAllowed, .emailNotVerified, .emailMissing].contains(self) }
}

extension Problem {
    /// An action that a problem page offers.
    enum Action: Sendable, CaseIterable {
        case signIn
        /// Sign in, but in a new tab, because a reload of this one sends the request again.
        case signInNewTab
        /// Sign in after a failed attempt; the label is "Try again".
        case repeatSignIn
        /// Sign in again with the account that the page names.
        case signInAgain
        /// Sign out, with a form of the page.
        case signOut
        /// Sign out to sign in with another account, with a form of the page.
        case switchAccount
        /// Go to the page with the button that deletes the member's data.
        case forget
        case reloadProfile
        /// Load the same URL again; the page does not contain the URL, because it may include a code.
        case reload
        /// Go to the page of the form.
        case openForm
        case home
    }

    /// The actions of the page, the most useful first; never empty.
    var actions: [Action] {
        switch kind {
        case .notFound, .methodNotAllowed, .badRequest, .tooLarge, .forbidden, .internalError,
            .signOutUnfinished, .sessionsRemain, .accountChanged, .formGone, .formDamaged, .formSent, .formUnanswered,
            .formTimedOut:
            [.home]
        case .formUnsent, .formRefused:
            [.openForm, .home]
        case .scopeRefused, .providerRefusedUs, .clockWrong, .profileDenied, .profileGone, .versionRetired:
            // Only the operator can fix these: a retry would fail too.
            [.home]
        case .crossSite:
            [.signOut, .home]
        case .deletionRefused, .deletionUnfinished:
            [.forget, .home]
        case .accountNotAllowed:
            [.switchAccount, .home]
        case .emailNotVerified, .emailMissing:
            // A sign-in reads the address again, without a sign-out before it.
            [.signInAgain, .switchAccount, .home]
        case .stateUsed:
            // The first of the two callbacks most likely signed the visitor in.
            [.home, .signIn]
        case .signInNeeded, .changeNeedsSignIn, .addressTooLong, .accessEnded:
            [.signIn, .home]
        case .formNotKept, .tooManyForms:
            // A reload of this page sends the form again, with all it contains; no other page can do that.
            [.signInNewTab, .home]
        case .signInCancelled, .stateMissing, .unencryptedCookieLost, .stateExpired, .callbackMalformed, .codeRefused,
            .identityRejected, .sessionCookieLost, .sessionUnknown, .sessionTooOld:
            [.repeatSignIn, .home]
        case .profileUnavailable:
            [(activity ?? .readingProfile).repetition, .home]
        case .accessPending:
            [(activity ?? .finishingSignIn).repetition, .home]
        case .providerUnavailable, .providerTimedOut, .providerBusy, .providerThrottled, .tooManyRequests,
            .storeUnavailable:
            [(activity ?? .signingIn).repetition, .home]
        }
    }
}

extension Problem.Activity {
    fileprivate var repetition: Problem.Action {
        switch self {
        case .signingIn: .repeatSignIn
        case .finishingSignIn: .reload
        case .readingProfile: .reloadProfile
        }
    }
}
