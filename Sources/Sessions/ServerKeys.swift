import Encoding

import struct Crypto.SymmetricKey

/// The server's keys, newest first: the first seals, each opens what it sealed.
///
/// Sealed text is base64url of `version (1)  key id (4)  salt (16)  nonce (12)  sealed  tag (16)`. The salt makes a key
/// of its own for every text (HKDF), so that the number of texts is not bounded by what random nonces allow under one
/// key (NIST SP 800-38D §8.3): a flood of sign-ins would reach that in days.
package struct ServerKeys: Sealer, CustomStringConvertible, CustomReflectable {
    package static let byteCount = 32
    private static let version: UInt8 = 1
    private static let idCount = 4
    private static let saltCount = 16
    private static let headerCount = 1 + idCount + saltCount

    private struct Key {
        let id: [UInt8]
        let bytes: [UInt8]
    }

    private let keys: [Key]
    private let random: RandomBytes

    /// Nil without a key, or with one that does not have 32 bytes.
    package init?(_ keys: [[UInt8]], random: RandomBytes = .system()) {
        guard !keys.isEmpty, keys.allSatisfy({ $0.count == Self.byteCount }) else { return nil }
        self.keys = keys.map { bytes in
            let id = KeyDerivation.expand(bytes, info: Array("linkedin-signin key id".utf8))
            return Key(id: Array(id.prefix(Self.idCount)), bytes: bytes)
        }
        self.random = random
    }

    package var count: Int { keys.count }

    package func seal(_ plaintext: [UInt8], purpose: String) throws(StoreError) -> String {
        let key = keys[0]
        let salt = try random(Self.saltCount)
        let nonce = try random(SealedBytes.nonceCount)
        let derived = Self.derive(key, purpose: purpose, salt: salt)
        let header = [Self.version] + key.id + salt
        guard let sealed = SealedBytes.seal(plaintext, behind: header, key: derived, nonce: nonce) else {
            throw StoreError(.unusable, detail: "the text could not be sealed")
        }
        return Base64URL.encode(sealed)
    }

    package func open(_ sealed: String, purpose: String) -> [UInt8]? {
        guard let bytes = Base64URL.decode(sealed), bytes.count >= Self.headerCount, bytes[0] == Self.version else {
            return nil
        }
        let salt = Array(bytes[(1 + Self.idCount)..<Self.headerCount])
        for key in keys where key.id.elementsEqual(bytes[1..<(1 + Self.idCount)]) {
            let derived = Self.derive(key, purpose: purpose, salt: salt)
            if let text = SealedBytes.open(bytes, behind: Self.headerCount, key: derived) { return text }
        }
        return nil
    }

    private static func derive(_ key: Key, purpose: String, salt: [UInt8]) -> SymmetricKey {
        // The salt has a fixed length and stands first: no two pairs of salt and purpose are the same text.
        let info = Array("linkedin-signin seal ".utf8) + salt + Array(purpose.utf8)
        return SymmetricKey(data: KeyDerivation.expand(key.bytes, info: info))
    }

    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
