package import HTTP

extension Problem.Kind {
    /// The status of the page: 4xx for a problem that the visitor can solve, 5xx for others (RFC 9110 §15).
    package var status: Status {
        switch self {
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .badRequest, .stateMissing, .unencryptedCookieLost, .stateExpired, .stateUsed, .callbackMalformed,
            .sessionCookieLost:
            .badRequest
        case .tooLarge: .contentTooLarge
        case .addressTooLong: Status(414, "URI Too Long")
        case .tooManyRequests, .tooManyForms: .tooManyRequests
        case .signInNeeded, .formNotKept: .unauthorized
        case .accountNotAllowed, .forbidden, .signInCancelled, .crossSite, .formRefused: .forbidden
        case .formSent: .conflict
        case .formGone: .gone
        case .scopeRefused, .providerRefusedUs, .codeRefused, .providerUnavailable, .identityRejected,
            .profileUnavailable, .profileDenied, .profileGone, .versionRetired, .accessPending, .accessEnded,
            .formUnanswered:
            .badGateway
        case .providerTimedOut, .formTimedOut: .gatewayTimeout
        case .providerBusy, .providerThrottled, .storeUnavailable, .signOutUnfinished, .formUnsent: .serviceUnavailable
        case .clockWrong, .sessionUnknown, .formDamaged, .internalError: .internalServerError
        }
    }
}
