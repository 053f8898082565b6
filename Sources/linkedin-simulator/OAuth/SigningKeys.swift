import CryptoExtras
import JWTKit

/// The provider's signing key.
actor SigningKeys {
    struct Key: Sendable {
        let identifier: String
        let secret: JWTKit.Insecure.RSA.PrivateKey

        /// Makes an RSA key.
        ///
        /// - Parameter bits: The size of the modulus.
        /// - Throws: What the key generator throws.
        init(bits: Int) throws {
            identifier = RandomText.make(characters: 36)
            let key = try _RSA.Signing.PrivateKey(keySize: .init(bitCount: bits))
            secret = try JWTKit.Insecure.RSA.PrivateKey(backing: key)
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

    init(bits: Int) throws {
        current = try Key(bits: bits)
    }

    /// Replaces the key at once.
    ///
    /// - Parameter bits: The size of the new key.
    /// - Returns: The identifier of the new key.
    /// - Throws: What the key generator throws.
    func rotate(bits: Int) throws -> String {
        current = try Key(bits: bits)
        return current.identifier
    }
}
