import CryptoExtras
import JWTKit

/// The provider's signing key.
actor SigningKeys {
    struct Key: Sendable {
        let identifier: String
        let secret: JWTKit.Insecure.RSA.PrivateKey

        /// Makes an RSA key of 2048 bits.
        ///
        /// - Throws: What the key generator throws.
        init() throws {
            identifier = RandomText.make(characters: 36)
            secret = try JWTKit.Insecure.RSA.PrivateKey(backing: _RSA.Signing.PrivateKey(keySize: .bits2048))
        }

        /// The public key with the members LinkedIn publishes, and no others (RFC 7517 section 4 wants more).
        func jwk() throws -> JSONObject {
            let numbers = try secret.publicKey.getKeyPrimitives()
            return [
                "kty": "RSA", "e": .string(Base64URL.encode(numbers.publicExponent)), "kid": .string(identifier),
                "n": .string(Base64URL.encode(numbers.modulus)),
            ]
        }
    }

    private(set) var current: Key

    init() throws {
        current = try Key()
    }

    /// Replaces the key at once.
    ///
    /// - Returns: The identifier of the new key.
    /// - Throws: What the key generator throws.
    func rotate() throws -> String {
        current = try Key()
        return current.identifier
    }
}
