/// What the simulator is told about its application and its behaviour.
struct Settings: Sendable {
    /// The URL the simulator is reached at, without a trailing slash.
    var base = ""
    var clientID = "simulated-client"
    var clientSecret = "simulated-secret"
    var redirectURIs = ["http://localhost:8080/oauth", "http://127.0.0.1:8080/oauth"]
    /// The scopes the application's products grant.
    var scopes = ["openid", "profile", "email", "r_profile_basicinfo", "r_verify", "r_basicprofile"]

    var issuerOverride: String?
    /// Whether to be a textbook OpenID provider: PKCE, nonce, HTTP Basic, `iss`, `token_type`, RFC 6749 errors.
    var isStandard = false
    /// Whether the version 1 API still answers.
    var isV1Alive = false
    var issuesRefreshTokens = false
    /// Whether LinkedIn's token answer names its type; captures show both.
    var namesTokenType = false
    /// The number of the member who consents without being asked; 0 asks.
    var consentingMember = 0

    /// Lifetimes in seconds.
    var codeLifetime = 1800
    var accessTokenLifetime = 5_184_000
    var refreshTokenLifetime = 31_536_000
    var idTokenLifetime = 3600
    /// The size of signing keys to come: LinkedIn's has 4096 bits, which take longer to make.
    var keyBits = 2048
    /// Seconds by which the clock that stamps ID tokens is fast.
    var clockOffset = 0

    var issuer: String { issuerOverride ?? "\(base)/oauth" }
}
