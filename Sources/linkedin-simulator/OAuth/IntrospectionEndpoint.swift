/// `POST /oauth/v2/introspectToken`.
struct IntrospectionEndpoint: Sendable {
    let grants: Grants

    /// Describes an access token; an unknown one, or one of another client, is only reported as not active.
    @Sendable
    func answer(_ request: Request) async throws -> Response {
        let form = request.form
        do {
            try ClientAuthentication.check(request, form: form)
            guard let text = form.nonempty("token") else { throw TokenError.missing("token") }
            guard let token = await grants.find(accessToken: text), token.grant.clientID == request.settings.clientID
            else {
                return .json(["active": false])
            }
            return .json(.object(Self.facts(of: token, now: request.now)))
        } catch let error as TokenError {
            return error.response
        }
    }

    private static func facts(of token: IssuedToken, now: Int) -> JSONObject {
        let status = token.isRevoked ? "revoked" : now < token.expires ? "active" : "expired"
        return [
            "active": .bool(status == "active"), "client_id": .string(token.grant.clientID),
            "authorized_at": .int(token.grant.time), "created_at": .int(token.grant.time),
            "status": .string(status), "expires_at": .int(token.expires),
            "scope": .string(token.grant.scopes.sorted().joined(separator: ",")), "auth_type": "3L",
        ]
    }
}
