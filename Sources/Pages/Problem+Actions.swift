extension Problem {
    /// What a page offers to do next, the most useful first.
    enum Action: Sendable, CaseIterable {
        case signIn
        /// The same, in words for somebody whose first try failed.
        case repeatSignIn
        /// To the page with the button that signs out.
        case signOut
        case reloadProfile
        /// The same address once more; the page does not hold it, because a code can be in it.
        case reload
        /// On with the form that was kept.
        case resume
        case home
    }

    /// Whether the page has a button that ends the session and leads to the sign-in of another account.
    package var switchesAccount: Bool { kind == .accountNotAllowed }

    /// Never empty: no page is a dead end.
    var actions: [Action] {
        switch kind {
        case .notFound, .methodNotAllowed, .badRequest, .tooLarge, .forbidden, .internalError,
            .signOutUnfinished, .formGone, .formDamaged, .formSent, .formRefused, .formUnanswered, .formTimedOut:
            [.home]
        case .formUnsent:
            [.resume, .home]
        case .scopeRefused, .providerRefusedUs, .clockWrong, .profileDenied, .profileGone, .versionRetired:
            // Only the operator can change these: another try would fail the same way.
            [.home]
        case .crossSite:
            [.signOut, .home]
        case .accountNotAllowed:
            // Beside the button of `switchesAccount`.
            [.home]
        case .stateUsed:
            // The first of the two callbacks most likely signed the visitor in.
            [.home, .signIn]
        case .signInNeeded, .addressTooLong, .accessEnded, .formNotKept, .tooManyForms:
            [.signIn, .home]
        case .signInCancelled, .stateMissing, .unencryptedCookieLost, .stateExpired, .callbackMalformed, .codeRefused,
            .identityRejected, .sessionCookieLost, .sessionUnknown:
            [.repeatSignIn, .home]
        case .providerUnavailable, .providerTimedOut, .providerBusy, .providerThrottled, .profileUnavailable,
            .accessPending, .tooManyRequests, .storeUnavailable:
            [activity.repetition, .home]
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

extension Problem.Kind {
    var usualActivity: Problem.Activity {
        switch self {
        case .profileUnavailable, .profileDenied, .profileGone, .versionRetired: .readingProfile
        case .accessPending: .finishingSignIn
        default: .signingIn
        }
    }
}
