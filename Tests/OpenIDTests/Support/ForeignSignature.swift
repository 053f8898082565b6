import OpenID
import Testing

import struct Foundation.Data
import class Foundation.JSONSerialization
import struct Foundation.URL

/// Keys and ID tokens that another implementation made, in `Fixtures/signatures.json`.
enum ForeignSignature {
    /// A public key as a JWK, and a token that its private key signed.
    static func key(for algorithm: SigningAlgorithm) throws -> (key: String, token: String) {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/signatures.json")
        let all = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: [String: Any]]
        let found = try #require(all?[algorithm.rawValue])
        let key = try JSONSerialization.data(withJSONObject: try #require(found["key"]))
        return (String(decoding: key, as: UTF8.self), try #require(found["token"] as? String))
    }
}
