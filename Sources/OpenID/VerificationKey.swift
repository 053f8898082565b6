import Encoding
import JWTKit

/// One public key of a provider's key set (RFC 7517 §4).
///
/// jwt-kit checks the signatures and nothing else: its key collection answers an unknown `kid` with a default key, and
/// its parser reads broken base64url as nothing.
struct VerificationKey: Sendable {
    private enum Material: Sendable {
        case rsa(modulus: String, exponent: String)
        case elliptic(curve: ECDSACurve, x: String, y: String)
        case edwards(x: String)
    }

    let identifier: String?
    private let algorithm: SigningAlgorithm?
    private let material: Material

    /// Takes a public signature key of a known type; anything else is none.
    ///
    /// Members `use`, `key_ops` and `alg` may be missing, as in LinkedIn's set. A key with private members is refused:
    /// whoever published it does not keep it to himself.
    init?(_ jwk: JSON) {
        guard let members = jwk.objectValue, members["d"] == nil, members["k"] == nil,
            let material = Self.material(jwk), Self.isForSignatures(jwk)
        else { return nil }
        self.material = material
        switch jwk["kid"] {
        case nil: identifier = nil
        case .string(let text)?: identifier = text
        default: return nil
        }
        switch jwk["alg"] {
        case nil:
            algorithm = nil
        case .string(let name)?:
            guard let known = SigningAlgorithm(rawValue: name) else { return nil }
            algorithm = known
        default:
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
            guard let modulus = jwk["n"]?.stringValue, let bytes = Base64URL.decode(modulus), isFit(modulus: bytes),
                let exponent = jwk["e"]?.stringValue, Base64URL.decode(exponent) != nil
            else { return nil }
            return .rsa(modulus: modulus, exponent: exponent)
        case ("EC", let name?):
            guard let curve = ECDSACurve(rawValue: name), let x = jwk["x"]?.stringValue, let y = jwk["y"]?.stringValue,
                Base64URL.decode(x)?.count == curve.coordinateLength,
                Base64URL.decode(y)?.count == curve.coordinateLength
            else { return nil }
            return .elliptic(curve: curve, x: x, y: y)
        case ("OKP", "Ed25519"?):
            guard let x = jwk["x"]?.stringValue, Base64URL.decode(x)?.count == 32 else { return nil }
            return .edwards(x: x)
        default:
            return nil
        }
    }

    /// From 2048 bits (RFC 7518 §3.3) to 8192, beyond which a check costs an attacker's choice of time.
    private static func isFit(modulus: [UInt8]) -> Bool {
        let significant = modulus.drop { $0 == 0 }
        let bits = significant.count * 8 - (significant.first?.leadingZeroBitCount ?? 0)
        return (2048...8192).contains(bits)
    }
}

extension VerificationKey {
    /// Whether a signature by this algorithm could be this key's.
    func fits(_ wanted: SigningAlgorithm) -> Bool {
        guard algorithm == nil || algorithm == wanted else { return false }
        return switch (material, wanted) {
        case (.rsa, .rs256), (.rsa, .rs384), (.rsa, .rs512), (.rsa, .ps256), (.rsa, .ps384), (.rsa, .ps512): true
        case (.elliptic(let curve, _, _), .es256): curve == .p256
        case (.elliptic(let curve, _, _), .es384): curve == .p384
        case (.elliptic(let curve, _, _), .es512): curve == .p521
        case (.edwards, .eddsa): true
        default: false
        }
    }

    /// Checks a signature; false also for a key that is no point on its curve.
    func signed(_ signature: [UInt8], over input: [UInt8], by wanted: SigningAlgorithm) async -> Bool {
        guard fits(wanted), let name = JWK.Algorithm(rawValue: wanted.rawValue) else { return false }
        let only: JWKIdentifier = "only"
        let jwk =
            switch material {
            case .rsa(let modulus, let exponent):
                JWK.rsa(name, identifier: only, modulus: modulus, exponent: exponent)
            case .elliptic(let curve, let x, let y):
                JWK.ecdsa(name, identifier: only, x: x, y: y, curve: curve)
            case .edwards(let x):
                JWK.octetKeyPair(name, identifier: only, x: x, y: nil, curve: .ed25519)
            }
        do {
            return try await JWTKeyCollection().add(jwk: jwk).getKey(for: only).verify(signature, signs: input)
        } catch {
            return false
        }
    }
}

extension ECDSACurve {
    /// Bytes of a coordinate, leading zeros included (RFC 7518 §6.2.1.2).
    fileprivate var coordinateLength: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        default: 66
        }
    }
}
