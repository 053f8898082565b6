import OpenID

/// LinkedIn as a provider: its addresses, its two issuers, and the switches its peculiarities need.
struct LinkedInEndpoints {
    let provider: Provider
    let profile: ProfileEndpoint

    /// LinkedIn changed its issuer in April 2024 without a word; its documentation still prints the old one.
    private static let issuers = ["https://www.linkedin.com/oauth", "https://www.linkedin.com"]

    init(_ reader: inout SettingsReader, product: LinkedInProduct) {
        let issuers = reader.list(.issuers)
        let scopes = reader.list(.scopes, separator: " ")
        let userinfo = reader.endpoint(.userinfoEndpoint, default: "https://api.linkedin.com/v2/userinfo")
        provider = Provider(
            issuers: issuers.isEmpty ? Self.issuers : issuers,
            authorizationEndpoint: reader.endpoint(
                .authorizationEndpoint,
                default: "https://www.linkedin.com/oauth/v2/authorization"
            ) ?? "",
            tokenEndpoint: reader.endpoint(
                .tokenEndpoint,
                default: "https://www.linkedin.com/oauth/v2/accessToken"
            ) ?? "",
            userinfoEndpoint: userinfo,
            jwksURI: reader.endpoint(.jwksURI, default: "https://www.linkedin.com/oauth/openid/jwks"),
            scopes: scopes.isEmpty ? product.scopes : scopes,
            // LinkedIn answers `A required parameter "client_id" is missing` to Basic authentication,
            clientAuthentication: .post,
            // 401 invalid_client to a code verifier,
            usesPKCE: false,
            // and puts no nonce into its ID tokens. So the state alone binds a sign-in to its browser.
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

extension SettingsReader {
    /// The one endpoint that may have a query of its own.
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
