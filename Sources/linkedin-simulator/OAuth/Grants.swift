/// The codes and tokens that were issued.
actor Grants {
    private var codes: [String: Grant] = [:]
    private var accessTokens: [String: IssuedToken] = [:]
    private var refreshTokens: [String: IssuedToken] = [:]
    private var consents: [Grantor: Consent] = [:]

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

    /// Returns a refresh token that is valid now.
    ///
    /// - Parameters:
    ///   - refreshToken: the token.
    ///   - now: seconds since 1970.
    ///   - rotates: whether the token ends, because the caller issues a new one.
    /// - Returns: the token; nil if it is unknown, expired or revoked.
    func redeem(refreshToken: String, now: Int, rotates: Bool) -> IssuedToken? {
        guard let token = refreshTokens[refreshToken], !token.isRevoked, now < token.expires else { return nil }
        if rotates { refreshTokens[refreshToken]?.isRevoked = true }
        return token
    }

    /// Issues an access token, and a refresh token if it has an expiry.
    ///
    /// As at LinkedIn, other scopes revoke all earlier tokens of the member.
    func issue(for grant: Grant, expires: Int, refreshExpires: Int?) -> (access: String, refresh: String?) {
        let grantor = Grantor(grant)
        if let consent = consents[grantor], consent.scopes != Set(grant.scopes) { revoke(grantor) }
        let access = "AQ" + RandomText.make(characters: 480)
        accessTokens[access] = IssuedToken(grant: grant, expires: expires)
        consents[grantor, default: Consent(scopes: Set(grant.scopes))].accessTokens.append(access)
        guard let refreshExpires else { return (access, nil) }
        let refresh = "AQ" + RandomText.make(characters: 480)
        refreshTokens[refresh] = IssuedToken(grant: grant, expires: refreshExpires)
        consents[grantor]?.refreshTokens.append(refresh)
        return (access, refresh)
    }

    /// Whether a member has an unexpired access token of an application for exactly these scopes.
    func hasConsent(of member: Member, to clientID: String, scopes: [String], now: Int) -> Bool {
        guard let consent = consents[Grantor(clientID: clientID, member: member.number)], consent.scopes == Set(scopes)
        else { return false }
        return consent.accessTokens.reversed().contains { text in
            accessTokens[text].map { !$0.isRevoked && now < $0.expires } ?? false
        }
    }

    func find(accessToken: String) -> IssuedToken? {
        accessTokens[accessToken]
    }

    // MARK: - Revocation

    /// Revokes tokens of a member, as if the member removed the application at LinkedIn.
    ///
    /// - Parameters:
    ///   - member: the member's number; nil for all members.
    ///   - kind: which tokens; nil for both kinds, which also forgets the consent.
    /// - Returns: the number of tokens that were valid until now, except for their time.
    func revokeTokens(of member: Int?, kind: TokenKind?) -> Int {
        let grantors = consents.keys.filter { member == nil || $0.member == member }
        return grantors.reduce(0) { $0 + revoke($1, kind) }
    }

    /// Revokes one token (RFC 7009 §2.1); a refresh token takes the access tokens of its member along.
    func revoke(_ token: String) {
        accessTokens[token]?.isRevoked = true
        guard let refresh = refreshTokens[token] else { return }
        refreshTokens[token]?.isRevoked = true
        revoke(Grantor(refresh.grant), .access)
    }

    @discardableResult
    private func revoke(_ grantor: Grantor, _ kind: TokenKind? = nil) -> Int {
        guard let consent = consents[grantor] else { return 0 }
        var count = 0
        if kind != .refresh {
            for token in consent.accessTokens where accessTokens[token]?.isRevoked == false {
                accessTokens[token]?.isRevoked = true
                count += 1
            }
        }
        if kind != .access {
            for token in consent.refreshTokens where refreshTokens[token]?.isRevoked == false {
                refreshTokens[token]?.isRevoked = true
                count += 1
            }
        }
        if kind == nil { consents[grantor] = nil }
        return count
    }

    /// All tokens that were ever issued, for tests that search for them where they must not be.
    var json: JSON {
        .array(
            [(TokenKind.access, accessTokens), (.refresh, refreshTokens)].flatMap { kind, tokens -> [JSON] in
                tokens.map { text, token -> JSON in
                    [
                        "kind": .string(kind.rawValue), "token": .string(text),
                        "member": .int(token.grant.member.number), "expires": .int(token.expires),
                        "revoked": .bool(token.isRevoked),
                    ]
                }
            }
        )
    }
}

enum TokenKind: String, Sendable, CaseIterable {
    case access, refresh
}

/// A member who has allowed an application something.
private struct Grantor: Hashable {
    let clientID: String
    let member: Int

    init(clientID: String, member: Int) {
        self.clientID = clientID
        self.member = member
    }

    init(_ grant: Grant) {
        self.init(clientID: grant.clientID, member: grant.member.number)
    }
}

/// The scopes that a member allowed last, and the tokens issued since then.
private struct Consent {
    let scopes: Set<String>
    var accessTokens: [String] = []
    var refreshTokens: [String] = []
}

/// What a member has allowed an application.
struct Grant: Sendable {
    var member: Member
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
struct IssuedToken: Sendable {
    let grant: Grant
    /// Seconds since 1970.
    let expires: Int
    var isRevoked = false
}
