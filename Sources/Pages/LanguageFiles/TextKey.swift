/// A key of the language files; templates use it as `{{text.signIn}}`.
package enum TextKey: String, CaseIterable {
    case home
    case welcomeTitle
    case welcomeLead
    case signIn
    case choiceLead
    case choiceLast
    case choiceForm
    case signedInTitle
    case continueToSite
    case signOut
    case signOutEverywhere
    case showProfileLink
    case openProfile
    case showDetails
    case profileTitle
    case profileLink
    case copyLink
    case copyToken
    case linkCopied
    case noLinkTitle
    case noLinkSent
    case locale
    case profileLocale
    case signedOutTitle
    case signedOutEverywhere
    case signedOutAdvice
    case signedOutReturn
    case signOutAtProvider
    case signInAgain
    case forget
    case forgetTitle
    case forgetLead
    case forgetFinal
    case forgetTokens
    case forgetMore
    case forgetRest
    case forgetCancel
    case forgottenTitle
    case forgottenTokens
    case tokens
    case tokensLead
    case tokensNone
    case tokenMade
    case tokenMadeLead
    case tokenName
    case tokenLocations
    case tokenLocationsHint
    case tokenDays
    case tokenCreated
    case tokenEnds
    case tokenUsed
    case tokenUnused
    case tokenRevoke
    case tokenRevokeSure
    case tokenNew
    case tokenMake
    case tokenRecent
    case tokenNameWrong
    case tokenLocationsWrong
    case tokenPathWrong
    case tokenFormOld
    case tokensFull
    case tokenStoreFull
    case resumeTitle
    case resumeLead
    case resumeTarget
    case resumeSend
    case resumeDiscard
    case resumeDiscardSure
    case tryAgain
    case signInNewTab
    case useAnotherAccount
    case account
    case contact
    case requestID
}

/// A key whose text depends on a number.
package enum CountedKey: String, CaseIterable {
    case receivedNow = "received.now"
    case receivedMinutes = "received.minutes"
    case receivedHours = "received.hours"
    case receivedDays = "received.days"
    case signedInSessions = "signedIn.sessions"
    case deletedSessions = "deleted.sessions"
    /// The number is the maximum.
    case tokenDaysWrong
    case waitSeconds = "wait.seconds"
    case waitMinutes = "wait.minutes"
    case waitHours = "wait.hours"
    case waitDays = "wait.days"
}
