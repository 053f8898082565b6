package import OpenID

internal import struct HTTP.WebAddress

/// LinkedIn's addresses, and where it differs from the standards.
package enum LinkedIn {
    private static let origin = "https://www.linkedin.com"

    package static let authorizationEndpoint = "\(origin)/oauth/v2/authorization"
    package static let tokenEndpoint = "\(origin)/oauth/v2/accessToken"
    package static let introspectionEndpoint = "\(origin)/oauth/v2/introspectToken"
    package static let userinfoEndpoint = "https://api.linkedin.com/v2/userinfo"
    package static let jwksURI = "\(origin)/oauth/openid/jwks"
    /// LinkedIn changed its issuer in April 2024 without an announcement; its documentation still shows the old one.
    package static let issuers = ["\(origin)/oauth", origin]

    /// Whether the owner of a token endpoint, which identifies the members, is LinkedIn.
    package static func owns(tokenEndpoint: String) -> Bool { WebAddress(tokenEndpoint)?.origin == origin }

    /// LinkedIn's endpoints and options for a product; LinkedIn documents no revocation endpoint.
    package static func options(for product: LinkedInProduct) -> ProtocolOptions {
        var options = ProtocolOptions(
            issuers: issuers,
            authorizationEndpoint: authorizationEndpoint,
            tokenEndpoint: tokenEndpoint,
            scopes: product.scopes
        )
        options.userinfoEndpoint = userinfoEndpoint
        options.introspectionEndpoint = introspectionEndpoint
        options.jwksURI = jwksURI
        options.signOutPage = "\(origin)/m/logout/"
        // LinkedIn rejects Basic authentication: `A required parameter "client_id" is missing`.
        options.clientAuthentication = .post
        // LinkedIn rejects a code verifier with 401 invalid_client.
        options.usesPKCE = false
        // LinkedIn's ID tokens contain no nonce, so only the state binds a sign-in to its browser.
        options.usesNonce = false
        options.issuesIDToken = product.issuesIDToken
        options.dialect = .linkedIn
        return options
    }
}
