import Encoding
package import HTTP

package import struct FoundationEssentials.Date

/// A client of one OpenID provider; creates and checks the messages of the protocol (OpenID Connect Core §3.1).
///
/// It stores only the provider's public keys. The caller stores the `AuthorizationRequest`, compares its state with that
/// of the callback, and marks the state as used before it redeems the code here.
package struct OpenIDClient: Sendable {
    package let options: ProtocolOptions
    let credentials: ClientCredentials
    /// The absolute URI of the callback, as it is registered at the provider.
    package let redirectURI: String
    let transport: any Transport
    package let now: @Sendable () -> Date
    let pause: @Sendable (Duration) async throws -> Void
    let keySet: KeySet

    /// Creates a client; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - options: the endpoints, and how the provider differs from others.
    ///   - credentials: the client identifier and secret.
    ///   - redirectURI: the absolute URI registered with the provider, byte for byte (RFC 6749 §3.1.2).
    ///   - transport: sends requests; it must not follow redirects.
    ///   - now: the clock.
    ///   - pause: waits that long, or throws if the program stops; `Task.sleep` except in tests.
    ///   - predecessor: a client whose keys this one takes over if they have the same address.
    package init(
        options: ProtocolOptions,
        credentials: ClientCredentials,
        redirectURI: String,
        transport: any Transport,
        now: @escaping @Sendable () -> Date,
        pause: @escaping @Sendable (Duration) async throws -> Void,
        continuing predecessor: OpenIDClient? = nil
    ) {
        self.options = options
        self.credentials = credentials
        self.redirectURI = redirectURI
        self.transport = transport
        self.now = now
        self.pause = pause
        keySet = KeySet(
            address: options.jwksURI,
            transport: transport,
            now: now,
            continuing: predecessor?.keySet
        )
        // Soon, so that the predecessor and its transport can end.
        if predecessor != nil { Task { [keySet] in await keySet.continuePredecessor() } }
    }

    // MARK: - Authorization request

    /// Begins a sign-in.
    ///
    /// - Returns: a new state, and a nonce and a code verifier if the provider uses them; each has 256 random bits, as 43
    ///   characters of base64url (RFC 6749 §10.10, RFC 7636 §7.1).
    package func begin() -> AuthorizationRequest {
        var generator = SystemRandomNumberGenerator()
        return begin(using: &generator)
    }

    /// Begins a sign-in with another source of randomness.
    ///
    /// - Parameter generator: a cryptographically secure generator.
    /// - Returns: the same as `begin()`.
    package func begin(using generator: inout some RandomNumberGenerator) -> AuthorizationRequest {
        AuthorizationRequest(
            state: Self.unguessable(&generator),
            nonce: options.usesNonce ? Self.unguessable(&generator) : nil,
            codeVerifier: options.usesPKCE ? Self.unguessable(&generator) : nil
        )
    }

    private static func unguessable(_ generator: inout some RandomNumberGenerator) -> String {
        Base64URL.encode((0..<32).map { _ in UInt8.random(in: 0...UInt8.max, using: &generator) })
    }

    /// The URL to send the browser to (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1).
    ///
    /// - Parameter request: from `begin()`.
    /// - Returns: the authorization endpoint with every parameter once, each value percent-encoded once. A query that the
    ///   endpoint already has is kept (RFC 6749 §3.1).
    package func authorizationURL(for request: AuthorizationRequest) -> String {
        var query = FormData([
            "response_type": "code",
            "client_id": credentials.identifier,
            "redirect_uri": redirectURI,
        ])
        if !options.scopes.isEmpty { query.append("scope", options.scopes.joined(separator: " ")) }
        query.append("state", request.state)
        if options.usesNonce, let nonce = request.nonce { query.append("nonce", nonce) }
        if options.usesPKCE, let verifier = request.codeVerifier {
            query.append("code_challenge", PKCE.challenge(for: verifier))
            query.append("code_challenge_method", "S256")
        }
        if options.usesFormPost { query.append("response_mode", "form_post") }
        for (name, value) in options.authorizationParameters.form.pairs { query.append(name, value) }
        return Self.url(options.authorizationEndpoint, query)
    }

    /// The page at which a member can sign out of the provider (OpenID Connect RP-Initiated Logout 1.0 §2); nil if it is unknown.
    ///
    /// Sessions keep no ID token that the request could contain, so most providers ask the member before they end the session.
    package var signOutURL: String? {
        guard let endpoint = options.endSessionEndpoint else { return options.signOutPage }
        return Self.url(endpoint, FormData(["client_id": credentials.identifier]))
    }

    private static func url(_ endpoint: String, _ query: FormData) -> String {
        endpoint + (endpoint.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + query.encoded
    }

    // MARK: - Callback

    /// The maximum length of a code, in bytes.
    private static let codeLimit = 4096
    /// The maximum length of a state, in bytes; the states of `begin()` have 43.
    private static let stateLimit = 512

    /// Reads the query or the form of a callback (RFC 6749 §4.1.2) and checks its form and its issuer.
    ///
    /// - Parameter query: `QUERY_STRING` or the body, as sent.
    /// - Returns: the state, which the caller must compare, and the code or the kind of error.
    /// - Throws: `malformedCallback` if the state is missing, if there is neither a code nor an error or both, or if a
    ///   parameter is empty, repeated or too long; `issuerMismatch` if `iss` is not one of the provider's issuers, or is
    ///   missing although the provider always sends it (RFC 9207 §2.4).
    package func parseCallback(query: String) throws(OpenIDError) -> AuthorizationResponse {
        guard let form = FormData(parsing: query) else {
            throw OpenIDError(.malformedCallback, detail: "the query is not form-encoded text")
        }
        let state = try parameter("state", in: form, limit: Self.stateLimit)
        let code = try parameter("code", in: form, limit: Self.codeLimit)
        let error = try parameter("error", in: form, limit: Self.codeLimit)
        try checkIssuer(in: form)
        guard let state else { throw OpenIDError(.malformedCallback, detail: "state is missing") }
        switch (code, error) {
        case (let code?, nil):
            let name = options.usesFormPost ? options.dialect.displayName(form) : nil
            return AuthorizationResponse(state: state, outcome: .code(code), displayName: name)
        case (nil, let name?):
            return AuthorizationResponse(
                state: state,
                outcome: .error(.init(name, dialect: options.dialect)),
                refusedScope: refusedScope(in: form)
            )
        case (nil, nil): throw OpenIDError(.malformedCallback, detail: "code and error are both missing")
        case (_?, _?): throw OpenIDError(.malformedCallback, detail: "code and error are both present")
        }
    }

    /// The requested scope that the description of the error quotes, as in `Scope &quot;email&quot; is not authorized`.
    ///
    /// Anyone can write the description, so only the name of a requested scope is taken from it.
    private func refusedScope(in form: FormData) -> String? {
        guard case .one(let text) = form["error_description"] else { return nil }
        return options.scopes.first { text.contains("\"\($0)\"") || text.contains("&quot;\($0)&quot;") }
    }

    private func parameter(_ name: String, in form: FormData, limit: Int) throws(OpenIDError) -> String? {
        switch form[name] {
        case .none:
            return nil
        case .repeated:
            throw OpenIDError(.malformedCallback, detail: "\(name) is repeated")
        case .one(let value):
            guard !value.isEmpty else { throw OpenIDError(.malformedCallback, detail: "\(name) is empty") }
            guard value.utf8.count <= limit else {
                throw OpenIDError(.malformedCallback, detail: "\(name) is too long")
            }
            return value
        }
    }

    private func checkIssuer(in form: FormData) throws(OpenIDError) {
        switch form["iss"] {
        case .none:
            guard !options.requiresIssuerParameter else {
                throw OpenIDError(.issuerMismatch, detail: "iss is missing")
            }
        case .one(let issuer):
            guard options.issuers.contains(where: issuer.isIdentical) else {
                throw OpenIDError(
                    .issuerMismatch,
                    detail: "iss is not an accepted issuer: \(Self.shown(issuer: issuer))"
                )
            }
        case .repeated:
            throw OpenIDError(.malformedCallback, detail: "iss is repeated")
        }
    }

    // MARK: - Token endpoint

    /// Exchanges a code for tokens (RFC 6749 §4.1.3), without ever repeating the request, because a code works once.
    ///
    /// - Parameters:
    ///   - code: from a callback whose state has been compared and marked as used.
    ///   - request: the sign-in that the callback belongs to.
    /// - Returns: the tokens, not yet verified.
    /// - Throws: `codeRefused`, `clientRefused`, `tokenThrottled`, `tokenUnavailable`, `busy`, `tokenMalformed`, or
    ///   `idTokenMissing` if the provider should send an ID token and does not.
    package func redeem(code: String, for request: AuthorizationRequest) async throws(OpenIDError) -> TokenResponse {
        var form = FormData(["grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI])
        if options.usesPKCE, let verifier = request.codeVerifier { form.append("code_verifier", verifier) }
        let tokens = try await tokens(for: form, refusal: .codeRefused)
        guard tokens.idToken != nil || !options.issuesIDToken else {
            throw OpenIDError(.idTokenMissing, detail: "the provider sent no ID token; the scopes must contain openid")
        }
        return tokens
    }

    /// Exchanges a refresh token for new tokens (RFC 6749 §6).
    ///
    /// - Parameter refreshToken: the refresh token received last.
    /// - Returns: the tokens, of any member: see `verify(refreshed:issuer:subject:)`. If they contain no refresh token, the
    ///   old one stays valid.
    /// - Throws: the same as `redeem`, but `refreshRefused` instead of `codeRefused` if the refresh token is no longer
    ///   valid and the member must sign in again.
    package func refresh(refreshToken: String) async throws(OpenIDError) -> TokenResponse {
        let form = FormData(["grant_type": "refresh_token", "refresh_token": refreshToken])
        return try await tokens(for: form, refusal: .refreshRefused)
    }

    private func tokens(for grant: FormData, refusal: OpenIDError.Code) async throws(OpenIDError) -> TokenResponse {
        // Meanwhile, so that withdrawn keys are probably gone when the ID token arrives.
        if options.issuesIDToken { Task { [keySet] in await keySet.renewIfOld() } }
        let request = try authenticatedRequest(grant, to: options.tokenEndpoint)
        let response = try await transport.send(request, or: .tokenUnavailable, malformed: .tokenMalformed)
        // Some providers send errors with the status 200.
        let error = JSON(parsing: response.body)?["error"] ?? .null
        guard response.status == 200, error == .null else {
            let failure = OpenIDError(tokenEndpointAnswer: response, refusal: refusal, options.dialect)
            // Some providers call a missing client secret an invalid request, and nothing else is missing in this one.
            let isRefused =
                failure.code == .clientRefused || failure.code == .tokenMalformed && error == .string("invalid_request")
            guard options.clientAuthentication == .none, isRefused else { throw failure }
            let detail = "\(failure.detail); the settings have no client secret, and the provider may require one"
            throw OpenIDError(.clientRefused, detail: detail)
        }
        return try TokenResponse(response, from: options)
    }

    /// A form POST with the credentials of the client (RFC 6749 §2.3.1).
    func authenticatedRequest(_ fields: FormData, to endpoint: String) throws(OpenIDError) -> ClientRequest {
        var form = fields
        var headers = Headers()
        do {
            try headers.append(.contentType, "application/x-www-form-urlencoded")
            try headers.append(.accept, "application/json")
            switch options.clientAuthentication {
            case .basic:
                try headers.append(.authorization, "Basic \(credentials.basic)")
            case .post:
                form.append("client_id", credentials.identifier)
                form.append("client_secret", credentials.team == nil ? credentials.secret : try assertion())
            case .privateKey:
                form.append("client_id", credentials.identifier)
                form.append("client_assertion_type", ClientAssertion.type)
                form.append("client_assertion", try assertion())
            case .none:
                form.append("client_id", credentials.identifier)
            }
        } catch {
            throw OpenIDError(
                .clientRefused,
                detail: "the client identifier, secret or key cannot be used in a request"
            )
        }
        return ClientRequest(.post, endpoint, headers: headers, body: Array(form.encoded.utf8))
    }

    private func assertion() throws -> String {
        let issuer = options.tenants?.template ?? options.issuers.first ?? ""
        let client = credentials.identifier
        let claims = ClientAssertion(client: client, signer: credentials.team ?? client, issuer: issuer, now: now())
        return try credentials.key?.signed(claims) ?? ""
    }
}

extension ClientCredentials {
    /// Identifier and secret for Basic authentication (RFC 6749 §2.3.1): form-encoded first, so that a colon in either one
    /// is not taken for the separator.
    fileprivate var basic: String {
        Base64.encode("\(Percent.encode(identifier)):\(Percent.encode(secret))".utf8)
    }
}

extension OpenIDClient {
    /// Asks the provider to revoke a token (RFC 7009 §2.1); does nothing without an endpoint.
    ///
    /// A provider answers 200 also for a token that it does not know (§2.2).
    ///
    /// - Parameter token: an access or refresh token.
    /// - Throws: `revocationRefused`, `clientRefused`, `tokenThrottled`, `tokenUnavailable`, `tokenMalformed` or `busy`.
    package func revoke(_ token: String) async throws(OpenIDError) {
        guard let endpoint = options.revocationEndpoint else { return }
        let request = try authenticatedRequest(FormData(["token": token]), to: endpoint)
        let response = try await transport.send(request, or: .tokenUnavailable, malformed: .tokenMalformed)
        guard response.status != 200 else { return }
        throw OpenIDError(tokenEndpointAnswer: response, refusal: .revocationRefused, options.dialect)
    }
}
