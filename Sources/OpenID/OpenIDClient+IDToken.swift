import struct FoundationEssentials.Date

extension OpenIDClient {
    /// How old an ID token may be, in seconds: twice the half hour that a LinkedIn code lives.
    private static let oldestToken = 3600.0

    /// Verifies an ID token by every rule of OpenID Connect Core §3.1.3.7.
    ///
    /// Several audiences are accepted only if this client is among them and `azp` names it too.
    ///
    /// - Parameters:
    ///   - idToken: from the token response.
    ///   - accessToken: the one issued with it, for `at_hash`; nil to skip that.
    ///   - nonce: the one sent, where the provider uses one.
    /// - Returns: its claims.
    /// - Throws: one of the `idToken…` codes, `keysUnavailable` or `busy`.
    package func verify(
        idToken: String,
        accessToken: String?,
        nonce: String?
    ) async throws(OpenIDError) -> IDToken {
        let token = try SignedToken(idToken, algorithms: provider.idTokenAlgorithms)
        try await checkSignature(of: token)
        let issuer = try checkIssuer(token.claims)
        try checkAudience(token.claims)
        let (issued, expires) = try checkTimes(token.claims)
        guard let subject = token.claims.subject else {
            throw OpenIDError(.idTokenSubject, detail: "sub is no subject identifier")
        }
        try checkNonce(token.claims, expected: nonce)
        try checkHash(token, accessToken: accessToken)
        return IDToken(
            issuer: issuer,
            member: MemberClaims(token.claims, subject: subject),
            issued: issued,
            expires: expires
        )
    }

    private func checkIssuer(_ claims: Claims) throws(OpenIDError) -> String {
        guard let issuer = claims["iss"]?.stringValue, provider.issuers.contains(where: issuer.isIdentical) else {
            throw OpenIDError(.idTokenIssuer, detail: "iss is not an accepted issuer: \(Self.shown(claims["iss"]))")
        }
        return issuer
    }

    /// An issuer that was not accepted, as the log shows it: LinkedIn has changed its own without notice.
    private static func shown(_ issuer: JSON?) -> String {
        guard let issuer else { return "missing" }
        return issuer.stringValue.map(shown(issuer:)) ?? "not a string"
    }

    /// The beginning of an issuer, which anyone can make long.
    static func shown(issuer: String) -> String {
        String(issuer.unicodeScalars.prefix(120).map(Character.init))
    }

    private func checkAudience(_ claims: Claims) throws(OpenIDError) {
        let audience: [JSON] =
            switch claims["aud"] {
            case .array(let several)?: several
            case let single?: [single]
            case nil: []
            }
        let isClient = { (claim: JSON) in claim.stringValue?.isIdentical(to: credentials.identifier) ?? false }
        guard audience.contains(where: isClient), audience.allSatisfy({ $0.stringValue != nil }) else {
            throw OpenIDError(.idTokenAudience, detail: "the token is for another client")
        }
        if let party = claims["azp"] {
            guard isClient(party) else {
                throw OpenIDError(.idTokenAudience, detail: "the token was issued to another client")
            }
        } else {
            guard audience.allSatisfy(isClient) else {
                throw OpenIDError(.idTokenAudience, detail: "the token is for other clients too")
            }
        }
    }

    private func checkTimes(_ claims: Claims) throws(OpenIDError) -> (issued: Date, expires: Date) {
        let now = now().timeIntervalSince1970
        let leeway = Double(provider.clockLeeway)
        guard let expires = claims.time("exp") else { throw OpenIDError(.idTokenTime, detail: "exp is no time") }
        guard let issued = claims.time("iat") else { throw OpenIDError(.idTokenTime, detail: "iat is no time") }
        guard now < expires + leeway else {
            throw OpenIDError(.idTokenExpired, detail: "exp is \(Int(now - expires)) seconds past")
        }
        guard issued <= now + leeway else { throw Self.isAhead("iat", by: issued - now) }
        guard issued >= now - Self.oldestToken - leeway else {
            throw OpenIDError(.idTokenTime, detail: "iat is \(Int(now - issued)) seconds past")
        }
        if claims["nbf"] != nil {
            guard let begins = claims.time("nbf") else { throw OpenIDError(.idTokenTime, detail: "nbf is no time") }
            guard begins <= now + leeway else { throw Self.isAhead("nbf", by: begins - now) }
        }
        return (Date(timeIntervalSince1970: issued), Date(timeIntervalSince1970: expires))
    }

    private static func isAhead(_ claim: String, by seconds: Double) -> OpenIDError {
        // At most the year 9999, so that it fits.
        let skew = Int(seconds.rounded())
        let detail = "\(claim) is \(skew) seconds ahead of this machine's clock"
        return OpenIDError(.idTokenFuture, detail: detail, clockSkew: skew)
    }

    private func checkNonce(_ claims: Claims, expected: String?) throws(OpenIDError) {
        guard provider.usesNonce else { return }
        guard let expected, let nonce = claims["nonce"]?.stringValue, ConstantTime.equal(nonce, expected) else {
            throw OpenIDError(.idTokenNonce, detail: "nonce is not the one that was sent")
        }
    }

    private func checkHash(_ token: SignedToken, accessToken: String?) throws(OpenIDError) {
        guard let accessToken, let claim = token.claims["at_hash"] else { return }
        guard let hash = claim.stringValue, ConstantTime.equal(hash, token.algorithm.halfHash(of: accessToken)) else {
            throw OpenIDError(.idTokenHash, detail: "at_hash is not of this access token")
        }
    }
}
