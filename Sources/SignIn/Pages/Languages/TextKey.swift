/// A key of the language files that templates or Swift code use by name.
///
/// Templates use it as in `{{text.signIn}}`.
enum TextKey: String, CaseIterable {
    case siteTitle
    case home
    case welcomeTitle
    case welcomeLead
    case signedInTitle
    case steps
    case signIn
    case signInDone
    case getProfileURL
    case getProfileURLHint
    case getProfileURLLocked
    case openProfile
    case openProfileLocked
    case noProfileLinkNote
    case signOut
    case profileTitle
    case locale
    case noLinkTitle
    case noLinkOffered
    case noLinkSent
    case signedOutTitle
    case signedOutLead
    case signedOutWarning
    case signedOutAdvice
    case signOutAtProvider
    case signInAgain
    case resumeTitle
    case resumeLead
    case resumeTarget
    case resumeSend
    case tryAgain
    case useAnotherAccount
    case anotherAccountAdvice
    case account
    case contact
    case requestID
}

/// A key whose text depends on a number.
enum CountedKey: String, CaseIterable {
    case receivedNow = "received.now"
    case receivedMinutes = "received.minutes"
    case receivedHours = "received.hours"
    case receivedDays = "received.days"
    case waitSeconds = "wait.seconds"
    case waitMinutes = "wait.minutes"
    case waitHours = "wait.hours"
    case waitDays = "wait.days"
}

extension Problem.Kind {
    /// The keys of what happened and what to do next.
    ///
    /// `next` may be absent: then the page's buttons say enough.
    var titleKey: String { "\(rawValue).title" }
    var happenedKey: String { "\(rawValue).happened" }
    var nextKey: String { "\(rawValue).next" }
}
