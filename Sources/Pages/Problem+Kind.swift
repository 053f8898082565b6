extension Problem {
    /// What went wrong; one wording each.
    package enum Kind: String, Sendable, CaseIterable {
        case notFound
        case methodNotAllowed
        case badRequest
        case tooLarge
        /// A sign-in could not lead back to this address.
        case addressTooLong
        /// The page is for signed-in members.
        case signInNeeded
        /// The member is signed in, but the site does not admit this account.
        case accountNotAllowed
        /// The site shows this to nobody, or not now: the operator's matter.
        case forbidden
        /// Sign-in after sign-in succeeds, and no session cookie comes back.
        case sessionCookieLost
        /// The same, but the cookie comes back and means nothing here.
        case sessionUnknown
        case signInCancelled
        /// The provider does not let this application ask for what it asked for: the operator's matter.
        case scopeRefused
        /// The sign-in cookie did not come back, or this is another browser.
        case stateMissing
        /// The same where the site is plain http on this machine, which Safari does not trust with a Secure cookie.
        case unencryptedCookieLost
        case stateExpired
        /// The callback came twice: the back button, a reload, a double click.
        case stateUsed
        case callbackMalformed
        /// The client credentials were refused: the operator's matter.
        case providerRefusedUs
        case codeRefused
        case providerUnavailable
        case providerTimedOut
        /// Too many calls to the provider are under way.
        case providerBusy
        /// The client has used up its share of the calls to the provider, or of the sign-ins.
        case tooManyRequests
        /// The provider itself asked for fewer calls.
        case providerThrottled
        /// The ID token was not acceptable.
        case identityRejected
        /// The ID token is from the future: the clock of this machine is behind.
        case clockWrong
        case profileUnavailable
        case profileDenied
        /// The old profile interface, which the provider has closed (410).
        case profileGone
        /// The provider no longer has the version of its interface that the settings name: the operator's matter.
        case versionRetired
        /// The provider does not know the access token that it has just issued.
        case accessPending
        /// The provider no longer accepts the access token; a new sign-in gives a new one.
        case accessEnded
        case storeUnavailable
        /// Signed out in this browser, while the session itself could not be ended.
        case signOutUnfinished
        /// A sign-out request that another site started.
        case crossSite
        /// A form that came without a session and could not be kept.
        case formNotKept
        /// The client has used up its share of the room for kept forms.
        case tooManyForms
        /// A form that was kept, and is not here any more: too old, or another browser's.
        case formGone
        /// A form that was kept, and cannot be opened any more.
        case formDamaged
        /// A form that was kept and sent before.
        case formSent
        /// What asks for a kept form to be sent does not fit it.
        case formRefused
        /// This site did not reach itself; the form is still kept.
        case formUnsent
        /// The form may have arrived, and its answer did not.
        case formUnanswered
        /// The same, because the application took too long.
        case formTimedOut
        case internalError
    }
}
