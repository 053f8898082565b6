import CryptoExtras

/// The provider's signing key.
actor SigningKeys {
    struct Key: Sendable {
        let identifier: String
        let secret: _RSA.Signing.PrivateKey

        /// Generates an RSA key.
        ///
        /// - Parameter bits: the size of the modulus.
        /// - Throws: what the key generator throws.
        init(bits: Int) throws {
            identifier = RandomText.make(characters: 36)
            secret = try _RSA.Signing.PrivateKey(keySize: .init(bitCount: bits))
        }

        /// Reads an RSA key.
        ///
        /// - Parameter pem: the private key (RFC 7468 §10, or PKCS #1).
        /// - Throws: what the parser throws.
        init(pem: String) throws {
            identifier = RandomText.make(characters: 36)
            secret = try _RSA.Signing.PrivateKey(pemRepresentation: pem)
        }

        /// The public key with only the members that LinkedIn publishes, fewer than RFC 7517 §4 recommends.
        func jwk() throws -> JSONObject {
            let numbers = try secret.publicKey.getKeyPrimitives()
            return [
                "kty": "RSA", "e": .string(Base64URL.encode(numbers.publicExponent)), "kid": .string(identifier),
                "n": .string(Base64URL.encode(numbers.modulus)),
            ]
        }
    }

    private(set) var current: Key

    init(first key: Key) {
        current = key
    }

    /// Replaces the key.
    ///
    /// - Parameter bits: the size of the new key.
    /// - Returns: the identifier of the new key.
    /// - Throws: what the key generator throws.
    func rotate(bits: Int) throws -> String {
        current = try Key(bits: bits)
        return current.identifier
    }
}

/// `GET /oauth/openid/jwks`.
struct KeySetEndpoint: Sendable {
    let keys: SigningKeys

    @Sendable
    func answer(_ request: Request) async throws -> Response {
        var key = try await keys.current.jwk()
        if request.settings.isStandard {
            key["use"] = "sig"
            key["alg"] = "RS256"
        }
        var set: [JSON] = [.object(key)]
        try request.fault?.alter(&set)
        return .json(["keys": .array(set)])
    }
}
