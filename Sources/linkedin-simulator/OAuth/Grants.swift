/// The codes and tokens that were issued.
actor Grants {
    private var codes: [String: Grant] = [:]
    private var accessTokens: [String: AccessToken] = [:]
    private var refreshTokens: [String: AccessToken] = [:]
    /// By client and member: the scopes granted last, and the access tokens issued since then.
    private var generations: [String: (scopes: Set<String>, tokens: [String])] = [:]

    /// Issues an authorization code.
    func code(for grant: Grant) -> String {
        let code = "AQ" + RandomText.make(characters: 140)
        codes[code] = grant
        return code
    }

    /// Returns the grant of a code and forgets the code, which is valid once (RFC 6749 §4.1.2).
    func redeem(code: String) -> Grant? {
        codes.removeValue(forKey: code)
    }

    /// Issues an access token; as at LinkedIn, other scopes revoke the member's earlier tokens.
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

/// What a member has allowed an application.
struct Grant: Sendable {
    let member: Member
    let clientID: String
    let redirectURI: String
    let scopes: [String]
    let nonce: String?
    /// The S256 code challenge (RFC 7636 §4.2).
    let challenge: String?
    /// Seconds since 1970.
    let time: Int
}

/// An issued access or refresh token.
struct AccessToken: Sendable {
    let grant: Grant
    /// Seconds since 1970.
    let expires: Int
    var isRevoked = false
}
