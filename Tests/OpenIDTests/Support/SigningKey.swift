import Crypto
import CryptoExtras
import OpenID

import struct Foundation.Data

/// A provider's key pair for signing ID tokens.
struct SigningKey: Sendable {
    let identifier: String
    /// The public members, without `kid`, `use` and `alg`, as JSON members.
    let publicMembers: String
    private let signature: @Sendable (Data) throws -> Data

    /// The public key with the members that LinkedIn publishes: `kty`, `kid` and the numbers.
    var jwk: String { #"{"kid":"\#(identifier)",\#(publicMembers)}"# }

    func sign(_ input: String) throws -> String {
        try signature(Data(input.utf8)).base64URL
    }
}

extension SigningKey {
    // All tests share two RSA keys, because generating one takes long.
    private static let rsaKeys = (0..<2).map { _ in Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) } }

    /// A key for an algorithm, with the identifier `first`.
    static func key(for algorithm: SigningAlgorithm) throws -> SigningKey {
        switch algorithm {
        case .rs256: return try rsa()
        case .rs384: return try rsa(hash: SHA384.self)
        case .rs512: return try rsa(hash: SHA512.self)
        case .ps256: return try rsa(padding: .PSS)
        case .ps384: return try rsa(padding: .PSS, hash: SHA384.self)
        case .ps512: return try rsa(padding: .PSS, hash: SHA512.self)
        case .es256: return elliptic("first")
        case .es384:
            let key = P384.Signing.PrivateKey()
            return elliptic("first", "P-384", key.publicKey.rawRepresentation) {
                try key.signature(for: $0).rawRepresentation
            }
        case .es512:
            let key = P521.Signing.PrivateKey()
            return elliptic("first", "P-521", key.publicKey.rawRepresentation) {
                try key.signature(for: $0).rawRepresentation
            }
        case .eddsa: return edwards("first")
        }
    }

    /// An RSA key of 2048 bits.
    static func rsa<Hash: HashFunction>(
        _ identifier: String = "first",
        number: Int = 0,
        padding: _RSA.Signing.Padding = .insecurePKCS1v1_5,
        hash: Hash.Type = SHA256.self
    ) throws -> SigningKey {
        let key = try rsaKeys[number].get()
        let numbers = try key.publicKey.getKeyPrimitives()
        let members = #""kty":"RSA","e":"\#(numbers.publicExponent.base64URL)","n":"\#(numbers.modulus.base64URL)""#
        return SigningKey(identifier: identifier, publicMembers: members) {
            try key.signature(for: Hash.hash(data: $0), padding: padding).rawRepresentation
        }
    }

    /// A key on the curve P-256.
    static func elliptic(_ identifier: String = "curve") -> SigningKey {
        let key = P256.Signing.PrivateKey()
        return elliptic(identifier, "P-256", key.publicKey.rawRepresentation) {
            try key.signature(for: $0).rawRepresentation
        }
    }

    private static func elliptic(
        _ identifier: String,
        _ curve: String,
        _ point: Data,
        _ signature: @escaping @Sendable (Data) throws -> Data
    ) -> SigningKey {
        let (x, y) = (point.prefix(point.count / 2).base64URL, point.suffix(point.count / 2).base64URL)
        let members = #""kty":"EC","crv":"\#(curve)","x":"\#(x)","y":"\#(y)""#
        return SigningKey(identifier: identifier, publicMembers: members, signature: signature)
    }

    /// A key on the curve Ed25519.
    static func edwards(_ identifier: String = "edwards") -> SigningKey {
        let key = Curve25519.Signing.PrivateKey()
        let members = #""kty":"OKP","crv":"Ed25519","x":"\#(key.publicKey.rawRepresentation.base64URL)""#
        return SigningKey(identifier: identifier, publicMembers: members) { try key.signature(for: $0) }
    }

    /// An HMAC key with the bytes of a public key: the classic forgery.
    static func secret(_ secret: String, _ identifier: String = "first") -> SigningKey {
        let key = SymmetricKey(data: Data(secret.utf8))
        return SigningKey(identifier: identifier, publicMembers: "") {
            Data(HMAC<SHA256>.authenticationCode(for: $0, using: key))
        }
    }
}

extension Data {
    /// Only the alphabet of RFC 4648 §5, without padding.
    init?(base64URL text: String) {
        guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let characters = text.map { ["-": "+", "_": "/"][$0, default: $0] }
        self.init(base64Encoded: String(characters) + String(repeating: "=", count: (4 - text.count % 4) % 4))
    }

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
