import OpenID
import Pages
import Sessions

extension Profile {
    /// Reads UserInfo (OpenID Connect Core §5.3.2); LinkedIn sends no link, other providers send it as `profile`.
    init(_ claims: MemberClaims, identity: Identity) {
        self.init(
            subject: identity.subject,
            name: claims.name ?? identity.name,
            email: claims.email ?? identity.email,
            picture: claims.picture,
            profileURL: claims.profile.flatMap(ExternalLink.init)?.text,
            locale: claims.locale
        )
    }
}
