package import struct FoundationEssentials.Date

/// What the check of a request needs of a session: neither the tokens themselves nor the profile.
package struct CheckedSession: Sendable, Equatable {
    package var identity: Identity
    /// When the member signed in.
    package let created: Date
    /// The absolute end of the session.
    package let expires: Date
    package let tokens: CheckedTokens

    /// The approximate size in memory of a session that may be remembered.
    static let maximumByteCount = 4_096
    /// The approximate size in memory, with what a remembered session needs besides.
    var byteCount: Int {
        let texts = [identity.issuer, identity.subject, identity.name, identity.email]
        return 320 + texts.reduce(identity.claims?.bytes.count ?? 0) { $0 + ($1?.utf8.count ?? 0) }
    }
}

extension CheckedSession {
    package init(_ session: Session) {
        self.init(
            identity: session.identity,
            created: session.created,
            expires: session.expires,
            tokens: CheckedTokens(session.tokens.map(TokenTimes.init))
        )
    }
}

/// What a check knows of the tokens of a session.
package enum CheckedTokens: Sendable, Equatable {
    /// The caller did not ask.
    case unknown
    /// The provider refused the tokens.
    case refused
    case times(TokenTimes)

    init(_ times: TokenTimes?) {
        self = times.map(CheckedTokens.times) ?? .refused
    }
}

/// When the tokens of a session were issued, and when they end.
package struct TokenTimes: Sendable, Equatable {
    /// When the access token expires; nil if the provider did not say.
    package let accessTokenExpires: Date?
    /// When the provider issued the access token; nil in the record of an earlier version of the program.
    package let issued: Date?
    package let hasRefreshToken: Bool
    /// When the refresh token expires; nil if the provider did not say.
    package let refreshTokenExpires: Date?

    package init(_ tokens: Tokens) {
        self.init(
            tokens.accessTokenExpires,
            Tokens.dates(in: tokens.lines.utf8.span),
            hasRefreshToken: tokens.refreshToken != nil
        )
    }

    init(_ accessTokenExpires: Date?, _ dates: Tokens.Dates, hasRefreshToken: Bool) {
        self.accessTokenExpires = accessTokenExpires
        self.hasRefreshToken = hasRefreshToken
        (issued, refreshTokenExpires) = dates
    }
}
