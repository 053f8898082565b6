import OpenID
import Sessions

import struct FoundationEssentials.Data
import struct FoundationEssentials.Date
import class FoundationEssentials.JSONDecoder
import class FoundationEssentials.JSONEncoder

/// A member's profile from any product, as sessions store it; a record of an earlier version lacks the newer values.
package struct Profile: Sendable, Equatable, Codable {
    package var subject: String
    package var name: String?
    package var email: String?
    package var picture: String?
    /// The address of the member's page at LinkedIn; nil if the application's product does not provide it.
    package var profileURL: String?
    package var locale: String?
    /// When the address of the picture stops working, in seconds since 1970; nil if the provider did not say.
    package var pictureExpires: Int?
    /// The member's identifier at the profile endpoint, if it differs from the subject.
    package var endpointID: String?

    package init(
        subject: String,
        name: String? = nil,
        email: String? = nil,
        picture: String? = nil,
        profileURL: String? = nil,
        locale: String? = nil,
        pictureExpires: Int? = nil,
        endpointID: String? = nil
    ) {
        self.subject = subject
        self.name = name
        self.email = email
        self.picture = picture
        self.profileURL = profileURL
        self.locale = locale
        self.pictureExpires = pictureExpires
        self.endpointID = endpointID
    }

    private enum CodingKeys: String, CodingKey {
        case subject, name, email, picture, locale
        case profileURL = "profile_url"
        case pictureExpires = "picture_expires"
        case endpointID = "endpoint_id"
    }

    /// The address of the picture, unless it no longer works.
    func picture(at now: Date) -> String? {
        guard let pictureExpires, now.timeIntervalSince1970 >= Double(pictureExpires) else { return picture }
        return nil
    }
}

/// A profile as `/profile` returns it in JSON.
struct ProfileAnswer: Encodable {
    let profile: Profile
    let picture: String?
    /// Seconds since the provider returned the profile.
    let age: Int

    init(_ cached: CachedProfile, now: Date) throws {
        profile = try cached.profile()
        picture = profile.picture(at: now)
        age = cached.age(at: now)
    }

    private enum CodingKeys: String, CodingKey {
        case subject, name, email, picture, locale, age
        case profileURL = "profile_url"
    }

    /// Writes absent values as null, so that every answer has the same members.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(profile.subject, forKey: .subject)
        try container.encode(profile.name, forKey: .name)
        try container.encode(profile.email, forKey: .email)
        try container.encode(picture, forKey: .picture)
        try container.encode(profile.profileURL, forKey: .profileURL)
        try container.encode(profile.locale, forKey: .locale)
        try container.encode(age, forKey: .age)
    }
}

extension CachedProfile {
    /// Encodes a profile as JSON.
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

    /// Seconds since the provider returned this profile; 0 if the clock was set back since then.
    func age(at now: Date) -> Int { max(0, Int(now.timeIntervalSince(fetched))) }

    func profile() throws -> Profile {
        try JSONDecoder().decode(Profile.self, from: Data(content))
    }
}
