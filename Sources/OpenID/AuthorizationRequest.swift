/// One attempt to sign in: what is sent to the provider and remembered until the browser comes back.
package struct AuthorizationRequest: Sendable, Equatable, Unprintable {
    package let state: String
    package let nonce: String?
    package let codeVerifier: String?

    /// - Parameters:
    ///   - state: at least 128 random bits as base64url (RFC 6749 §10.10).
    ///   - nonce: if the provider uses one.
    ///   - codeVerifier: 43 to 128 unreserved characters (RFC 7636 §4.1), if the provider uses PKCE.
    package init(state: String, nonce: String? = nil, codeVerifier: String? = nil) {
        self.state = state
        self.nonce = nonce
        self.codeVerifier = codeVerifier
    }
}
