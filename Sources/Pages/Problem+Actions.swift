extension Problem {
    /// An action that a problem page offers.
    enum Action: Sendable, CaseIterable {
        case signIn
        /// Sign in after a failed attempt; the label is "Try again".
        case repeatSignIn
        /// Go to the page with the sign-out button.
        case signOut
        case reloadProfile
        /// Load the same URL again; the page does not contain the URL, because it may include a code.
        case reload
        /// Continue with the kept form.
        case resume
        case home
    }

    /// Whether the page has a button that signs out and starts a sign-in with another account.
    package var switchesAccount: Bool { kind == .accountNotAllowed }

    /// The actions of the page, the most useful first; never empty.
    var actions: [Action] {
        switch kind {
        case .notFound, .methodNotAllowed, .badRequest, .tooLarge, .forbidden, .internalError,
            .signOutUnfinished, .formGone, .formDamaged, .formSent, .formRefused, .formUnanswered, .formTimedOut:
            [.home]
        case .formUnsent:
            [.resume, .home]
        case .scopeRefused, .providerRefusedUs, .clockWrong, .profileDenied, .profileGone, .versionRetired:
            // Only the operator can fix these: a retry would fail too.
            [.home]
        case .crossSite:
            [.signOut, .home]
        case .accountNotAllowed:
            // In addition to the button of `switchesAccount`.
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
