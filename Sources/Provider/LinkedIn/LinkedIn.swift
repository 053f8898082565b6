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
        ProtocolOptions(
            issuers: issuers,
            authorizationEndpoint: authorizationEndpoint,
            tokenEndpoint: tokenEndpoint,
            userinfoEndpoint: userinfoEndpoint,
            introspectionEndpoint: introspectionEndpoint,
            jwksURI: jwksURI,
            scopes: product.scopes,
            // LinkedIn rejects Basic authentication: `A required parameter "client_id" is missing`.
            clientAuthentication: .post,
            // LinkedIn rejects a code verifier with 401 invalid_client.
            usesPKCE: false,
            // LinkedIn's ID tokens contain no nonce, so only the state binds a sign-in to its browser.
            usesNonce: false,
            issuesIDToken: product.issuesIDToken,
            dialect: .linkedIn
        )
    }
}
