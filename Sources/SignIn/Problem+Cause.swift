import HTTP
import OpenID
import Pages

extension Problem.Kind {
    /// Whether the same request may go well a little later, so that it is worth saying when.
    var passes: Bool {
        switch self {
        case .providerUnavailable, .providerTimedOut, .providerBusy, .providerThrottled, .profileUnavailable,
            .storeUnavailable, .tooManyRequests:
            true
        default: false
        }
    }

    /// Seconds after which another try makes sense, for answers of 429 and 503.
    var retryAfter: Int? {
        switch self {
        case .providerBusy, .formUnsent, .tooManyRequests: 5
        case .tooManyForms: 60
        case .storeUnavailable: 30
        case .providerThrottled: 600
        default: nil
        }
    }

    /// The page for what the provider sent the browser back with.
    init(_ error: AuthorizationErrorCode) {
        self =
            switch error {
            case .cancelled: .signInCancelled
            case .scopeRefused: .scopeRefused
            case .temporarilyUnavailable, .serverError: .providerUnavailable
            case .invalidRequest, .other: .providerRefusedUs
            }
    }

    /// The page for what went wrong between us and the provider.
    init(_ error: OpenIDError) {
        self =
            switch error.code {
            case .malformedCallback, .issuerMismatch: .callbackMalformed
            case .tokenUnavailable, .keysUnavailable: Self.unreachable(error.transport, else: .providerUnavailable)
            case .tokenMalformed: .providerUnavailable
            case .tokenThrottled, .throttled: .providerThrottled
            case .clientRefused: .providerRefusedUs
            case .codeRefused: .codeRefused
            case .idTokenMissing, .idTokenMalformed, .idTokenAlgorithm, .idTokenKey, .idTokenSignature, .idTokenIssuer,
                .idTokenAudience, .idTokenExpired, .idTokenTime, .idTokenSubject, .idTokenNonce, .idTokenHash,
                .subjectMismatch:
                .identityRejected
            case .idTokenFuture: .clockWrong
            case .accessTokenRefused, .refreshRefused: .accessEnded
            case .accessDenied: .profileDenied
            case .gone: .profileGone
            case .versionRefused: .versionRetired
            case .resourceUnavailable: Self.unreachable(error.transport, else: .profileUnavailable)
            case .resourceMalformed: .profileUnavailable
            case .busy: .providerBusy
            }
    }

    private static func unreachable(_ code: TransportError.Code?, else kind: Problem.Kind) -> Problem.Kind {
        code == .timedOut ? .providerTimedOut : kind
    }
}
