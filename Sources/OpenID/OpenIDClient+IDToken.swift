package import struct FoundationEssentials.Date

extension OpenIDClient {
    /// The maximum age of an ID token or a logout token, in seconds: longer than a code is valid at any known provider.
    static let oldestToken = 3600.0

    /// Verifies an ID token by every rule of OpenID Connect Core §3.1.3.7.
    ///
    /// Several audiences are accepted only if this client is one of them and `azp` names it.
    ///
    /// - Parameters:
    ///   - idToken: from the token response.
    ///   - accessToken: the access token issued with it, to check `at_hash`; nil to skip that check.
    ///   - nonce: the nonce that was sent, if the provider uses one.
    ///   - started: when the browser was sent to the provider, to check `auth_time`; nil for now.
    /// - Returns: its claims.
    /// - Throws: one of the `idToken…` codes, `keysUnavailable` or `busy`.
    package func verify(
        idToken: String,
        accessToken: String?,
        nonce: String?,
        started: Date? = nil
    ) async throws(OpenIDError) -> IDToken {
        let token = try SignedToken(idToken, options)
        let verified = try await verify(token, accessToken: accessToken)
        try checkNonce(token.claims, expected: nonce)
        try checkAuthenticationTime(token.claims, since: started ?? now())
        try checkRequirements(token.claims)
        return verified
    }

    /// Verifies the ID token of a refresh, if there is one: it must be about the member who signed in (OpenID Connect
    /// Core §12.2).
    ///
    /// Such a token need not contain the nonce of the sign-in, which is not stored.
    ///
    /// - Parameters:
    ///   - response: the answer to the refresh.
    ///   - issuer: the issuer of the sign-in.
    ///   - subject: the subject of the sign-in.
    /// - Returns: whether there was an ID token, so that the tokens are proven to be the member's.
    /// - Throws: `refreshForeign` if the ID token is about another member, or of another issuer or client; otherwise the same
    ///   as `verify`.
    package func verify(
        refreshed response: TokenResponse,
        issuer: String,
        subject: String
    ) async throws(OpenIDError) -> Bool {
        guard options.issuesIDToken, let idToken = response.idToken else { return false }
        let token = try SignedToken(idToken, options)
        let verified: IDToken
        do {
            verified = try await verify(token, accessToken: response.accessToken)
            // The member may have left the organization since the sign-in.
            try checkRequirements(token.claims)
        } catch {
            guard [.idTokenIssuer, .idTokenAudience, .idTokenClaim].contains(error.code) else { throw error }
            throw OpenIDError(.refreshForeign, detail: error.detail)
        }
        guard verified.issuer.isIdentical(to: issuer), verified.member.subject.isIdentical(to: subject) else {
            throw OpenIDError(.refreshForeign, detail: "the ID token is about another member than the sign-in")
        }
        return true
    }

    /// Verifies everything but the nonce.
    private func verify(_ token: SignedToken, accessToken: String?) async throws(OpenIDError) -> IDToken {
        try await checkSignature(of: token, keys: .idToken)
        guard !token.claims.areOfLogout else {
            throw OpenIDError(.idTokenMalformed, detail: "the token is a logout token")
        }
        let issuer = try checkIssuer(token.claims)
        try checkAudience(token.claims)
        let (issued, expires) = try checkTimes(token.claims)
        guard let subject = token.claims.subject else {
            throw OpenIDError(.idTokenSubject, detail: "sub is not a subject identifier")
        }
        try checkHash(token, accessToken: accessToken)
        return IDToken(
            issuer: issuer,
            member: MemberClaims(token.claims, subject: try qualified(subject, token.claims, issuer), options.dialect),
            issued: issued,
            expires: expires
        )
    }

    /// Whether `requireKeys` succeeds without a call.
    package var hasKeys: Bool {
        get async { options.issuesIDToken ? await keySet.isKnown : true }
    }

    /// Fetches the provider's keys if they are not known.
    ///
    /// - Throws: `keysUnavailable` or `busy` if there are no keys; not for a provider without ID tokens.
    package func requireKeys() async throws(OpenIDError) {
        if options.issuesIDToken { _ = try await keySet.snapshot(for: .idToken) }
    }

