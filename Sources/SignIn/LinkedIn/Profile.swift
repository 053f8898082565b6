import OpenID
import Sessions

import struct FoundationEssentials.Data
import struct FoundationEssentials.Date
import class FoundationEssentials.JSONDecoder
import class FoundationEssentials.JSONEncoder

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

extension CachedProfile {
    /// Encodes a profile as the JSON that `/profile` returns.
    init(_ profile: Profile, fetched: Date) throws(OpenIDError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let content = try? encoder.encode(profile) else { throw OpenIDError(.resourceMalformed) }
        self.init(content: [UInt8](content), fetched: fetched)
    }

    /// The claims of the ID token, which pages show until the profile is fetched; nil if they have no picture.
    ///
    /// Its time is the epoch, so that it is never fresh. The format of the record does not change, so that all versions
    /// of the program can read it.
    init?(_ claims: MemberClaims, identity: Identity) {
        guard claims.picture != nil else { return nil }
        let profile = Profile(
            subject: identity.subject,
            name: identity.name,
            email: identity.email,
            picture: claims.picture,
            locale: claims.locale
        )
        try? self.init(profile, fetched: Date(timeIntervalSince1970: 0))
    }

    /// Whether the provider returned this profile; false if it comes from the ID token.
    var wasFetched: Bool { fetched.timeIntervalSince1970 > 0 }

    func profile() throws -> Profile {
        try JSONDecoder().decode(Profile.self, from: Data(content))
    }
}
