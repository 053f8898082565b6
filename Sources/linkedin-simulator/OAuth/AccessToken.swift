/// An issued access or refresh token.
struct AccessToken: Sendable {
    let grant: Grant
    /// Seconds since 1970.
    let expires: Int
    var isRevoked = false
}
