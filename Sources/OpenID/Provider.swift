/// An OpenID provider (or plain OAuth 2.0 server) and the switches by which providers differ.
package struct Provider: Sendable, Equatable {
    /// Values of `iss` that are accepted, the canonical one first: LinkedIn changed its own without a word.
    package var issuers: [String]
    package var authorizationEndpoint: String
    package var tokenEndpoint: String
    package var userinfoEndpoint: String?
    package var jwksURI: String?
    package var scopes: [String]
    package var clientAuthentication: ClientAuthentication
    /// Sends an S256 challenge and its verifier (RFC 7636).
    ///
    /// LinkedIn refuses the verifier.
    package var usesPKCE: Bool
    /// Sends a nonce and demands it in the ID token.
    ///
    /// LinkedIn never returns one.
    package var usesNonce: Bool
    /// Demands `iss` in the authorization response (RFC 9207 §2.4).
    package var requiresIssuerParameter: Bool
    /// Demands and verifies an ID token; without one the identity comes from elsewhere.
    package var issuesIDToken: Bool
    /// Takes a token response without `token_type`, which LinkedIn's is.
    package var allowsMissingTokenType: Bool
    /// The algorithms an ID token may be signed by.
    package var idTokenAlgorithms: [SigningAlgorithm]
    /// By how many seconds the provider's clock may differ from ours: 0 to 300.
    package var clockLeeway: Int {
        didSet { clockLeeway = Self.bounded(leeway: clockLeeway) }
    }

    package enum ClientAuthentication: String, Sendable, CaseIterable {
        case post = "client_secret_post"
        case basic = "client_secret_basic"
    }

    package init(
        issuers: [String],
        authorizationEndpoint: String,
        tokenEndpoint: String,
        userinfoEndpoint: String? = nil,
        jwksURI: String? = nil,
        scopes: [String],
        clientAuthentication: ClientAuthentication = .basic,
        usesPKCE: Bool = true,
        usesNonce: Bool = true,
        requiresIssuerParameter: Bool = false,
        issuesIDToken: Bool = true,
        allowsMissingTokenType: Bool = false,
        idTokenAlgorithms: [SigningAlgorithm] = [.rs256],
        clockLeeway: Int = 60
    ) {
        self.issuers = issuers
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.userinfoEndpoint = userinfoEndpoint
        self.jwksURI = jwksURI
        self.scopes = scopes
        self.clientAuthentication = clientAuthentication
        self.usesPKCE = usesPKCE
        self.usesNonce = usesNonce
        self.requiresIssuerParameter = requiresIssuerParameter
        self.issuesIDToken = issuesIDToken
        self.allowsMissingTokenType = allowsMissingTokenType
        self.idTokenAlgorithms = idTokenAlgorithms
        self.clockLeeway = Self.bounded(leeway: clockLeeway)
    }

    private static func bounded(leeway: Int) -> Int {
        min(max(leeway, 0), 300)
    }
}
