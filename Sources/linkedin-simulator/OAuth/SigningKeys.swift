import CryptoExtras
import JWTKit

import struct Foundation.Data

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
                "kty": "RSA", "e": .string(numbers.publicExponent.base64URL), "kid": .string(identifier),
                "n": .string(numbers.modulus.base64URL),
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

extension Data {
    /// Base64url without padding (RFC 7515 section 2).
    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