    func checkIssuer(_ claims: Claims) throws(OpenIDError) -> String {
        let issuer = claims["iss"]?.stringValue
        if let issuer, options.issuers.contains(where: issuer.isIdentical) { return issuer }
        let detail = "iss is not an accepted issuer: \(Self.shown(claims["iss"]))"
        let isTenant = issuer.flatMap { options.tenants?.isIssuer($0, ofTenantIn: claims) } ?? false
        throw OpenIDError(isTenant ? .idTokenClaim : .idTokenIssuer, detail: detail)
    }

    /// An issuer that was not accepted, for the log: a provider can change its issuer without notice.
    private static func shown(_ issuer: JSON?) -> String {
        guard let issuer else { return "missing" }
        return issuer.stringValue.map(shown(issuer:)) ?? "not a string"
    }

    /// The first 120 characters of an issuer, because anyone can send a long one.
    static func shown(issuer: String) -> String {
        String(issuer.unicodeScalars.prefix(120).map(Character.init))
    }

    func checkAudience(_ claims: Claims) throws(OpenIDError) {
        let audience: [JSON] =
            switch claims["aud"] {
            case .array(let several)?: several
            case let single?: [single]
            case nil: []
            }
        let isClient = { (claim: JSON) in claim.stringValue?.isIdentical(to: credentials.identifier) ?? false }
        guard audience.contains(where: isClient), audience.allSatisfy({ $0.stringValue != nil }) else {
            throw OpenIDError(.idTokenAudience, detail: "aud does not name this client")
        }
        if let party = claims["azp"] {
            guard isClient(party) else {
                throw OpenIDError(.idTokenAudience, detail: "azp does not name this client")
            }
        } else {
            guard audience.allSatisfy(isClient) else {
                throw OpenIDError(.idTokenAudience, detail: "aud names other clients too, and azp is missing")
            }
        }
    }

    func checkTimes(_ claims: Claims) throws(OpenIDError) -> (issued: Date, expires: Date) {
        let now = now().timeIntervalSince1970
        let leeway = Double(options.clockLeeway)
        guard let expires = claims.time("exp") else { throw OpenIDError(.idTokenTime, detail: "exp is not a time") }
        guard let issued = claims.time("iat") else { throw OpenIDError(.idTokenTime, detail: "iat is not a time") }
        guard now < expires + leeway else {
            throw OpenIDError(.idTokenExpired, detail: "exp was \(Int(now - expires)) seconds ago")
        }
        guard issued <= now + leeway else { throw Self.isAhead("iat", by: issued - now) }
        guard issued >= now - Self.oldestToken - leeway else {
            throw OpenIDError(.idTokenTime, detail: "iat was \(Int(now - issued)) seconds ago")
        }
        if claims["nbf"] != nil {
            guard let begins = claims.time("nbf") else { throw OpenIDError(.idTokenTime, detail: "nbf is not a time") }
            guard begins <= now + leeway else { throw Self.isAhead("nbf", by: begins - now) }
        }
        return (Date(timeIntervalSince1970: issued), Date(timeIntervalSince1970: expires))
    }

    private static func isAhead(_ claim: String, by seconds: Double) -> OpenIDError {
        // No overflow: a time is at most in the year 9999.
        let skew = Int(seconds.rounded())
        let detail = "\(claim) is \(skew) seconds ahead of this machine's clock"
        return OpenIDError(.idTokenFuture, detail: detail, clockSkew: skew)
    }

    private func checkNonce(_ claims: Claims, expected: String?) throws(OpenIDError) {
        guard options.usesNonce else { return }
        guard let expected, let nonce = claims["nonce"]?.stringValue, ConstantTime.equal(nonce, expected) else {
            throw OpenIDError(.idTokenNonce, detail: "nonce is not the nonce that was sent")
        }
    }

