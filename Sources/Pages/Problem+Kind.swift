extension Problem {
    /// What went wrong; each kind has its own texts.
    package enum Kind: String, Sendable, CaseIterable {
        case notFound
        case methodNotAllowed
        case badRequest
        case tooLarge
        /// The URL is too long for a sign-in to return to it.
        case addressTooLong
        /// The page is for signed-in members.
        case signInNeeded
        /// The member is signed in, but the site does not admit this account.
        case accountNotAllowed
        /// The web server or the rule rejects every account; only the operator can fix this.
        case forbidden
        /// Sign-ins succeed repeatedly, but the browser sends no session cookie.
        case sessionCookieLost
        /// Sign-ins succeed repeatedly, and the browser sends a session cookie, but the store does not know the
        /// session.
        case sessionUnknown
        case signInCancelled
        /// The provider does not allow this application the requested scopes; only the operator can fix this.
        case scopeRefused
        /// The browser did not send the sign-in cookie, or the sign-in started in another browser.
        case stateMissing
        /// The sign-in cookie is missing on a site with plain http on this machine: Safari rejects Secure cookies
        /// there.
        case unencryptedCookieLost
        case stateExpired
        /// The callback was requested twice, for example by the back button, a reload or a double click.
        case stateUsed
        case callbackMalformed
        /// The provider rejected the client credentials; only the operator can fix this.
        case providerRefusedUs
        case codeRefused
        case providerUnavailable
        case providerTimedOut
        /// Too many concurrent calls to the provider.
        case providerBusy
        /// The client has reached its limit of calls to the provider or of sign-ins.
        case tooManyRequests
        /// The provider limits the rate of calls.
        case providerThrottled
        /// The ID token is invalid.
        case identityRejected
        /// The ID token was issued in the future: the clock of this machine is slow.
        case clockWrong
        case profileUnavailable
        case profileDenied
        /// The provider has closed the old profile API (410).
        case profileGone
        /// The provider has retired the API versions in the settings; only the operator can fix this.
        case versionRetired
        /// The provider does not accept an access token yet that it has just issued.
        case accessPending
        /// The provider no longer accepts the access token; a new sign-in gets a new one.
        case accessEnded
        case storeUnavailable
        /// The browser is signed out, but the store could not end the session.
        case signOutUnfinished
        /// Another site sent the sign-out request.
        case crossSite
        /// A form was sent without a session and could not be kept.
        case formNotKept
        /// The client has reached its limit of kept forms.
        case tooManyForms
        /// The kept form does not exist here: it has expired, or another browser sent it.
        case formGone
        /// The kept form cannot be decrypted.
        case formDamaged
        /// The kept form has already been sent.
        case formSent
        /// The request to send a kept form does not match the form.
        case formRefused
        /// The program could not connect to the site; the form is still kept.
        case formUnsent
        /// The form may have arrived, but the site's response did not.
        case formUnanswered
        /// The form may have arrived, but the application did not respond in time.
        case formTimedOut
        case internalError
    }
}
