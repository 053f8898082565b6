import Crypto
import Encoding

package import struct FoundationEssentials.Date

/// Proves that the sender of a request can read the server key, for `linkedin-signin doctor`.
package enum OperatorProof {
    /// The name of the cookie with the proof.
    package static let cookie = "__Host-doctor"

    private static let purpose = "operator"
    /// Seconds.
    private static let lifetime = 60.0

    /// Makes a proof that is valid for a minute.
    ///
    /// - Parameters:
    ///   - keys: The server keys.
    ///   - now: The time.
    /// - Returns: The value of the cookie.
    /// - Throws: `StoreError` if the system gives no random bytes.
    package static func make(_ keys: ServerKeys, now: Date) throws(StoreError) -> String {
        try keys.seal(Array(String(Int(now.timeIntervalSince1970)).utf8), purpose: purpose)
    }

    /// Whether the server key sealed a proof within the last minute.
    package static func isValid(_ proof: String, _ keys: ServerKeys, now: Date) -> Bool {
        guard let text = keys.open(proof, purpose: purpose), let made = Double(String(decoding: text, as: UTF8.self))
        else { return false }
        return abs(now.timeIntervalSince1970 - made) <= lifetime
    }

    private static let settingsPurpose = "operator settings"
    /// Bytes of a hash.
    ///
    /// They show a change, and too little of a secret to find it.
    private static let hashCount = 4

    /// A short hash of each text, by name, to find out which of them differ.
    package static func hashes(of texts: [String: String]) -> [String: String] {
        texts.mapValues { Base64URL.encode(Array(SHA256.hash(data: Array($0.utf8)).prefix(hashCount))) }
    }

    /// Seals hashes of settings, so that only those who can read the server key can open them.
    ///
    /// - Throws: `StoreError` if the system gives no random bytes.
    package static func seal(_ hashes: [String: String], _ keys: ServerKeys) throws(StoreError) -> String {
        let lines = hashes.map { "\($0.key) \($0.value)" }.sorted()
        return try keys.seal(Array(lines.joined(separator: "\n").utf8), purpose: settingsPurpose)
    }

    /// Opens sealed hashes of settings; nil if another key sealed them.
    package static func open(_ sealed: String, _ keys: ServerKeys) -> [String: String]? {
        guard let bytes = keys.open(sealed, purpose: settingsPurpose) else { return nil }
        let pairs = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            // The name of a setting in the file of a provider has spaces.
            line.lastIndex(of: " ").map { (String(line[..<$0]), String(line[$0...].dropFirst())) }
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
