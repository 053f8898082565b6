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
}
