import OpenID
import Sessions

import struct FoundationEssentials.Data
import struct FoundationEssentials.Date
import class FoundationEssentials.JSONDecoder
import class FoundationEssentials.JSONEncoder

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
