import Provider
import Sessions

import struct FoundationEssentials.Date

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
