import CryptoExtras
import Testing

import struct Foundation.Data
import class Foundation.JSONDecoder

/// A JSON Web Token of the client whose signature is valid (RFC 7515 §7.1).
struct Assertion<Claims: Decodable> {
    struct Header: Decodable, Equatable {
        let alg: String
        var kid: String?
        var typ: String? = "JWT"
    }

    let header: Header
    let claims: Claims

    /// Reads the compact serialization of a token.
    init(
        _ text: String,
        as _: Claims.Type = Claims.self,
        _ isValid: (_ signature: Data, _ signed: Data) throws -> Bool
    ) throws {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let bytes = try parts.map { try #require(Data(base64URL: $0)) }
        try #require(parts.count == 3)
        #expect(try isValid(bytes[2], Data("\(parts[0]).\(parts[1])".utf8)))
        header = try JSONDecoder().decode(Header.self, from: bytes[0])
        claims = try JSONDecoder().decode(Claims.self, from: bytes[1])
    }

    init(_ text: String, signedBy key: P256.Signing.PublicKey) throws {
        try self.init(text) { signature, signed in
            key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: signed)
        }
        #expect(header.alg == "ES256")
    }
}
