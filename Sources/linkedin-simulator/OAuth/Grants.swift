/// The codes and tokens that are out.
actor Grants {
    private var codes: [String: Grant] = [:]
    private var accessTokens: [String: AccessToken] = [:]
    private var refreshTokens: [String: AccessToken] = [:]
    /// By client and member: the scopes last granted and the access tokens issued since.
    private var generations: [String: (scopes: Set<String>, tokens: [String])] = [:]

    /// Issues an authorization code.
    func code(for grant: Grant) -> String {
        let code = "AQ" + RandomText.make(characters: 140)
        codes[code] = grant
        return code
    }

    /// Takes a code out of circulation (RFC 6749 section 4.1.2: once).
    func redeem(code: String) -> Grant? {
        codes.removeValue(forKey: code)
    }

    /// Issues an access token; like at LinkedIn, another set of scopes revokes the member's earlier tokens.
    func accessToken(for grant: Grant, expires: Int) -> String {
        let key = "\(grant.clientID) \(grant.member.number)"
        if let generation = generations[key], generation.scopes != Set(grant.scopes) {
            for token in generation.tokens { accessTokens[token]?.isRevoked = true }
            generations[key] = nil
        }
        let token = "AQ" + RandomText.make(characters: 480)
        generations[key, default: (Set(grant.scopes), [])].tokens.append(token)
        accessTokens[token] = AccessToken(grant: grant, expires: expires)
        return token
    }

    func refreshToken(for grant: Grant, expires: Int) -> String {
        let token = "AQ" + RandomText.make(characters: 480)
        refreshTokens[token] = AccessToken(grant: grant, expires: expires)
        return token
    }

    func find(accessToken: String) -> AccessToken? {
        accessTokens[accessToken]
    }

    func find(refreshToken: String) -> AccessToken? {
        refreshTokens[refreshToken]
    }
}
