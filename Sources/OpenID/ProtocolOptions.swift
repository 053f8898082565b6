/// The endpoints of an OpenID provider or plain OAuth 2.0 server, and the options in which providers differ.
package struct ProtocolOptions: Sendable {
    /// The accepted values of `iss`, the canonical one first: a provider can change its issuer without notice.
    package var issuers: [String]
    package var authorizationEndpoint: String
    package var tokenEndpoint: String
    package var userinfoEndpoint: String?
    /// The endpoint that describes an access token (RFC 7662).
    package var introspectionEndpoint: String?
    package var jwksURI: String?
    /// The token revocation endpoint (RFC 7009).
    package var revocationEndpoint: String?
    /// The endpoint that ends the session at the provider (OpenID Connect RP-Initiated Logout 1.0 §2.1).
    package var endSessionEndpoint: String?
    /// Whether the provider may send logout tokens (OpenID Connect Back-Channel Logout 1.0).
    package var sendsLogoutTokens = false
    /// The page at which members sign out of a provider that has no such endpoint; nil if it is unknown.
    package var signOutPage: String?
    package var scopes: [String]
    package var clientAuthentication = ClientAuthentication.basic
    /// Sends an S256 challenge and its verifier (RFC 7636).
    package var usesPKCE = true
    /// Sends a nonce and requires it in the ID token.
    package var usesNonce = true
    /// Asks for the authorization response as a form, and accepts no other (OAuth 2.0 Form Post Response Mode).
    package var usesFormPost = false
    /// Requires `iss` in the authorization response (RFC 9207 §2.4).
    package var requiresIssuerParameter = false
    /// Requires and verifies an ID token; if false, the identity comes from the profile.
    package var issuesIDToken = true
    /// Whether userinfo gives the name and the address of a member whose ID token lacks one of them.
    package var completesIDToken = false
    /// The algorithms that may sign an ID token.
    package var idTokenAlgorithms: [SigningAlgorithm] = [.rs256]
    /// The accepted difference between the provider's clock and this machine's, in seconds: 0 to 300.
    package var clockLeeway = 60 {
        didSet { clockLeeway = min(max(clockLeeway, 0), 300) }
    }

    /// What the operator adds to authorization requests.
    package var authorizationParameters = AuthorizationParameters()
    /// Claims without which nobody may sign in.
    package var requiredClaims: [ClaimRequirement] = []
    /// The accepted tenants, if the provider has an issuer for each; `issuers` are then their issuers.
    package var tenants: TenantIssuers?

    /// Where the provider's messages differ from the standards.
    package var dialect = Dialect()

    package enum ClientAuthentication: String, Sendable, CaseIterable {
        case post = "client_secret_post"
        case basic = "client_secret_basic"
        /// A signed assertion for each request (RFC 7523 §2.2).
        case privateKey = "private_key_jwt"
        /// A public client, which has no secret and proves by PKCE that it began the sign-in (RFC 7636).
        case none
    }

    /// Whether the endpoints are known; false while the discovery document of a provider was never fetched.
    package var areKnown: Bool { !authorizationEndpoint.isEmpty }

    /// The options of a provider whose discovery document was never fetched: nobody can sign in with them.
    package static func undiscovered(_ issuer: String, scopes: [String]) -> ProtocolOptions {
        var options = ProtocolOptions(issuers: [issuer], authorizationEndpoint: "", tokenEndpoint: "", scopes: scopes)
        options.sendsLogoutTokens = true
        return options
    }
}

extension ProtocolOptions {
    /// The subject as the provider sends it, without the tenant that an identity has before it.
    func ownSubject(of subject: String) -> String {
        guard tenants != nil, let dot = subject.utf8.firstIndex(of: UInt8(ascii: ".")) else { return subject }
        return String(subject.utf8[dot...].dropFirst()) ?? subject
    }

    /// The options of a provider that follows the standards.
    package init(issuers: [String], authorizationEndpoint: String, tokenEndpoint: String, scopes: [String]) {
        (self.issuers, self.scopes) = (issuers, scopes)
        (self.authorizationEndpoint, self.tokenEndpoint) = (authorizationEndpoint, tokenEndpoint)
    }
}

/// The client identifier that the provider issued, and the secret or the private key that proves it (RFC 6749 §2.3); neither
/// of both is ever printed.
package struct ClientCredentials: Sendable, CustomStringConvertible, CustomReflectable {
    package let identifier: String
    let secret: String
    package let key: ClientKey?
    /// The issuer of client secrets that the key signs, one for each request; nil if the key signs assertions.
    package let team: String?

    package init(identifier: String, secret: String, key: ClientKey? = nil, team: String? = nil) {
        (self.identifier, self.secret, self.key, self.team) = (identifier, secret, key, team)
    }

    package var description: String { "\(identifier):<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: ["identifier": identifier]) }
}
