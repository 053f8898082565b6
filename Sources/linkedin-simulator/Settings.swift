/// The settings of the simulated application and of the simulator's behavior.
struct Settings: Sendable {
    /// The URL of the simulator, without a trailing slash.
    var base = ""
    var clientID = "simulated-client"
    /// The name on the consent page; nil for the client ID.
    var applicationName: String?
    var clientSecret = "simulated-secret"
    var redirectURIs = ["http://localhost:8080/oauth", "http://127.0.0.1:8080/oauth"]
    /// The scopes that the application's products grant.
    var scopes = ["openid", "profile", "email", "r_profile_basicinfo", "r_verify", "r_basicprofile"]

    var issuerOverride: String?
    /// Whether to behave like a standard OpenID provider: PKCE, nonce, HTTP Basic, `iss`, `token_type`, RFC 6749 errors.
    var isStandard = false
    /// Whether the version 1 API still answers.
    var isV1Alive = false
    var issuesRefreshTokens = false
    /// Whether a refresh answers with a new refresh token and ends the old one; LinkedIn answers with the same one.
    var rotatesRefreshTokens = false
    /// Whether LinkedIn's token answer has `token_type`; captures show both.
    var namesTokenType = false
    /// The number of the member who consents without a consent page; 0 shows the page.
    var consentingMember = 0
    /// Whether a browser that is signed in here skips the consent page while a token for the same scopes is valid.
    ///
    /// LinkedIn skips it. With the page, each visitor of the demo can choose a member.
    var remembersConsent = false

    /// In seconds, like the other lifetimes.
    var codeLifetime = 1800
    var accessTokenLifetime = 5_184_000
    var refreshTokenLifetime = 31_536_000
    var idTokenLifetime = 3600
    /// The size of new signing keys; LinkedIn's key has 4096 bits, which take longer to generate.
    var keyBits = 2048
    /// The number of seconds by which the clock of ID tokens is ahead.
    var clockOffset = 0
    /// The number of seconds by which the whole clock of the simulator is ahead.
    var timeShift = 0

    var issuer: String { issuerOverride ?? "\(base)/oauth" }
}

/// Stores the current settings.
actor SettingsStore {
    private(set) var current: Settings

    init(_ settings: Settings) {
        current = settings
    }

    /// Changes all settings or none.
    ///
    /// - Parameter change: edits a copy.
    /// - Throws: what `change` throws; then nothing has changed.
    func update(_ change: @Sendable (inout Settings) throws -> Void) rethrows {
        var copy = current
        try change(&copy)
        current = copy
    }
}
