/// The name of an event in the log, in the metrics and in alerts: stable, because scripts search for it.
///
/// docs/log.md explains each name. What tells apart events of one name is their reason.
package enum EventName: String, Sendable, CaseIterable {
    // Sign-in and sign-out.
    case signedIn = "signed-in"
    case signedInAlready = "signed-in-already"
    case signedOut = "signed-out"
    case signedOutByProvider = "signed-out-by-provider"
    case signInFailed = "sign-in-failed"
    case signInLoop = "sign-in-loop"
    case signInRefused = "sign-in-refused"
    case signInRepeated = "sign-in-repeated"
    case signOutRefused = "sign-out-refused"
    case logoutTokenRefused = "logout-token-refused"
    case returnPathRefused = "return-path-refused"
    case oldSessionKept = "old-session-kept"

    // The guard.
    case accessDenied = "access-denied"
    case listRead = "list-read"
    case listRefused = "list-refused"
    case sessionRefused = "session-refused"

    // Kept forms.
    case formDamaged = "form-damaged"
    case formDiscarded = "form-discarded"
    case formFailed = "form-failed"
    case formKept = "form-kept"
    case formNotKept = "form-not-kept"
    case formRefused = "form-refused"
    case formReplayed = "form-replayed"

    // The member's account.
    case dataDeleted = "data-deleted"
    case deletionRefused = "deletion-refused"
    case profileFailed = "profile-failed"
    case profileHeldBack = "profile-held-back"
    case profileRefused = "profile-refused"

    // Access tokens and personal tokens.
    case personalTokenFormRefused = "personal-token-form-refused"
    case personalTokenMade = "personal-token-made"
    case personalTokenRefused = "personal-token-refused"
    case personalTokenRevoked = "personal-token-revoked"
    case personalTokenUsed = "personal-token-used"
    case tokenRefused = "token-refused"
    case tokensNotRenewed = "tokens-not-renewed"
    case tokensNotRevoked = "tokens-not-revoked"
    case tokensRemoved = "tokens-removed"
    case tokensRenewed = "tokens-renewed"
    case tokensRevoked = "tokens-revoked"

    // The provider.
    case addressMissing = "address-missing"
    case groupsMissing = "groups-missing"
    case discoveryFailed = "discovery-failed"
    case discoveryRead = "discovery-read"
    case linkedInVersionRefused = "linkedin-version-refused"
    case profileLinkNotOffered = "profile-link-not-offered"
    case providerCallRepeated = "provider-call-repeated"

    // The store and the server keys.
    case serverKeysFailed = "server-keys-failed"
    case serverKeysRead = "server-keys-read"
    case storeClaimFailed = "store-claim-failed"
    case storeClaimed = "store-claimed"
    case storeFailed = "store-failed"
    case storeLost = "store-lost"
    case storeReachable = "store-reachable"
    case sweepFailed = "sweep-failed"
    case swept = "swept"

    // The FastCGI server.
    case acceptBackingOff = "accept-backing-off"
    case acceptResumed = "accept-resumed"
    case connectionDropped = "connection-dropped"
    case handlerFailed = "handler-failed"
    case peerRefused = "peer-refused"
    case peerTimedOut = "peer-timed-out"
    case requestRejected = "request-rejected"
    case threadHung = "thread-hung"
    case threadResumed = "thread-resumed"

    // The process.
    case listening = "listening"
    case logLinesDropped = "log-lines-dropped"
    case predecessorStopping = "predecessor-stopping"
    case reloadRefused = "reload-refused"
    case reloaded = "reloaded"
    case reloading = "reloading"
    case restartNeeded = "restart-needed"
    case signalIgnored = "signal-ignored"
    case stopped = "stopped"
    case stopping = "stopping"
    case textsMissing = "texts-missing"
}
