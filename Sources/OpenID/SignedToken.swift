import Encoding

/// A JSON web token in its compact form, taken apart and not yet believed (RFC 7515 §7.1, RFC 7519 §7.2).
struct SignedToken: Sendable {
    /// The longest token that is read, in bytes.
    static let sizeLimit = 16384

    let algorithm: SigningAlgorithm
    let keyIdentifier: String?
    let claims: Claims
    let signature: [UInt8]
    /// What the signature is over.
    let signingInput: [UInt8]

    /// Takes a token apart.
    ///
    /// - Parameters:
    ///   - text: the token.
    ///   - algorithms: those that may have signed it.
    /// - Throws: `idTokenMalformed` unless it is three segments of strict base64url with a JSON object in both of the
    ///   first; `idTokenAlgorithm` if `alg` is not one of `algorithms`.
    init(_ text: String, algorithms: [SigningAlgorithm]) throws(OpenIDError) {
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
        else { throw OpenIDError(.idTokenMalformed, detail: "a segment is not what it should be") }
        try Self.check(header)
        guard let name = header["alg"]?.stringValue, let algorithm = SigningAlgorithm(rawValue: name),
            algorithms.contains(algorithm)
        else { throw OpenIDError(.idTokenAlgorithm, detail: "the token is not signed by an accepted algorithm") }
        self.algorithm = algorithm
        keyIdentifier = header["kid"]?.stringValue
        self.claims = Claims(members: claims)
        self.signature = signature
        signingInput = Array(segments[0]) + [UInt8(ascii: ".")] + Array(segments[1])
    }

    /// Refuses what changes the meaning of a token, and what another kind of token says (RFC 8725 §3.11).
    private static func check(_ header: JSON) throws(OpenIDError) {
        // No extension is understood here, so none may be critical (RFC 7515 §4.1.11).
        guard header["crit"] == nil else { throw OpenIDError(.idTokenMalformed, detail: "crit is not understood") }
        // LinkedIn repeats its `alg` here. A compressed token would have to be decrypted first (RFC 7516 §4.1.3).
        if let zip = header["zip"], zip != header["alg"] {
            throw OpenIDError(.idTokenMalformed, detail: "zip is not understood")
        }
        if let type = header["typ"], type.stringValue?.lowercased() != "jwt" {
            throw OpenIDError(.idTokenMalformed, detail: "typ is not JWT")
        }
        if let key = header["kid"], key.stringValue == nil {
            throw OpenIDError(.idTokenMalformed, detail: "kid is not a string")
        }
    }
}