    /// With `max_age`, the member signed in at most that long before the request, or after it (§3.1.2.1, §3.1.3.7).
    private func checkAuthenticationTime(_ claims: Claims, since started: Date) throws(OpenIDError) {
        guard let limit = options.authorizationParameters.maximumAge else { return }
        guard let time = claims.time("auth_time") else {
            throw OpenIDError(.idTokenAuthenticationTime, detail: "auth_time is not a time")
        }
        let leeway = Double(options.clockLeeway)
        guard time <= now().timeIntervalSince1970 + leeway else {
            throw OpenIDError(.idTokenAuthenticationTime, detail: "auth_time is in the future")
        }
        let age = started.timeIntervalSince1970 - time
        guard age <= Double(limit) + leeway else {
            let detail = "auth_time was \(Int(age)) seconds before this sign-in, and max_age is \(limit)"
            throw OpenIDError(.idTokenAuthenticationTime, detail: detail)
        }
    }

    /// The claims that the operator requires of each member.
    func checkRequirements(_ claims: Claims) throws(OpenIDError) {
        for required in options.requiredClaims where !required.isMet(by: claims) {
            let state = claims[required.name] == nil ? "missing" : "not an accepted value"
            throw OpenIDError(.idTokenClaim, detail: "\(required.name) is \(state)")
        }
    }

    /// The subject with the tenant before it, if there are tenants: a subject is unique only for its issuer (§2).
    func qualified(
        _ subject: String,
        _ claims: Claims,
        _ issuer: String
    ) throws(OpenIDError) -> String {
        guard let tenants = options.tenants else { return subject }
        guard let tenant = tenants.tenant(of: claims, issuer: issuer) else {
            throw OpenIDError(.idTokenIssuer, detail: "iss is not the issuer of the tenant that the token names")
        }
        return "\(tenant).\(subject)"
    }

    private func checkHash(_ token: SignedToken, accessToken: String?) throws(OpenIDError) {
        guard let accessToken, let claim = token.claims["at_hash"] else { return }
        guard let hash = claim.stringValue, ConstantTime.equal(hash, token.algorithm.halfHash(of: accessToken)) else {
            throw OpenIDError(.idTokenHash, detail: "at_hash does not match the access token")
        }
    }
}

// MARK: - Signature

extension OpenIDClient {
    /// The maximum number of keys that are tried for one token.
    private static let mostKeysTried = 8

    private enum Verdict {
        case valid
        case invalid
        /// The key set has no key with that identifier and type.
        case noKey
    }

    /// Checks a token's signature; fetches the keys again once if no current key verifies it.
    func checkSignature(of token: SignedToken, keys cause: KeySet.Cause) async throws(OpenIDError) {
        let keys = try await keySet.snapshot(for: cause)
        var verdict = judge(token, by: keys)
        var isNewest = false
        // A provider may replace a key and keep its identifier, or may have published a damaged set before.
        if verdict != .valid, let newer = await keySet.newer(than: keys, for: cause) {
            verdict = judge(token, by: newer)
            isNewest = true
        }
        switch verdict {
        case .valid: break
        // A provider sends a logout token again only after a fault.
        case .noKey where cause == .logoutToken && !isNewest:
            throw OpenIDError(.keysUnavailable, detail: "the program could not fetch the keys again")
        case .invalid: throw OpenIDError(.idTokenSignature, detail: "the signature does not match the provider's key")
        case .noKey: throw OpenIDError(.idTokenKey, detail: "the provider's key set does not contain the key")
        }
    }

    private func judge(_ token: SignedToken, by keySet: KeySet.Snapshot) -> Verdict {
        let candidates = keySet.keys.filter { key in
            key.fits(token.algorithm) && isNamed(key, by: token) && mayBeUsed(key, for: token)
        }
        for key in candidates.prefix(Self.mostKeysTried)
        where key.signed(token.signature, over: token.signingInput, by: token.algorithm) {
            return .valid
        }
        return candidates.isEmpty ? .noKey : .invalid
    }

    /// Whether the provider uses the key for the tenant of the token: one key set has the keys of all tenants.
    private func mayBeUsed(_ key: VerificationKey, for token: SignedToken) -> Bool {
        guard let tenants = options.tenants, let owner = key.issuer else { return true }
        return token.claims["iss"]?.stringValue.map { tenants.isKey(of: owner, for: $0) } ?? false
    }

    private func isNamed(_ key: VerificationKey, by token: SignedToken) -> Bool {
        guard let name = token.keyIdentifier else { return true }
        return key.identifier?.isIdentical(to: name) ?? false
    }
}
