import HTTP
package import OpenID
package import Sessions

package import struct FoundationEssentials.Data
package import struct FoundationEssentials.Date
package import class FoundationEssentials.JSONDecoder
package import class FoundationEssentials.JSONEncoder

/// A member's profile from any product, as sessions store it; a record of an earlier version lacks the newer values.
package struct Profile: Sendable, Equatable, Codable {
    package var subject: String
    package var name: String?
    package var email: String?
    /// Whether the provider says that it verified the address; nil if the profile says nothing about it.
    package var emailVerified: Bool?
    package var picture: String?
    /// The address of the member's page at LinkedIn; nil if the application's product does not provide it.
    package var profileURL: String?
    package var locale: String?
    /// When the address of the picture stops working, in seconds since 1970; nil if the provider did not say.
    package var pictureExpires: Int?
    /// The member's identifier at the profile endpoint, if it differs from the subject.
    package var endpointID: String?
    /// What a response without an ID token says about the member, of which a session keeps the claims that the settings
    /// name; it is not stored with the profile.
    package var claims: MemberClaims?

    private enum CodingKeys: String, CodingKey {
        case subject, name, email, picture, locale
        case profileURL = "profile_url"
        case emailVerified = "email_verified"
        case pictureExpires = "picture_expires"
        case endpointID = "endpoint_id"
    }

    /// The address of the picture, unless it no longer works.
    package func picture(at now: Date) -> String? {
        guard let pictureExpires, now.timeIntervalSince1970 >= Double(pictureExpires) else { return picture }
        return nil
    }

    /// The normalized address of a member's page; nil unless it is https, or plain http to this machine.
    static func link(_ text: String) -> String? {
        WebAddress(text).flatMap { $0.isSecure || $0.isLoopback ? $0.text : nil }
    }
}

extension Profile {
    /// Reads UserInfo (OpenID Connect Core §5.3.2); LinkedIn sends no link, other providers send it as `profile`.
    package init(_ claims: MemberClaims, identity: Identity) {
        self.init(
            subject: identity.subject,
            name: claims.name ?? identity.name,
            email: claims.email ?? identity.email,
            picture: claims.picture,
            profileURL: claims.profile.flatMap(Self.link),
            locale: claims.locale
        )
    }
}

extension CachedProfile {
    /// Encodes a profile as JSON.
    package init(_ profile: Profile, fetched: Date) throws(OpenIDError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let content = try? encoder.encode(profile) else { throw OpenIDError(.resourceMalformed) }
        self.init(content: [UInt8](content), fetched: fetched)
    }

    /// The claims of the ID token, which pages show until the profile is fetched; nil if they have no picture.
    ///
    /// Its time is the epoch, so that it is never fresh. The format of the record does not change, so that all versions
    /// of the program can read it.
    package init?(_ claims: MemberClaims, identity: Identity) {
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
    package var wasFetched: Bool { fetched.timeIntervalSince1970 > 0 }

    /// Seconds since the provider returned this profile; 0 if the clock was set back since then.
    package func age(at now: Date) -> Int { max(0, Int(now.timeIntervalSince(fetched))) }

    /// Whether the provider returned this profile within the last seconds.
    package func isFresh(for seconds: Int, at now: Date) -> Bool {
        (0..<Double(seconds)).contains(now.timeIntervalSince(fetched))
    }

    package func profile() throws -> Profile {
        try JSONDecoder().decode(Profile.self, from: Data(content))
    }
}
