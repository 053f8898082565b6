import OpenID
import Sessions

import struct Foundation.Data
import struct Foundation.Date
import class Foundation.JSONDecoder
import class Foundation.JSONEncoder

extension CachedProfile {
    /// Keeps a profile as the very bytes that `/profile` answers.
    init(_ profile: Profile, fetched: Date) throws(OpenIDError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let content = try? encoder.encode(profile) else { throw OpenIDError(.resourceMalformed) }
        self.init(content: [UInt8](content), fetched: fetched)
    }

    func profile() throws -> Profile {
        try JSONDecoder().decode(Profile.self, from: Data(content))
    }
}
