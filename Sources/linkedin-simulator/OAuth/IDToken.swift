import Crypto
import JWTKit

/// An ID token before it is signed, so that a fault can spoil any part of it.
struct IDToken: Sendable {
    enum Signing: Sendable {
        case rs256
        /// HMAC keyed with the text of the public key: the classic confusion of algorithms (RFC 8725 section 2.1).
        case hs256
        case none
    }

    var claims: JSONObject
    /// Nil leaves the header without a `kid`.
    var keyIdentifier: String?
    var signing = Signing.rs256
    /// Whether a bit of the signature is to be flipped.
    var isTampered = false
    /// LinkedIn's header has a member `zip` that says "RS256".
    let hasStrayZip: Bool

    /// Signs the token.
    ///
    /// - Parameter key: The provider's key.
    /// - Returns: The compact serialization (RFC 7515 section 7.1).
    /// - Throws: What the signer throws.
    func signed(with key: SigningKeys.Key) async throws -> String {
        let collection = JWTKeyCollection()
        switch signing {
        case .rs256: await collection.add(rsa: key.secret, digestAlgorithm: .sha256)
        case .hs256:
            let secret = key.secret.publicKey.pemRepresentation
            await collection.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
        case .none: await collection.addUnsecuredNone()
        }
        let token = try await collection.sign(Payload(claims: .object(claims)), header: header)
        return isTampered ? Self.tampered(token) : token
    }

    /// The claim `at_hash` for an access token (OpenID Connect Core 3.1.3.6).
    static func hash(ofAccessToken token: String) -> String {
        Base64URL.encode(SHA256.hash(data: Array(token.utf8)).prefix(16))
    }

    private var header: JWTHeader {
        var header: JWTHeader = ["typ": "JWT"]
        if let keyIdentifier { header.kid = keyIdentifier }
        if hasStrayZip { header.fields["zip"] = "RS256" }
        return header
    }

    /// Changes the first character of the signature, all six bits of which count.
    private static func tampered(_ token: String) -> String {
        var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let signature = parts.popLast() else { return token }
        return (parts + [(signature.first == "A" ? "B" : "A") + signature.dropFirst()]).joined(separator: ".")
    }

    private struct Payload: JWTPayload {
        let claims: JSON

        init(claims: JSON) { self.claims = claims }
        init(from decoder: any Decoder) throws { claims = try JSON(from: decoder) }
        func encode(to encoder: any Encoder) throws { try claims.encode(to: encoder) }
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}
