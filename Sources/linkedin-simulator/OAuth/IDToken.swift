import Crypto
import CryptoExtras

import struct Foundation.Data

/// An ID token before it is signed, so that a fault can change any part of it.
struct IDToken: Sendable {
    enum Signing: String, Sendable {
        case rs256 = "RS256"
        /// HMAC with the text of the public key as key: the classic algorithm confusion (RFC 8725 §2.1).
        case hs256 = "HS256"
        case none
    }

    var claims: JSONObject
    /// Nil if the header has no `kid`.
    var keyIdentifier: String?
    var signing = Signing.rs256
    /// Whether the signature is changed.
    var isTampered = false
    /// Whether the header has a member `zip` with the value "RS256", as LinkedIn's has.
    let hasStrayZip: Bool

    /// Signs the token.
    ///
    /// - Parameter key: the provider's key.
    /// - Returns: the compact serialization (RFC 7515 §7.1).
    /// - Throws: what the signer throws.
    func signed(with key: SigningKeys.Key) throws -> String {
        let input = [header, .object(claims)].map { Base64URL.encode($0.text.utf8) }.joined(separator: ".")
        let token = "\(input).\(Base64URL.encode(try signature(of: Data(input.utf8), key)))"
        return isTampered ? Self.tampered(token) : token
    }

    private func signature(of input: Data, _ key: SigningKeys.Key) throws -> Data {
        switch signing {
        case .rs256: try key.secret.signature(for: input, padding: .insecurePKCS1v1_5).rawRepresentation
        case .hs256:
            Data(
                HMAC<SHA256>.authenticationCode(
                    for: input,
                    using: SymmetricKey(data: Data(key.secret.publicKey.pemRepresentation.utf8))
                )
            )
        case .none: Data()
        }
    }

    /// The header with its members in LinkedIn's order.
    private var header: JSON {
        var header: JSONObject = [:]
        if hasStrayZip { header["zip"] = "RS256" }
        header["typ"] = "JWT"
        if let keyIdentifier { header["kid"] = .string(keyIdentifier) }
        header["alg"] = .string(signing.rawValue)
        return .object(header)
    }

    /// The claim `at_hash` for an access token (OpenID Connect Core §3.1.3.6).
    static func hash(ofAccessToken token: String) -> String {
        Base64URL.encode(SHA256.hash(data: Array(token.utf8)).prefix(16))
    }

    /// Changes the first character of the signature, in which all six bits are used.
    private static func tampered(_ token: String) -> String {
        var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let signature = parts.popLast() else { return token }
        return (parts + [(signature.first == "A" ? "B" : "A") + signature.dropFirst()]).joined(separator: ".")
    }
}

extension IDToken {
    /// Creates the ID token that LinkedIn issues for a grant, or a standard provider's, with a nonce and real booleans.
    init(for grant: Grant, key: SigningKeys.Key, settings: Settings, now: Int) {
        let time = now + settings.clockOffset
        var claims: JSONObject = [
            "iss": .string(settings.issuer),
            "aud": .string(grant.clientID),
            "iat": .int(time),
            "exp": .int(time + settings.idTokenLifetime),
            "sub": .string(grant.member.subject(for: grant.clientID)),
        ]
        claims.members += Self.identity(of: grant, settings: settings, now: now).members
        if settings.isStandard, let nonce = grant.nonce { claims["nonce"] = .string(nonce) }
        self.init(claims: claims, keyIdentifier: key.identifier, hasStrayZip: !settings.isStandard)
    }

    private static func identity(of grant: Grant, settings: Settings, now: Int) -> JSONObject {
        let member = grant.member
        var claims: JSONObject = [:]
        if grant.scopes.contains("profile") {
            claims["name"] = .string(member.name)
            claims["given_name"] = .string(member.givenName)
            claims["family_name"] = .string(member.familyName)
            claims["picture"] = member.picture(base: settings.base, now: now).map { .string($0) }
        }
        if grant.scopes.contains("email"), let email = member.email {
            claims["email"] = .string(email)
            claims["email_verified"] =
                settings.isStandard ? .bool(member.isEmailVerified) : .string(String(member.isEmailVerified))
        }
        if grant.scopes.contains("profile") {
            claims["locale"] = .string(member.locale)
        }
        return claims
    }
}
