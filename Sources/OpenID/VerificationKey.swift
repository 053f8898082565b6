import Crypto
import CryptoExtras
import Encoding

/// One public key of a provider's key set (RFC 7517 §4).
struct VerificationKey: Sendable {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
        case p521(P521.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
    }

    let identifier: String?
    /// The issuer whose tokens the key signs; only a provider with several issuers names it.
    let issuer: String?
    private let algorithm: SigningAlgorithm?
    private let material: Material

    /// Reads a public signature key; nil if its type is not supported or its values are invalid.
    ///
    /// The members `use`, `key_ops` and `alg` may be missing. A key with private members is
    /// rejected, because its owner has published the secret.
    init?(_ jwk: JSON) {
        guard let members = jwk.objectValue, members["d"] == nil, members["k"] == nil,
            let material = Self.material(jwk), Self.isForSignatures(jwk)
        else { return nil }
        self.material = material
        issuer = jwk["issuer"]?.stringValue
        switch jwk["kid"] {
        case nil: identifier = nil
        case .string(let text)?: identifier = text
        case .null?, .bool?, .number?, .array?, .object?: return nil
        }
        switch jwk["alg"] {
        case nil:
            algorithm = nil
        case .string(let name)?:
            guard let known = SigningAlgorithm(rawValue: name) else { return nil }
            algorithm = known
        case .null?, .bool?, .number?, .array?, .object?:
            return nil
        }
    }

    private static func isForSignatures(_ jwk: JSON) -> Bool {
        if let use = jwk["use"], use != .string("sig") { return false }
        guard let operations = jwk["key_ops"] else { return true }
        return operations.arrayValue?.contains(.string("verify")) ?? false
    }

    private static func material(_ jwk: JSON) -> Material? {
        switch (jwk["kty"]?.stringValue, jwk["crv"]?.stringValue) {
        case ("RSA", nil):
            guard let modulus = decoded(jwk["n"]), isFit(modulus: modulus), let exponent = decoded(jwk["e"]) else {
                return nil
            }
            return (try? _RSA.Signing.PublicKey(n: modulus, e: exponent)).map(Material.rsa)
        case ("EC", "P-256"?):
            return point(jwk, coordinate: 32).flatMap { try? .p256(.init(rawRepresentation: $0)) }
        case ("EC", "P-384"?):
            return point(jwk, coordinate: 48).flatMap { try? .p384(.init(rawRepresentation: $0)) }
        case ("EC", "P-521"?):
            return point(jwk, coordinate: 66).flatMap { try? .p521(.init(rawRepresentation: $0)) }
        case ("OKP", "Ed25519"?):
            return decoded(jwk["x"]).flatMap { try? .ed25519(.init(rawRepresentation: $0)) }
        default:
            return nil
        }
    }

    private static func decoded(_ member: JSON?) -> [UInt8]? {
        member?.stringValue.flatMap(Base64URL.decode)
    }

    /// Both coordinates, including their leading zeros (RFC 7518 §6.2.1.2).
    private static func point(_ jwk: JSON, coordinate length: Int) -> [UInt8]? {
        guard let x = decoded(jwk["x"]), let y = decoded(jwk["y"]), x.count == length, y.count == length else {
            return nil
        }
        return x + y
    }

    /// At least 2048 bits (RFC 7518 §3.3), and at most 8192, because verifying with larger keys takes too long.
    private static func isFit(modulus: [UInt8]) -> Bool {
        let significant = modulus.drop { $0 == 0 }
        let bits = significant.count * 8 - (significant.first?.leadingZeroBitCount ?? 0)
        return (2048...8192).contains(bits)
    }

    /// Whether this key can verify signatures of an algorithm.
    func fits(_ wanted: SigningAlgorithm) -> Bool {
        guard algorithm == nil || algorithm == wanted else { return false }
        return switch material {
        case .rsa: [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512].contains(wanted)
        case .p256: wanted == .es256
        case .p384: wanted == .es384
        case .p521: wanted == .es512
        case .ed25519: wanted == .eddsa
        }
    }

    /// Whether this key signed these bytes (RFC 7518 §3, RFC 8037 §3.1).
    func signed(_ signature: [UInt8], over input: [UInt8], by wanted: SigningAlgorithm) -> Bool {
        guard fits(wanted) else { return false }
        switch material {
        case .rsa(let key):
            return Self.signed(signature, over: input, by: wanted, key)
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: input))
        case .p384(let key):
            guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA384.hash(data: input))
        case .p521(let key):
            guard let signature = try? P521.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA512.hash(data: input))
        case .ed25519(let key):
            return key.isValidSignature(signature, for: input)
        }
    }

    private static func signed(
        _ bytes: [UInt8],
        over input: [UInt8],
        by wanted: SigningAlgorithm,
        _ key: _RSA.Signing.PublicKey
    ) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: bytes)
        return switch wanted {
        case .rs256: key.isValidSignature(signature, for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5)
        case .rs384: key.isValidSignature(signature, for: SHA384.hash(data: input), padding: .insecurePKCS1v1_5)
        case .rs512: key.isValidSignature(signature, for: SHA512.hash(data: input), padding: .insecurePKCS1v1_5)
        case .ps256: key.isValidSignature(signature, for: SHA256.hash(data: input), padding: .PSS)
        case .ps384: key.isValidSignature(signature, for: SHA384.hash(data: input), padding: .PSS)
        case .ps512: key.isValidSignature(signature, for: SHA512.hash(data: input), padding: .PSS)
        case .es256, .es384, .es512, .eddsa: false
        }
    }
}
