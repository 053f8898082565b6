import Crypto
import CryptoExtras
import JWTKit
import OpenID

import struct Foundation.Data

/// A provider's key pair for signing ID tokens.
struct SigningKey: Sendable {
    let identifier: String
    /// The public members, without `kid`, `use` and `alg`, as JSON members.
    let publicMembers: String
    private let signer: any JWTAlgorithm

    /// The public key with the members that LinkedIn publishes: `kty`, `kid` and the numbers.
    var jwk: String { #"{"kid":"\#(identifier)",\#(publicMembers)}"# }

    func sign(_ input: String) throws -> String {
        Data(try signer.sign(Array(input.utf8))).base64URL
    }
}

extension SigningKey {
    // All tests share two RSA keys, because generating one takes long.
    private static let rsaKeys = (0..<2).map { _ in Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) } }

    /// A key for an algorithm, with the identifier `first`.
    static func key(for algorithm: SigningAlgorithm) async throws -> SigningKey {
        switch algorithm {
        case .rs256: try await rsa()
        case .rs384: try await rsa(digest: .sha384)
        case .rs512: try await rsa(digest: .sha512)
        case .ps256: try await rsa(pss: true)
        case .ps384: try await rsa(pss: true, digest: .sha384)
        case .ps512: try await rsa(pss: true, digest: .sha512)
        case .es256: try await elliptic("first")
        case .es384:
            try await elliptic("P-384", P384.Signing.PrivateKey()) {
                $0.publicKey.rawRepresentation
            } add: {
                await $0.add(ecdsa: try ES384PrivateKey(backing: $1))
            }
        case .es512:
            try await elliptic("P-521", P521.Signing.PrivateKey()) {
                $0.publicKey.rawRepresentation
            } add: {
                await $0.add(ecdsa: try ES512PrivateKey(backing: $1))
            }
        case .eddsa: try await edwards("first")
        }
    }

    private static func elliptic<Key>(
        _ curve: String,
        _ key: Key,
        point: (Key) -> Data,
        add: (JWTKeyCollection, Key) async throws -> Void
    ) async throws -> SigningKey {
        let point = point(key)
        let keys = JWTKeyCollection()
        try await add(keys, key)
        let half = point.count / 2
        let x = point.prefix(half).base64URL
        let y = point.suffix(half).base64URL
        let members = #""kty":"EC","crv":"\#(curve)","x":"\#(x)","y":"\#(y)""#
        return SigningKey(identifier: "first", publicMembers: members, signer: try await keys.getKey())
    }

    /// An RSA key of 2048 bits.
    static func rsa(
        _ identifier: String = "first",
        number: Int = 0,
        pss: Bool = false,
        digest: DigestAlgorithm = .sha256
    ) async throws -> SigningKey {
        let key = try rsaKeys[number].get()
        let numbers = try key.publicKey.getKeyPrimitives()
        let keys = JWTKeyCollection()
        let pair = try Insecure.RSA.PrivateKey(backing: key)
        if pss {
            await keys.add(pss: pair, digestAlgorithm: digest)
        } else {
            await keys.add(rsa: pair, digestAlgorithm: digest)
        }
        let members = #""kty":"RSA","e":"\#(numbers.publicExponent.base64URL)","n":"\#(numbers.modulus.base64URL)""#
        return SigningKey(identifier: identifier, publicMembers: members, signer: try await keys.getKey())
    }

    /// A key on the curve P-256.
    static func elliptic(_ identifier: String = "curve") async throws -> SigningKey {
        let key = P256.Signing.PrivateKey()
        let point = key.publicKey.rawRepresentation
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: try ES256PrivateKey(backing: key))
        let members =
            #""kty":"EC","crv":"P-256","x":"\#(point.prefix(32).base64URL)","y":"\#(point.suffix(32).base64URL)""#
        return SigningKey(identifier: identifier, publicMembers: members, signer: try await keys.getKey())
    }

    /// A key on the curve Ed25519.
    static func edwards(_ identifier: String = "edwards") async throws -> SigningKey {
        let key = Curve25519.Signing.PrivateKey()
        let keys = JWTKeyCollection()
        await keys.add(eddsa: EdDSA.PrivateKey(backing: key))
        let members = #""kty":"OKP","crv":"Ed25519","x":"\#(key.publicKey.rawRepresentation.base64URL)""#
        return SigningKey(identifier: identifier, publicMembers: members, signer: try await keys.getKey())
    }

    /// An HMAC key with the bytes of a public key: the classic forgery.
    static func secret(_ secret: String, _ identifier: String = "first") async throws -> SigningKey {
        let keys = JWTKeyCollection()
        await keys.add(hmac: HMACKey(from: Data(secret.utf8)), digestAlgorithm: .sha256)
        return SigningKey(identifier: identifier, publicMembers: "", signer: try await keys.getKey())
    }
}

extension Data {
    var base64URL: String {
        String(base64EncodedString().compactMap { ["+": "-", "/": "_", "=": nil][$0, default: $0] })
    }
}

extension String {
    var base64URL: String { Data(utf8).base64URL }
}

/// An unsigned ID token; every member is raw JSON.
struct TokenText {
    var header: [String: String]
    var claims: [String: String]

    /// Creates LinkedIn's ID token with changed members; nil removes a member.
    init(header: [String: String?] = [:], claims: [String: String?] = [:]) {
        self.header = ["zip": #""RS256""#, "typ": #""JWT""#, "kid": #""first""#, "alg": #""RS256""#]
        self.claims = [
            "iss": #""https://www.linkedin.com/oauth""#, "aud": #""client""#, "sub": #""782bbtaQ-_""#,
            "iat": "1799999990", "exp": "1800003590", "name": #""Zoë 🦊""#, "given_name": #""Zoë""#,
            "family_name": #""🦊""#, "picture": #""https://media.example/p?e=1&v=beta""#,
            "email": #""zoe@site.example""#, "email_verified": #""true""#, "locale": #""en_US""#,
        ]
        for (name, value) in header { self.header[name] = value }
        for (name, value) in claims { self.claims[name] = value }
    }

    var signingInput: String { "\(Self.object(header).base64URL).\(Self.object(claims).base64URL)" }

    func signed(by key: SigningKey) throws -> String {
        "\(signingInput).\(try key.sign(signingInput))"
    }

    private static func object(_ members: [String: String]) -> String {
        "{" + members.map { #""\#($0)":\#($1)"# }.joined(separator: ",") + "}"
    }
}
