import Crypto
import CryptoExtras
import Encoding

import struct FoundationEssentials.Data
import struct FoundationEssentials.Date
import class FoundationEssentials.JSONEncoder

/// The private key with which this client proves its identity to the provider (RFC 7523 §2.2); it is never printed.
package struct ClientKey: Sendable, Unprintable {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
    }

    private let material: Material
    private let identifier: String?

    /// Reads an RSA key of 2048 to 8192 bits, or a key on the curve P-256; nil for any other text.
    ///
    /// - Parameters:
    ///   - pem: the key as PEM (RFC 7468), which is not encrypted.
    ///   - identifier: the `kid` under which the provider knows the key; nil if it knows only one.
    package init?(pem: String, identifier: String?) {
        if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
            material = .p256(key)
        } else if let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem),
            (2048...8192).contains(key.keySizeInBits)
        {
            material = .rsa(key)
        } else {
            return nil
        }
        self.identifier = identifier
    }

    /// Whether a text is meant to be a key or a certificate, and not a client secret.
    package static func isPEM(_ text: String) -> Bool { text.hasPrefix("-----BEGIN ") }

    /// The algorithm of its signatures, which the type of the key determines.
    package var algorithm: SigningAlgorithm {
        switch material {
        case .rsa: .rs256
        case .p256: .es256
        }
    }

    /// Signs a claims set as a JSON Web Token (RFC 7515 §7.1).
    func signed(_ claims: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let header = Header(alg: algorithm.rawValue, kid: identifier, typ: "JWT")
        let input = try [encoder.encode(header), encoder.encode(claims)].map(Base64URL.encode).joined(separator: ".")
        return "\(input).\(Base64URL.encode(try signature(of: SHA256.hash(data: Array(input.utf8)))))"
    }

    private func signature(of digest: SHA256.Digest) throws -> Data {
        switch material {
        case .rsa(let key): try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation
        case .p256(let key): try key.signature(for: digest).rawRepresentation
        }
    }

    private struct Header: Encodable {
        let alg: String
        let kid: String?
        let typ: String
    }
}

/// The claims with which a client proves its identity at the token endpoint (RFC 7523 §3, OpenID Connect Core §9).
struct ClientAssertion: Encodable {
    /// The type of the assertion in a request (RFC 7523 §2.2).
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// Seconds until an assertion expires; enough for a provider whose clock is ahead by a minute.
    private static let lifetime = 120

    private let iss: String
    private let sub: String
    private let aud: String
    private let jti: String
    private let iat: Int
    private let exp: Int

    /// - Parameters:
    ///   - client: the client identifier.
    ///   - signer: the owner of the key: the client, or a team of which it is a client.
    ///   - issuer: the issuer of the provider. It is the only audience, so that no other provider accepts the assertion.
    ///   - now: the current time.
    init(client: String, signer: String, issuer: String, now: Date) {
        (iss, sub, aud) = (signer, client, issuer)
        jti = Base64URL.encode((0..<16).map { _ in UInt8.random(in: 0...UInt8.max) })
        iat = Int(now.timeIntervalSince1970)
        exp = iat + Self.lifetime
    }
}
