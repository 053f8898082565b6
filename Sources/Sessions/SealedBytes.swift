import Crypto

/// Bytes of a readable header and a secret, sealed by AES-256-GCM with the header as associated data.
///
/// ```
/// header  nonce (12)  sealed  tag (16)
/// ```
enum SealedBytes {
    static let nonceCount = 12
    private static let tagCount = 16
    /// The number of bytes that sealing adds to header and secret.
    static let overhead = nonceCount + tagCount

    /// The header followed by the sealed secret; nil if the cipher rejects the key or the nonce.
    static func seal(_ secret: [UInt8], behind header: [UInt8], key: SymmetricKey, nonce: [UInt8]) -> [UInt8]? {
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(secret, using: key, nonce: nonce, authenticating: header)
        else { return nil }
        return header + nonce + box.ciphertext + box.tag
    }

    /// The secret; nil if any byte, including the header, was changed since it was sealed under this key.
    static func open(_ bytes: [UInt8], behind headerCount: Int, key: SymmetricKey) -> [UInt8]? {
        guard bytes.count - headerCount >= overhead,
            let box = try? AES.GCM.SealedBox(combined: bytes[headerCount...]),
            let secret = try? AES.GCM.open(box, using: key, authenticating: bytes[..<headerCount])
        else { return nil }
        return [UInt8](secret)
    }
}
