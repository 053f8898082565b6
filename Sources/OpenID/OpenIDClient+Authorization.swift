import Encoding
import HTTP

extension OpenIDClient {
    /// Starts an attempt to sign in.
    ///
    /// - Returns: a fresh state, and a nonce and a code verifier where the provider uses them; each of 256 random bits
    ///   as 43 characters of base64url (RFC 6749 §10.10, RFC 7636 §7.1).
    package func begin() -> AuthorizationRequest {
        var generator = SystemRandomNumberGenerator()
        return begin(using: &generator)
    }

    /// Starts an attempt to sign in, from this source of randomness.
    ///
    /// - Parameter generator: a cryptographically secure one.
    /// - Returns: as `begin()` does.
    package func begin(using generator: inout some RandomNumberGenerator) -> AuthorizationRequest {
        AuthorizationRequest(
            state: Self.unguessable(&generator),
            nonce: provider.usesNonce ? Self.unguessable(&generator) : nil,
            codeVerifier: provider.usesPKCE ? Self.unguessable(&generator) : nil
        )
    }

    private static func unguessable(_ generator: inout some RandomNumberGenerator) -> String {
        Base64URL.encode((0..<32).map { _ in UInt8.random(in: 0...UInt8.max, using: &generator) })
    }

    /// The address to send the browser to (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1).
    ///
    /// - Parameter request: the attempt, from `begin()`.
    /// - Returns: the authorization endpoint with every parameter once, each value percent-encoded once; a query that
    ///   the endpoint has of its own is kept (RFC 6749 §3.1).
    package func authorizationURL(for request: AuthorizationRequest) -> String {
        var query = FormData([
            "response_type": "code",
            "client_id": credentials.identifier,
            "redirect_uri": redirectURI,
            "scope": provider.scopes.joined(separator: " "),
            "state": request.state,
        ])
        if provider.usesNonce, let nonce = request.nonce { query.append("nonce", nonce) }
        if provider.usesPKCE, let verifier = request.codeVerifier {
            query.append("code_challenge", PKCE.challenge(for: verifier))
            query.append("code_challenge_method", "S256")
        }
        let endpoint = provider.authorizationEndpoint
        return endpoint + (endpoint.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + query.encoded
    }
}
