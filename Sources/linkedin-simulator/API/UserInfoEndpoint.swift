/// `GET /v2/userinfo`.
struct UserInfoEndpoint: Sendable {
    let bearer: BearerCheck

    @Sendable
    func answer(_ request: Request) async -> Response {
        await bearer.guarding(request, scope: "openid", resource: "userinfo") { grant in
            Self.claims(of: grant, request: request)
        }
    }

    private static func claims(of grant: Grant, request: Request) -> JSONObject {
        let (member, settings) = (grant.member, request.settings)
        var claims: JSONObject = ["sub": .string(member.subject(for: grant.clientID))]
        if grant.scopes.contains("email"), let email = member.email {
            claims["email_verified"] = .bool(member.isEmailVerified)
            claims["email"] = .string(email)
        }
        guard grant.scopes.contains("profile") else { return claims }
        claims["name"] = .string(member.name)
        claims["locale"] =
            settings.isStandard
            ? .string("\(member.language)-\(member.country)")
            : ["country": .string(member.country), "language": .string(member.language)]
        claims["given_name"] = .string(member.givenName)
        claims["family_name"] = .string(member.familyName)
        claims["picture"] = member.picture(base: settings.base, now: request.now).map { .string($0) }
        if settings.isStandard { claims["profile"] = .string(member.profileURL(base: settings.base)) }
        return claims
    }
}
