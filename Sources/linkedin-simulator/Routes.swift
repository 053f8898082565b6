/// The routes of the simulator.
struct Routes: Sendable {
    private let table: [Route]

    init(grants: Grants, keys: SigningKeys, control: Control) {
        let authorization = AuthorizationEndpoint(grants: grants)
        let token = TokenEndpoint(grants: grants, keys: keys)
        let bearer = BearerCheck(grants: grants)
        table = [
            Route(.authorization, "GET", "/oauth/v2/authorization", authorization.ask),
            Route(.consent, "POST", "/oauth/v2/authorization", authorization.decide),
            Route(.token, "POST", "/oauth/v2/accessToken", token.answer),
            Route(.introspection, "POST", "/oauth/v2/introspectToken", IntrospectionEndpoint(grants: grants).answer),
            Route(.revocation, "POST", "/oauth/v2/revoke", RevocationEndpoint(grants: grants).answer),
            Route(.jwks, "GET", "/oauth/openid/jwks", KeySetEndpoint(keys: keys).answer),
            Route(.discovery, "GET", "/oauth/.well-known/openid-configuration", DiscoveryEndpoint().answer),
            Route(.userinfo, "GET", "/v2/userinfo", UserInfoEndpoint(bearer: bearer).answer),
            Route(.identityMe, "GET", "/rest/identityMe", IdentityMeEndpoint(bearer: bearer).answer),
            Route(.me, "GET", "/v2/me", MeEndpoint(bearer: bearer).answer),
            Route(.v1, "GET", "/v1/people/~:(public-profile-url)", PeopleEndpoint(bearer: bearer).answer),
            Route(.profile, "GET", "/in/*", ProfilePage.byVanityName),
            Route(.profile, "GET", "/profile-thirdparty-redirect/*", ProfilePage.byToken),
            Route(.picture, "GET", "/dms/image/*", Picture.answer),
            Route(.elsewhere, "GET", "/elsewhere/*") { _ in .text("elsewhere\n", type: "text/plain") },
            Route(.elsewhere, "POST", "/elsewhere/*") { _ in .text("elsewhere\n", type: "text/plain") },

            Route(nil, "GET", "/", FrontPage.answer),
            Route(nil, "GET", "/control/faults", control.listFaults),
            Route(nil, "POST", "/control/faults", control.addFault),
            Route(nil, "DELETE", "/control/faults", control.clearFaults),
            Route(nil, "GET", "/control/requests", control.listRequests),
            Route(nil, "DELETE", "/control/requests", control.clearRequests),
            Route(nil, "GET", "/control/settings", control.showSettings),
            Route(nil, "POST", "/control/settings", control.changeSettings),
            Route(nil, "GET", "/control/tokens", control.listTokens),
            Route(nil, "POST", "/control/revoke", control.revokeTokens),
            Route(nil, "POST", "/control/rotate-key") { request in
                .json(["kid": .string(try await keys.rotate(bits: request.settings.keyBits))])
            },
        ]
    }

    /// Finds the route of a request; if there is none, a route that answers 404 or 405.
    func find(_ request: Request) -> Route {
        let candidates = table.filter { $0.matches(request.path) }
        if let route = candidates.first(where: { $0.allows(request.method) }) { return route }
        let methods = candidates.map(\.method).joined(separator: ", ")
        return Route(candidates.first?.endpoint ?? .unknown, request.method, request.path) { request in
            guard methods.isEmpty else {
                return Response(405, headers: ["Allow": methods])
            }
            return APIError.noSuchResource(request.path).response
        }
    }
}

/// A method and a path, with the handler of their requests.
struct Route: Sendable {
    typealias Handler = @Sendable (Request) async throws -> Response

    /// Nil for control paths, which have no faults and are not in the journal.
    let endpoint: EndpointName?
    let method: String
    /// A path; `*` at its end matches one or more characters.
    let path: String
    let handle: Handler

    init(_ endpoint: EndpointName?, _ method: String, _ path: String, _ handle: @escaping Handler) {
        self.endpoint = endpoint
        self.method = method
        self.path = path
        self.handle = handle
    }

    func matches(_ requested: String) -> Bool {
        guard path.hasSuffix("*") else { return requested == path }
        return requested.utf8.count >= path.utf8.count && requested.hasPrefix(path.dropLast())
    }

    func allows(_ requested: String) -> Bool {
        requested == method || (requested == "HEAD" && method == "GET")
    }
}

/// The name of an endpoint in faults and in the journal.
enum EndpointName: String, Sendable, CaseIterable {
    case authorization
    case consent
    case token
    case introspection
    case revocation
    case jwks
    case discovery
    case userinfo
    case identityMe
    case me
    case v1
    case profile
    case picture
    /// The target of the fault `redirect`.
    case elsewhere
    /// All other paths.
    case unknown

    /// Whether a correct answer is a JSON object.
    var answersJSON: Bool {
        switch self {
        case .token, .introspection, .jwks, .discovery, .userinfo, .identityMe, .me, .v1: true
        case .authorization, .consent, .revocation, .profile, .picture, .elsewhere, .unknown: false
        }
    }
}
