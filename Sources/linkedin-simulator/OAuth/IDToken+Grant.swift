extension IDToken {
    /// The token LinkedIn issues for a grant; a standard provider's has a nonce, and booleans where they belong.
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
