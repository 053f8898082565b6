/// What happened and what to do next, in words for the visitor.
struct ProblemText {
    let title: String
    let happened: String
    let next: String

    init(_ title: String, _ happened: String, next: String) {
        self.title = title
        self.happened = happened
        self.next = next
    }
}

/// The words for every problem in one language; a language without one of them does not compile.
struct ProblemTexts {
    let notFound: ProblemText
    let methodNotAllowed: ProblemText
    let badRequest: ProblemText
    let tooLarge: ProblemText
    let signInNeeded: ProblemText
    let accountNotAllowed: ProblemText
    let forbidden: ProblemText
    let sessionCookieLost: ProblemText
    let sessionUnknown: ProblemText
    let signInCancelled: ProblemText
    let scopeRefused: ProblemText
    let stateMissing: ProblemText
    let stateExpired: ProblemText
    let stateUsed: ProblemText
    let callbackMalformed: ProblemText
    let providerRefusedUs: ProblemText
    let codeRefused: ProblemText
    let providerUnavailable: ProblemText
    let providerTimedOut: ProblemText
    let providerBusy: ProblemText
    let providerThrottled: ProblemText
    let identityRejected: ProblemText
    let profileUnavailable: ProblemText
    let profileDenied: ProblemText
    let profileGone: ProblemText
    let accessEnded: ProblemText
    let storeUnavailable: ProblemText
    let crossSite: ProblemText
    let formNotKept: ProblemText
    let formGone: ProblemText
    let signOutUnfinished: ProblemText
    let formDamaged: ProblemText
    let formSent: ProblemText
    let formRefused: ProblemText
    let formUnsent: ProblemText
    let formUnanswered: ProblemText
    let formTimedOut: ProblemText
    let internalError: ProblemText

    subscript(kind: Problem.Kind) -> ProblemText {
        switch kind {
        case .notFound: notFound
        case .methodNotAllowed: methodNotAllowed
        case .badRequest: badRequest
        case .tooLarge: tooLarge
        case .signInNeeded: signInNeeded
        case .accountNotAllowed: accountNotAllowed
        case .forbidden: forbidden
        case .sessionCookieLost: sessionCookieLost
        case .sessionUnknown: sessionUnknown
        case .signInCancelled: signInCancelled
        case .scopeRefused: scopeRefused
        case .stateMissing: stateMissing
        case .stateExpired: stateExpired
        case .stateUsed: stateUsed
        case .callbackMalformed: callbackMalformed
        case .providerRefusedUs: providerRefusedUs
        case .codeRefused: codeRefused
        case .providerUnavailable: providerUnavailable
        case .providerTimedOut: providerTimedOut
        case .providerBusy: providerBusy
        case .providerThrottled: providerThrottled
        case .identityRejected: identityRejected
        case .profileUnavailable: profileUnavailable
        case .profileDenied: profileDenied
        case .profileGone: profileGone
        case .accessEnded: accessEnded
        case .storeUnavailable: storeUnavailable
        case .crossSite: crossSite
        case .formNotKept: formNotKept
        case .formGone: formGone
        case .signOutUnfinished: signOutUnfinished
        case .formDamaged: formDamaged
        case .formSent: formSent
        case .formRefused: formRefused
        case .formUnsent: formUnsent
        case .formUnanswered: formUnanswered
        case .formTimedOut: formTimedOut
        case .internalError: internalError
        }
    }
}
