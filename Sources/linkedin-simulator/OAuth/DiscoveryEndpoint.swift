/// `GET /oauth/.well-known/openid-configuration`.
struct DiscoveryEndpoint: Sendable {
    @Sendable
    func answer(_ request: Request) async -> Response {
        let settings = request.settings
        var document: JSONObject = [
            "issuer": .string(settings.issuer),
            "authorization_endpoint": .string("\(settings.base)/oauth/v2/authorization"),
            "token_endpoint": .string("\(settings.base)/oauth/v2/accessToken"),
            "userinfo_endpoint": .string("\(settings.base)/v2/userinfo"),
            "jwks_uri": .string("\(settings.base)/oauth/openid/jwks"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "scopes_supported": ["openid", "profile", "email"],
            "claims_supported": [
                "iss", "aud", "iat", "exp", "sub", "name", "given_name", "family_name", "picture", "email",
                "email_verified", "locale",
            ],
        ]
        if settings.isStandard {
            if case .array(let claims) = document["claims_supported"] {
                document["claims_supported"] = .array(claims + ["profile", "nonce", "at_hash"])
            }
            document["grant_types_supported"] = ["authorization_code", "refresh_token"]
            document["token_endpoint_auth_methods_supported"] = ["client_secret_basic", "client_secret_post"]
            document["code_challenge_methods_supported"] = ["S256"]
            document["authorization_response_iss_parameter_supported"] = true
        }
        return .json(.object(document))
    }
}
