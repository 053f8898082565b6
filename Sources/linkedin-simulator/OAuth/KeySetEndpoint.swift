/// `GET /oauth/openid/jwks`.
struct KeySetEndpoint: Sendable {
    let keys: SigningKeys

    @Sendable
    func answer(_ request: Request) async throws -> Response {
        var key = try await keys.current.jwk()
        if request.settings.isStandard {
            key["use"] = "sig"
            key["alg"] = "RS256"
        }
        var set: [JSON] = [.object(key)]
        try request.fault?.alter(&set)
        return .json(["keys": .array(set)])
    }
}
