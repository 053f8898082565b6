import Crypto

/// The secret end of bytes that begin with a readable header, by AES-256-GCM with that header as associated data.
///
/// ```
/// header  nonce (12)  sealed  tag (16)
/// ```
enum SealedBytes {
    static let nonceCount = 12
    private static let tagCount = 16
    /// Bytes that sealing adds to header and secret.
    static let overhead = nonceCount + tagCount

    /// The header with the sealed secret behind it; nil if key or nonce are of no use to the cipher.
    static func seal(_ secret: [UInt8], behind header: [UInt8], key: SymmetricKey, nonce: [UInt8]) -> [UInt8]? {
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(secret, using: key, nonce: nonce, authenticating: header)
        else { return nil }
        return header + nonce + box.ciphertext + box.tag
    }

    /// The secret; nil unless every byte, the header's too, is as it was sealed under this key.
    static func open(_ bytes: [UInt8], behind headerCount: Int, key: SymmetricKey) -> [UInt8]? {
        guard bytes.count - headerCount >= overhead,
            let box = try? AES.GCM.SealedBox(combined: bytes[headerCount...]),
            let secret = try? AES.GCM.open(box, using: key, authenticating: bytes[..<headerCount])
        else { return nil }
        return [UInt8](secret)
    }
}
