package import struct FoundationEssentials.Date

/// What is remembered of a signed-in member.
package struct Session: Sendable, Equatable {
    package var identity: Identity
    /// When the member signed in.
    package var created: Date
    /// The absolute end, which no activity moves.
    package var expires: Date
    package var tokens: Tokens?
    /// The profile as the provider last told it, in a form of the site's own; nil if nothing is known.
    package var profile: CachedProfile?

    package init(
        identity: Identity,
        created: Date,
        expires: Date,
        tokens: Tokens? = nil,
        profile: CachedProfile? = nil
    ) {
        self.identity = identity
        self.created = created
        self.expires = expires
        self.tokens = tokens
        self.profile = profile
    }
}

/// Who a member is: issuer and subject name one, the rest is what the provider said of them at sign-in.
package struct Identity: Sendable, Equatable {
    package var issuer: String
    package var subject: String
    package var name: String?
    package var email: String?
    package var emailVerified: Bool

    package init(
        issuer: String,
        subject: String,
        name: String? = nil,
        email: String? = nil,
        emailVerified: Bool = false
    ) {
        self.issuer = issuer
        self.subject = subject
        self.name = name
        self.email = email
        self.emailVerified = emailVerified
    }
}

/// The provider's tokens: sealed wherever they rest, and never printed.
package struct Tokens: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    package var accessToken: String
    /// When the provider said the access token ends; nil if it did not say.
    package var accessTokenExpires: Date?
    package var refreshToken: String?

    package init(accessToken: String, accessTokenExpires: Date? = nil, refreshToken: String? = nil) {
        self.accessToken = accessToken
        self.accessTokenExpires = accessTokenExpires
        self.refreshToken = refreshToken
    }

    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The site's bytes about a profile and when they were true.
package struct CachedProfile: Sendable, Equatable {
    package var content: [UInt8]
    package var fetched: Date

    package init(content: [UInt8], fetched: Date) {
        self.content = content
        self.fetched = fetched
    }
}
