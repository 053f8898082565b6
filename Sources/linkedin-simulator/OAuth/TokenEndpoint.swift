/// `POST /oauth/v2/accessToken`.
struct TokenEndpoint: Sendable {
    let grants: Grants
    let keys: SigningKeys

    @Sendable
    func answer(_ request: Request) async throws -> Response {
        do {
            return try await issue(request)
        } catch let error as TokenError {
            return request.settings.isStandard ? error.standardResponse : error.response
        }
    }

    private func issue(_ request: Request) async throws -> Response {
        let form = request.form
        guard let type = form.nonempty("grant_type") else { throw TokenError.missing("grant_type") }
        try ClientAuthentication.check(request, form: form)
        switch type {
        case "authorization_code": return try await exchangeCode(request, form: form)
        case "refresh_token": return try await refresh(request, form: form)
        default: throw TokenError.unsupportedGrant
        }
    }

    private func exchangeCode(_ request: Request, form: Fields) async throws -> Response {
        let settings = request.settings
        guard let code = form.nonempty("code") else { throw TokenError.missing("code") }
        guard let redirectURI = form.nonempty("redirect_uri") else { throw TokenError.missing("redirect_uri") }
        if !settings.isStandard, form["code_verifier"] != nil { throw TokenError.clientAuthentication }
        guard var grant = await grants.redeem(code: code) else { throw TokenError.codeNotFound }
        guard request.now < grant.time + settings.codeLifetime, grant.redirectURI == redirectURI else {
            throw TokenError.mismatch
        }
        if settings.isStandard {
            guard let challenge = grant.challenge, let verifier = form["code_verifier"],
                CodeChallenge.matches(verifier: verifier, challenge: challenge)
            else { throw TokenError.mismatch }
        }
        request.fault?.alter(&grant)
        let refreshExpires = settings.issuesRefreshTokens ? request.now + settings.refreshTokenLifetime : nil
        let tokens = await grants.issue(
            for: grant,
            expires: request.now + settings.accessTokenLifetime,
            refreshExpires: refreshExpires
        )
        return try await success(request, grant: grant, access: tokens.access, refresh: tokens.refresh, refreshExpires)
    }

    /// Answers with the same refresh token and its remaining lifetime, as LinkedIn does.
    ///
    /// With the setting `rotate-refresh-tokens`, the answer has a new one, and the old one ends; the lifetime stays.
    private func refresh(_ request: Request, form: Fields) async throws -> Response {
        guard let token = form.nonempty("refresh_token") else { throw TokenError.missing("refresh_token") }
        guard request.settings.issuesRefreshTokens else { throw TokenError.refreshNotAllowed }
        let rotates = request.settings.rotatesRefreshTokens
        guard let found = await grants.redeem(refreshToken: token, now: request.now, rotates: rotates) else {
            throw TokenError.refreshInvalid
        }
        var grant = found.grant
        request.fault?.alter(&grant)
        let tokens = await grants.issue(
            for: grant,
            expires: request.now + request.settings.accessTokenLifetime,
            refreshExpires: rotates ? found.expires : nil
        )
        let refresh = tokens.refresh ?? token
        return try await success(request, grant: grant, access: tokens.access, refresh: refresh, found.expires)
    }

    private func success(
        _ request: Request,
        grant: Grant,
        access: String,
        refresh: String?,
        _ refreshExpires: Int?
    ) async throws -> Response {
        let settings = request.settings
        var answer: JSONObject = [
            "access_token": .string(access),
            "expires_in": .int(settings.accessTokenLifetime),
            "scope": .string(grant.scopes.sorted().joined(separator: settings.isStandard ? " " : ",")),
        ]
        if let refresh, let refreshExpires {
            answer["refresh_token"] = .string(refresh)
            answer["refresh_token_expires_in"] = .int(refreshExpires - request.now)
        }
        if settings.isStandard || settings.namesTokenType { answer["token_type"] = "Bearer" }
        if grant.scopes.contains("openid") {
            let key = await keys.current
            var idToken = IDToken(for: grant, key: key, settings: settings, now: request.now)
            if settings.isStandard { idToken.claims["at_hash"] = .string(IDToken.hash(ofAccessToken: access)) }
            request.fault?.alter(&idToken)
            answer["id_token"] = .string(try idToken.signed(with: key))
        }
        return .json(.object(answer))
    }
}
