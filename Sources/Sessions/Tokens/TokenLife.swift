package import struct FoundationEssentials.Date

extension Tokens {
    /// Whether the access token is too old to start a call with it; see `TokenTimes`.
    package func accessHasEnded(at now: Date) -> Bool { TokenTimes(self).accessHasEnded(at: now) }

    /// Whether there is a refresh token that has not expired.
    package func canBeRenewed(at now: Date) -> Bool { TokenTimes(self).canBeRenewed(at: now) }
}

extension TokenTimes {
    /// Whether the access token is too old to start a call with it.
    ///
    /// Its last five minutes do not count, so that it does not end during a call, or because the clock of this machine is
    /// behind. Of a token that lives for less than eight hours, only the last hundredth does not count.
    func accessHasEnded(at now: Date) -> Bool {
        // Most tokens are far from their end, so their lifetime need not be known.
        guard let expires = accessTokenExpires, now.addingTimeInterval(300) >= expires else { return false }
        let lifetime = issued.map { max(0, expires.timeIntervalSince($0)) } ?? 0
        return now.addingTimeInterval(min(300, lifetime / 100)) >= expires
    }

    /// Whether there is a refresh token that has not expired.
    func canBeRenewed(at now: Date) -> Bool {
        guard hasRefreshToken else { return false }
        return refreshTokenExpires.map { now < $0 } ?? true
    }
}

/// Why only a new sign-in brings a usable access token; the raw value is the reason code in the log.
package enum AuthorizationNeed: String, Error {
    /// The provider refused the tokens, so they were removed.
    case tokenMissing = "token-missing"
    /// The access token has ended, and cannot be renewed.
    case tokenEnded = "token-ended"
    /// The member signed in before the settings named all of today's scopes.
    case scopesMissing = "scopes-missing"
}

extension Session {
    /// Why a page that needs an access token with these scopes needs a new sign-in; nil if it does not.
    package func authorizationNeed(for scopes: [String], at now: Date) -> AuthorizationNeed? {
        guard let tokens else { return .tokenMissing }
        guard tokens.covers(scopes) else { return .scopesMissing }
        return tokens.accessHasEnded(at: now) && !tokens.canBeRenewed(at: now) ? .tokenEnded : nil
    }

    /// Whether the member signed in within the last minute; see `CheckedSession`.
    package func isNew(at now: Date) -> Bool { CheckedSession(self).isNew(at: now) }

    /// Whether the provider issued the access token within the last minute, so that it may not accept it yet.
    package func hasNewToken(at now: Date) -> Bool {
        abs(now.timeIntervalSince(tokens?.issued ?? created)) < 60
    }
}

extension CheckedSession {
    /// Whether the access token can be used or renewed; always true for the first minute, because another sign-in would
    /// not bring a better one.
    package func hasLiveToken(at now: Date) -> Bool {
        guard case .times(let tokens) = tokens, !tokens.accessHasEnded(at: now) || tokens.canBeRenewed(at: now)
        else { return isNew(at: now) }
        return true
    }

    /// Whether the member signed in within the last minute.
    ///
    /// If such a session has no usable token, another sign-in would not help, and repeating it would be a loop.
    package func isNew(at now: Date) -> Bool {
        abs(now.timeIntervalSince(created)) < 60
    }
}
