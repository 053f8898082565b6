package import struct FoundationEssentials.Date

/// The claims of a verified ID token (OpenID Connect Core §2).
///
/// A member is known by issuer and subject together, never by an e-mail address (§5.7).
package struct IDToken: Sendable, Equatable {
    package let issuer: String
    package let member: MemberClaims
    package let issued: Date
    package let expires: Date

    package init(issuer: String, member: MemberClaims, issued: Date, expires: Date) {
        self.issuer = issuer
        self.member = member
        self.issued = issued
        self.expires = expires
    }
}
