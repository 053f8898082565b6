package import struct FoundationEssentials.Date

/// What the program stores about a signed-in member.
package struct Session: Sendable, Equatable {
    package var identity: Identity
    /// When the member signed in.
    package var created: Date
    /// The absolute end of the session; using the session does not extend it.
    package var expires: Date
    package var tokens: Tokens?
    /// The profile that the provider sent last, encoded by the site; nil if the provider sent none.
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

/// The identity of a member: issuer and subject identify the member, the other values are those of the sign-in.
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

    /// Whether two identities are of one member: issuer and subject have the same bytes.
    func isSameMember(as other: Identity) -> Bool {
        issuer.utf8.elementsEqual(other.issuer.utf8) && subject.utf8.elementsEqual(other.subject.utf8)
    }
}

/// The provider's tokens: stored only sealed, and never printed.
package struct Tokens: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    package var accessToken: String
    /// When the access token expires; nil if the provider did not say.
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

/// A profile as the site encodes it, and when it was fetched.
package struct CachedProfile: Sendable, Equatable {
    package var content: [UInt8]
    package var fetched: Date

    package init(content: [UInt8], fetched: Date) {
        self.content = content
        self.fetched = fetched
    }
}
