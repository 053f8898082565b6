/// What an ID token or a userinfo answer says of a member (OpenID Connect Core §5.1).
///
/// Every text but the subject is what the provider says: without control characters and of bounded length, otherwise as
/// it came.
package struct MemberClaims: Sendable, Equatable {
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
    /// The member's profile page, not checked to be an address.
    package let profile: String?

    package init(
        subject: String,
        name: String? = nil,
        givenName: String? = nil,
        familyName: String? = nil,
        picture: String? = nil,
        email: String? = nil,
        emailVerified: Bool = false,
        locale: String? = nil,
        profile: String? = nil
    ) {
        self.subject = subject
        self.name = name
        self.givenName = givenName
        self.familyName = familyName
        self.picture = picture
        self.email = email
        self.emailVerified = emailVerified
        self.locale = locale
        self.profile = profile
    }

    init(_ claims: Claims, subject: String) {
        self.init(
            subject: subject,
            name: claims.text("name", limit: 512),
            givenName: claims.text("given_name", limit: 512),
            familyName: claims.text("family_name", limit: 512),
            picture: claims.text("picture", limit: 2048),
            email: claims.text("email", limit: 320),
            emailVerified: claims.flag("email_verified"),
            locale: claims.locale,
            profile: claims.text("profile", limit: 2048)
        )
    }
}
