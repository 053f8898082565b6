/// A member's profile from any product; encoded as JSON, it is the answer of `/profile`.
package struct Profile: Sendable, Equatable, Codable {
    package var subject: String
    package var name: String?
    package var email: String?
    package var picture: String?
    /// The address of the member's page at LinkedIn; nil if the application's product does not provide it.
    package var profileURL: String?
    package var locale: String?

    package init(
        subject: String,
        name: String? = nil,
        email: String? = nil,
        picture: String? = nil,
        profileURL: String? = nil,
        locale: String? = nil
    ) {
        self.subject = subject
        self.name = name
        self.email = email
        self.picture = picture
        self.profileURL = profileURL
        self.locale = locale
    }

    private enum CodingKeys: String, CodingKey {
        case subject, name, email, picture, locale
        case profileURL = "profile_url"
    }

    /// Writes absent values as null, so that every answer has the same members.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(subject, forKey: .subject)
        try container.encode(name, forKey: .name)
        try container.encode(email, forKey: .email)
        try container.encode(picture, forKey: .picture)
        try container.encode(profileURL, forKey: .profileURL)
        try container.encode(locale, forKey: .locale)
    }
}
