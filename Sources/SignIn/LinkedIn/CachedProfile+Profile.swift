import OpenID
import Sessions

import struct FoundationEssentials.Data
import struct FoundationEssentials.Date
import class FoundationEssentials.JSONDecoder
import class FoundationEssentials.JSONEncoder

extension CachedProfile {
    /// Keeps a profile as the very bytes that `/profile` answers.
    init(_ profile: Profile, fetched: Date) throws(OpenIDError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let content = try? encoder.encode(profile) else { throw OpenIDError(.resourceMalformed) }
        self.init(content: [UInt8](content), fetched: fetched)
    }

    /// What the ID token says, for pages to show until the profile is fetched; nil if it has no picture.
    ///
    /// Its time is the epoch, so that it is never fresh. The form of the record stays as it is, for programs of any
    /// version to read.
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

    /// Whether the provider's answer is in it, and not only what the ID token said.
    var wasFetched: Bool { fetched.timeIntervalSince1970 > 0 }

    func profile() throws -> Profile {
        try JSONDecoder().decode(Profile.self, from: Data(content))
    }
}
