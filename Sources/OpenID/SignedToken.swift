import Encoding

import struct Crypto.SHA256
import struct Crypto.SHA384
import struct Crypto.SHA512

/// A parsed JSON Web Token in compact form, not yet verified (RFC 7515 §7.1, RFC 7519 §7.2).
struct SignedToken: Sendable {
    /// The maximum length of a token, in bytes.
    static let sizeLimit = 16384

    let algorithm: SigningAlgorithm
    let keyIdentifier: String?
    let claims: Claims
    let signature: [UInt8]
    /// The bytes that are signed.
    let signingInput: [UInt8]

    /// Parses a token.
    ///
    /// - Parameters:
    ///   - text: the token.
    ///   - options: the accepted algorithms, and the provider's dialect.
    ///   - types: the accepted values of `typ`, in lower case; a token without `typ` is accepted too.
    /// - Throws: `idTokenMalformed` unless the token has three segments of strict base64url, of which the first two are
    ///   JSON objects; `idTokenAlgorithm` if `alg` is not an accepted algorithm.
    init(_ text: String, _ options: ProtocolOptions, types: [String] = ["jwt"]) throws(OpenIDError) {
        guard text.utf8.count <= Self.sizeLimit else {
            throw OpenIDError(.idTokenMalformed, detail: "the token is too long")
        }
        let segments = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard segments.count == 3 else {
            throw OpenIDError(.idTokenMalformed, detail: "the token has \(segments.count) segments")
        }
        guard let header = Base64URL.decode(String(segments[0]) ?? "").flatMap(JSON.init(parsing:)),
            let payload = Base64URL.decode(String(segments[1]) ?? "").flatMap(JSON.init(parsing:)),
            let signature = Base64URL.decode(String(segments[2]) ?? ""),
            header.objectValue != nil, let claims = payload.objectValue
        else { throw OpenIDError(.idTokenMalformed, detail: "a segment is not base64url, or is not a JSON object") }
        try Self.check(header, options.dialect, types)
        guard let name = header["alg"]?.stringValue, let algorithm = SigningAlgorithm(rawValue: name),
            options.idTokenAlgorithms.contains(algorithm)
        else { throw OpenIDError(.idTokenAlgorithm, detail: "the token is not signed with an accepted algorithm") }
        self.algorithm = algorithm
        keyIdentifier = header["kid"]?.stringValue
        self.claims = Claims(members: claims)
        self.signature = signature
        signingInput = Array(segments[0]) + [UInt8(ascii: ".")] + Array(segments[1])
    }

    /// Rejects header fields that change the meaning of a token, or that another kind of token has (RFC 8725 §3.11).
    private static func check(_ header: JSON, _ dialect: Dialect, _ types: [String]) throws(OpenIDError) {
        // No extension is supported, so none may be critical (RFC 7515 §4.1.11).
        guard header["crit"] == nil else { throw OpenIDError(.idTokenMalformed, detail: "crit is not supported") }
        // Only encrypted tokens can be compressed (RFC 7516 §4.1.3).
        if let zip = header["zip"], !dialect.repeatsAlgorithm || zip != header["alg"] {
            throw OpenIDError(.idTokenMalformed, detail: "zip is not supported")
        }
        if let type = header["typ"], !types.contains(type.stringValue?.lowercased() ?? "") {
            throw OpenIDError(.idTokenMalformed, detail: "typ is not the type of this kind of token")
        }
        if let key = header["kid"], key.stringValue == nil {
            throw OpenIDError(.idTokenMalformed, detail: "kid is not a string")
        }
    }
}

/// A signature algorithm of JWS (RFC 7518 §3.1, RFC 8037 §3.1) that may sign ID tokens.
///
/// Only asymmetric algorithms: `none` and the algorithms with a shared secret do not exist here.
package enum SigningAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case eddsa = "EdDSA"

    /// The left half of a text's hash as base64url, the format of `at_hash` (OpenID Connect Core §3.1.3.6).
    func halfHash(of text: String) -> String {
        let bytes = Array(text.utf8)
        let digest: [UInt8] =
            switch self {
            case .rs256, .ps256, .es256: Array(SHA256.hash(data: bytes))
            case .rs384, .ps384, .es384: Array(SHA384.hash(data: bytes))
            case .rs512, .ps512, .es512, .eddsa: Array(SHA512.hash(data: bytes))
            }
        return Base64URL.encode(digest.prefix(digest.count / 2))
    }
}
