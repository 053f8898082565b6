package import OpenID
package import Sessions

package import struct FoundationEssentials.Date

/// A recent failure that holds back further calls for a time.
package struct HeldCall: Error {
    package enum Cause: Sendable {
        case provider(OpenIDError)
        /// The profile was fetched but could not be stored.
        case store(StoreError)
    }

    package let cause: Cause
    let since: Date
    let until: Date

    /// Nil for a call that was not made, because too many calls were under way, and if the tokens were removed.
    ///
    /// LinkedIn may refuse a new token for about ten seconds.
    package init?(_ error: OpenIDError, isNewToken: Bool, now: Date) {
        let seconds: Int
        switch error.code {
        case .busy, .refreshRefused, .refreshForeign, .subjectMismatch: return nil
        case .throttled, .tokenThrottled: seconds = error.throttle?.retryAfter ?? 600
        case .accessTokenRefused:
            guard isNewToken else { return nil }
            seconds = 10
        case .discoveryUnavailable, .discoveryMalformed, .discoveryIssuer, .malformedCallback, .issuerMismatch,
            .tokenUnavailable, .clientRefused, .codeRefused, .tokenMalformed, .revocationRefused, .idTokenMissing,
            .idTokenMalformed, .idTokenAlgorithm, .idTokenKey, .idTokenSignature, .idTokenIssuer, .idTokenAudience,
            .idTokenExpired, .idTokenTime, .idTokenFuture, .idTokenSubject, .idTokenNonce, .idTokenHash,
            .idTokenAuthenticationTime, .idTokenClaim, .logoutTokenMalformed, .keysUnavailable, .accessDenied, .gone,
            .versionRefused,
            .resourceUnavailable, .resourceMalformed, .accessTokenMalformed, .accessTokenInactive, .accessTokenExpired,
            .accessTokenRevoked, .accessTokenForeign, .accessTokenMemberless, .accessTokenScopes,
            .introspectionUnavailable, .introspectionThrottled, .introspectionMalformed:
            seconds = 60
        }
        cause = .provider(error)
        since = now
        until = now.addingTimeInterval(Double(seconds))
    }

    /// A fetched profile that could not be stored; a retry would fail too.
    ///
    /// Nil if another request holds the lock of the session, because that request makes the call. A database that did not
    /// answer is soon back, or another server has taken over.
    package init?(_ error: StoreError, now: Date) {
        let seconds: Double
        switch error.code {
        case .locked: return nil
        case .busy, .unreachable: seconds = 2
        case .full, .unusable, .damaged, .noRandom: seconds = 30
        }
        cause = .store(error)
        since = now
        until = now.addingTimeInterval(seconds)
    }

    /// Whether only a new sign-in brings tokens.
    package var isUnusableRenewal: Bool {
        if case .provider(let error) = cause { error.code.isUnusableRenewal } else { false }
    }

    /// The limit that a throttle reports; nil for any other failure.
    var limit: Throttle.Limit? {
        if case .provider(let error) = cause { error.throttle?.limit } else { nil }
    }

    /// False also before `since`: after the clock was set back, nobody should wait until it reaches that time again.
    package func isInForce(at now: Date) -> Bool {
        since <= now && now < until
    }

    /// The remaining seconds, at least 1.
    package func remaining(at now: Date) -> Int {
        max(1, Int(until.timeIntervalSince(now).rounded(.up)))
    }
}

extension OpenIDError.Code {
    /// Whether the provider answered a renewal of tokens with something unusable.
    ///
    /// It answers, so a new sign-in may succeed, and a repetition would get the same.
    package var isUnusableRenewal: Bool {
        [
            .tokenMalformed, .idTokenMalformed, .idTokenAlgorithm, .idTokenKey, .idTokenSignature, .idTokenExpired,
            .idTokenTime, .idTokenFuture, .idTokenSubject, .idTokenHash,
        ].contains(self)
    }
}
