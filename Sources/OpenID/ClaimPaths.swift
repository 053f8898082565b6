/// The names under which the document of a plain OAuth 2.0 server describes a member; a dot leads into a nested object.
package struct ClaimPaths: Sendable, Equatable {
    package let subject: String
    /// Whether a subject is a number, and never text.
    package var numbersMembers = false
    /// The first one with a value is used.
    package var names: [String] = []
    package var email: String?
    /// Without this name, no address is verified.
    package var emailVerified: String?
    package var picture: String?
    package var profile: String?

    package init(subject: String) {
        self.subject = subject
    }

    /// Reads a document.
    ///
    /// - Returns: What the document says; nil unless its subject is text as in an ID token, or a positive whole number.
    package func claims(in document: [String: JSON]) -> MemberClaims? {
        let identifier = document.member(subject[...])
        let text = numbersMembers ? nil : identifier?.subjectText
        guard let subject = text ?? identifier?.positiveInteger.map(String.init) else { return nil }
        let value = { (name: String?) in name.flatMap { document.member($0[...]) } }
        var claims = MemberClaims(subject: subject)
        claims.name = names.lazy.compactMap { value($0)?.text(limit: 512) }.first
        claims.picture = value(picture)?.text(limit: 2048)
        claims.profile = value(profile)?.text(limit: 2048)
        claims.email = value(email)?.emailAddress
        claims.emailVerified = value(emailVerified)?.isTrue ?? false
        claims.members = document
        // Without an ID token, nothing vouches for the way of the sign-in.
        claims.members = claims.membersAboutMember
        return claims
    }
}

extension MemberClaims {
    /// Adds a claim that is not in the document, or removes one.
    package mutating func set(_ values: [String]?, of name: String) {
        members[name] = values.map { .array($0.map(JSON.string)) }
    }
}
