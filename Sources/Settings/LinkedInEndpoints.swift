import OpenID

/// LinkedIn as a provider: its endpoints, its two issuers, and where it differs from the standards.
struct LinkedInEndpoints {
    let provider: Provider
    let profile: ProfileEndpoint

    private static let origin = "https://www.linkedin.com"

    init(_ reader: inout SettingsReader, product: LinkedInProduct) {
        let scopes = reader.list(.scopes, separator: " ")
        let userinfo = reader.endpoint(.userinfoEndpoint, default: "https://api.linkedin.com/v2/userinfo")
        let authorizationEndpoint = reader.endpoint(
            .authorizationEndpoint,
            default: "\(Self.origin)/oauth/v2/authorization"
        )
        let tokenEndpoint = reader.endpoint(.tokenEndpoint, default: "\(Self.origin)/oauth/v2/accessToken") ?? ""
        // Requests to both have the client secret, so LinkedIn must not receive that of another provider.
        let isLinkedIn = Self.isLinkedIn(tokenEndpoint: tokenEndpoint)
        provider = Provider(
            issuers: reader.issuers(),
            authorizationEndpoint: authorizationEndpoint ?? "",
            tokenEndpoint: tokenEndpoint,
            userinfoEndpoint: userinfo,
            introspectionEndpoint: reader.endpoint(
                .introspectionEndpoint,
                default: isLinkedIn ? "\(Self.origin)/oauth/v2/introspectToken" : nil
            ),
            jwksURI: reader.endpoint(.jwksURI, default: "https://www.linkedin.com/oauth/openid/jwks"),
            revocationEndpoint: reader.endpoint(.revocationEndpoint, default: nil),
            scopes: scopes.isEmpty ? product.scopes : scopes,
            // LinkedIn rejects Basic authentication: `A required parameter "client_id" is missing`.
            clientAuthentication: .post,
            // LinkedIn rejects a code verifier with 401 invalid_client.
            usesPKCE: false,
            // LinkedIn's ID tokens contain no nonce, so only the state binds a sign-in to its browser.
            usesNonce: false,
            issuesIDToken: product.issuesIDToken,
            allowsMissingTokenType: true
        )
        profile = ProfileEndpoint(
            product: product,
            address: product == .openid ? userinfo ?? "" : reader.profileEndpoint(default: product.profileEndpoint),
            versions: reader.list(.linkedInVersion)
        )
    }
}

extension LinkedInEndpoints {
    /// Whether the owner of a token endpoint, which identifies the members, is LinkedIn.
    static func isLinkedIn(tokenEndpoint: String) -> Bool { WebURL(tokenEndpoint)?.origin == origin }
}

extension Configuration {
    /// Whether members sign in at LinkedIn, and not at a provider that replaces it.
    package var usesLinkedIn: Bool { LinkedInEndpoints.isLinkedIn(tokenEndpoint: provider.tokenEndpoint) }
}

extension SettingsReader {
    /// LinkedIn changed its issuer in April 2024 without an announcement; its documentation still shows the old one.
    private static let linkedInIssuers = ["https://www.linkedin.com/oauth", "https://www.linkedin.com"]

    /// Returns the accepted issuers, the canonical one first.
    mutating func issuers() -> [String] {
        let issuers = list(.issuers)
        return issuers.isEmpty ? Self.linkedInIssuers : issuers
    }

    /// Returns the profile endpoint, the only one that may have a query.
    fileprivate mutating func profileEndpoint(default preset: String) -> String {
        let text = text(.profileEndpoint)
        guard !text.isEmpty else { return preset }
        guard let url = WebURL(String(text.prefix { $0 != "?" })), url.isSecure || url.isLoopback else {
            complain(.profileEndpoint, "“\(text)” is not an https URL (http is accepted for loopback only)")
            return preset
        }
        return text
    }
}
