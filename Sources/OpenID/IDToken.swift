package import struct FoundationEssentials.Date

/// The claims of a verified ID token (OpenID Connect Core §2, §5.1).
///
/// A member is known by issuer and subject together, never by an e-mail address (§5.7). Every other text is what the
/// provider says: without control characters and of bounded length, otherwise as it came.
package struct IDToken: Sendable, Equatable {
    package let issuer: String
    /// 1 to 255 ASCII characters, case-sensitive.
    package let subject: String
    package let name: String?
    package let givenName: String?
    package let familyName: String?
    /// An address, not checked to be one.
    package let picture: String?
    package let email: String?
    package let emailVerified: Bool
    /// A language tag like `en-US`.
    package let locale: String?
    package let issued: Date
    package let expires: Date

    package init(
        issuer: String,
        subject: String,
        name: String? = nil,
        givenName: String? = nil,
        familyName: String? = nil,
        picture: String? = nil,
        email: String? = nil,
        emailVerified: Bool = false,
        locale: String? = nil,
        issued: Date,
        expires: Date
    ) {
        self.issuer = issuer
        self.subject = subject
        self.name = name
        self.givenName = givenName
        self.familyName = familyName
        self.picture = picture
        self.email = email
        self.emailVerified = emailVerified
        self.locale = locale
        self.issued = issued
        self.expires = expires
    }

    init(_ claims: Claims, issuer: String, subject: String, issued: Double, expires: Double) {
        self.init(
            issuer: issuer,
            subject: subject,
            name: claims.text("name", limit: 512),
            givenName: claims.text("given_name", limit: 512),
            familyName: claims.text("family_name", limit: 512),
            picture: claims.text("picture", limit: 2048),
            email: claims.text("email", limit: 320),
            emailVerified: claims.flag("email_verified"),
            locale: claims.locale,
            issued: Date(timeIntervalSince1970: issued),
            expires: Date(timeIntervalSince1970: expires)
        )
    }
}
