import HTTP
import OpenID
package import Pages
import Provider
package import Sessions

extension Problem.Kind {
    /// The seconds after which the page says to try again; nil if no such time is known, or if trying again does not help.
    var retryAfter: Int? {
        switch self {
        case .providerBusy, .formUnsent, .tooManyRequests: 5
        case .accessPending: 10
        case .storeUnavailable, .sessionsRemain, .deletionUnfinished: 30
        case .tooManyForms: 60
        case .providerThrottled: 600
        case .notFound, .methodNotAllowed, .badRequest, .tooLarge, .addressTooLong, .signInNeeded, .accountNotAllowed,
            .emailNotVerified, .emailMissing, .forbidden, .sessionCookieLost, .sessionUnknown, .sessionTooOld,
            .signInCancelled, .scopeRefused, .stateMissing, .unencryptedCookieLost, .stateExpired, .stateUsed,
            .callbackMalformed, .providerRefusedUs, .codeRefused, .providerUnavailable, .providerTimedOut,
            .identityRejected, .clockWrong, .profileUnavailable, .profileDenied, .profileGone, .versionRetired,
            .accessEnded, .signOutUnfinished, .crossSite, .deletionRefused, .accountChanged, .changeNeedsSignIn,
            .formNotKept, .formGone, .formDamaged, .formSent, .formRefused, .formUnanswered, .formTimedOut,
            .internalError:
            nil
        }
    }

    /// The problem for an error in a callback.
    init(_ error: AuthorizationErrorCode) {
        self =
            switch error {
            case .cancelled: .signInCancelled
            case .scopeRefused, .scopeUnknown, .scopeInsufficient: .scopeRefused
            case .temporarilyUnavailable, .serverError: .providerUnavailable
            case .invalidRequest, .other: .providerRefusedUs
            }
    }

    /// The problem for a failed call to the provider or a rejected answer.
    init(_ error: OpenIDError) {
        self =
            switch error.code {
            case .malformedCallback, .issuerMismatch: .callbackMalformed
            case .discoveryUnavailable, .discoveryMalformed, .discoveryIssuer, .tokenUnavailable, .keysUnavailable:
                Self.unreachable(error.transport, else: .providerUnavailable)
            case .introspectionUnavailable: Self.unreachable(error.transport, else: .providerUnavailable)
            case .tokenMalformed, .introspectionMalformed: .providerUnavailable
            case .tokenThrottled, .throttled, .introspectionThrottled: .providerThrottled
            case .clientRefused: .providerRefusedUs
            case .codeRefused, .revocationRefused: .codeRefused
            case .idTokenMissing, .idTokenMalformed, .idTokenAlgorithm, .idTokenKey, .idTokenSignature, .idTokenIssuer,
                .idTokenAudience, .idTokenExpired, .idTokenTime, .idTokenSubject, .idTokenNonce, .idTokenHash,
                .subjectMismatch, .idTokenAuthenticationTime, .logoutTokenMalformed:
                .identityRejected
            case .idTokenClaim: .accountNotAllowed
            case .idTokenFuture: .clockWrong
            case .accessTokenRefused, .refreshRefused, .refreshForeign, .accessTokenMalformed, .accessTokenInactive,
                .accessTokenExpired,
                .accessTokenRevoked, .accessTokenForeign, .accessTokenMemberless:
                .accessEnded
            case .accessTokenScopes: .scopeRefused
            case .accessDenied: .profileDenied
            case .gone: .profileGone
            case .versionRefused: .versionRetired
            case .resourceUnavailable: Self.unreachable(error.transport, else: .profileUnavailable)
            case .resourceMalformed: .profileUnavailable
            case .busy: .providerBusy
            }
    }

    /// The problem for a failed call for a profile: the provider may not know a token yet that it has just issued.
    init(ofProfile error: OpenIDError) {
        self = error.code == .accessTokenRefused ? .accessPending : Self(error)
    }

    private static func unreachable(_ code: TransportError.Code?, else kind: Problem.Kind) -> Problem.Kind {
        code == .timedOut ? .providerTimedOut : kind
    }
}

extension ConcurrencyLimit.Refusal {
    var kind: Problem.Kind {
        switch self {
        case .allTaken: .providerBusy
        case .shareTaken: .tooManyRequests
        }
    }
}

extension SpendOutcome {
    /// Why the state cannot be marked as used, with the reason code in the log; nil if it is marked.
    package var refusal: (kind: Problem.Kind, reason: String)? {
        switch self {
        case .spent, .usedBefore: nil
        case .full: (.storeUnavailable, reason: "spent-states-full")
        case .shareTaken: (.tooManyRequests, reason: "spent-states-share")
        }
    }
}

extension HeldCall {
    var kind: Problem.Kind {
        switch cause {
        case .provider(let error): Problem.Kind(ofProfile: error)
        case .store: .storeUnavailable
        }
    }

    /// The reason code in the log.
    var reason: String {
        switch cause {
        case .provider(let error): error.code.rawValue
        case .store(let error): error.reason
        }
    }
}
