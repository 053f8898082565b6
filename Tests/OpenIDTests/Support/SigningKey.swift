import Crypto
import CryptoExtras
import JWTKit

import struct Foundation.Data

/// A provider's key pair, made by the test that uses it.
struct SigningKey: Sendable {
    let identifier: String
    /// The public members, without `kid`, `use` and `alg`, as JSON members.
    let publicMembers: String
    private let signer: any JWTAlgorithm

    /// The public key as LinkedIn publishes its own: `kty`, `kid` and the numbers.
    var jwk: String { #"{"kid":"\#(identifier)",\#(publicMembers)}"# }

    func sign(_ input: String) throws -> String {
        Data(try signer.sign(Array(input.utf8))).base64URL
    }
}

extension SigningKey {
    // Making an RSA key takes a while, so all tests share two.
    private static let rsaKeys = (0..<2).map { _ in Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) } }

    /// An RSA key of 2048 bits.
    static func rsa(_ identifier: String = "first", number: Int = 0, pss: Bool = false) async throws -> SigningKey {
        let key = try rsaKeys[number].get()
        let numbers = try key.publicKey.getKeyPrimitives()
        let keys = JWTKeyCollection()
        let pair = try Insecure.RSA.PrivateKey(backing: key)
        if pss {
            await keys.add(pss: pair, digestAlgorithm: .sha256)
        } else {
            await keys.add(rsa: pair, digestAlgorithm: .sha256)
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

    /// No key pair, but a secret shared by the bytes of a public key: the classic forgery.
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
