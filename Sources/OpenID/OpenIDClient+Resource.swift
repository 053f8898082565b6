package import HTTP

extension OpenIDClient {
    /// How long to try again with a token that the provider has issued and does not know yet.
    package enum Patience: Sendable {
        /// The token is old: its refusal is final.
        case none
        /// The answer can be asked for later: 3.5 seconds.
        case short
        /// A sign-in depends on the answer: 10 seconds, as long as LinkedIn was seen to take.
        case long

        fileprivate var pauses: [Duration] {
            let short: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2)]
            return switch self {
            case .none: []
            case .short: short
            case .long: short + [.seconds(3), .milliseconds(3500)]
            }
        }
    }

    /// Gets a protected resource with a Bearer token (RFC 6750 §2.1).
    ///
    /// - Parameters:
    ///   - url: where it is.
    ///   - headers: fields that it needs beside `Authorization`.
    ///   - accessToken: the token.
    ///   - patience: how long to try again if LinkedIn calls the token revoked or invalid, which it may for some seconds
    ///     after it has issued one.
    /// - Returns: the body of a 200 answer.
    /// - Throws: `accessTokenRefused` (401), `accessDenied` (403), `throttled` (429), `gone` (410),
    ///   `versionRefused` (426 and some 400), `resourceUnavailable` (408, 5xx or no answer), `busy`, `resourceMalformed` (any other answer).
    package func resource(
        _ url: String,
        headers: Headers,
        accessToken: String,
        patience: Patience
    ) async throws(OpenIDError) -> [UInt8] {
        try await answer(from: url, headers: headers, accessToken: accessToken, patience: patience).body
    }

    /// Gets the claims about a member from the userinfo endpoint (OpenID Connect Core §5.3).
    ///
    /// - Parameters:
    ///   - accessToken: the token.
    ///   - subject: whom the ID token is about.
    ///   - justIssued: whether the token is seconds old, as in `resource`.
    /// - Returns: the claims.
    /// - Throws: as `resource` does, and `subjectMismatch` if the answer is about somebody else; then nothing of it may
    ///   be used (§5.3.2).
    package func userInfo(
        accessToken: String,
        subject: String,
        justIssued: Bool = true
    ) async throws(OpenIDError) -> MemberClaims {
        guard let endpoint = provider.userinfoEndpoint else {
            throw OpenIDError(.resourceUnavailable, detail: "the provider has no userinfo endpoint")
        }
        let response = try await answer(
            from: endpoint,
            headers: Headers(),
            accessToken: accessToken,
            patience: justIssued ? .short : .none
        )
        guard response.isJSON, let members = JSON(parsing: response.body)?.objectValue else {
            throw OpenIDError(.resourceMalformed, detail: "userinfo is not a JSON object")
        }
        let claims = Claims(members: members)
        guard let told = claims.subject, told.isIdentical(to: subject) else {
            throw OpenIDError(.subjectMismatch, detail: "userinfo is not about the subject of the ID token")
        }
        return MemberClaims(claims, subject: told)
    }

    private func answer(
        from url: String,
        headers: Headers,
        accessToken: String,
        patience: Patience
    ) async throws(OpenIDError) -> ClientResponse {
        let request = try bearerRequest(url, headers, accessToken)
        var pauses = patience.pauses[...]
        while true {
            let response: ClientResponse
            do {
                response = try await transport.send(request)
            } catch {
                throw OpenIDError(error, unavailable: .resourceUnavailable, malformed: .resourceMalformed)
            }
            if response.status == 200 { return response }
            guard response.saysTokenIsUnknown, let wait = pauses.popFirst(), await paused(wait) else {
                throw OpenIDError(resourceAnswer: response)
            }
        }
    }

    private func bearerRequest(
        _ url: String,
        _ headers: Headers,
        _ accessToken: String
    ) throws(OpenIDError) -> ClientRequest {
        var headers = headers
        do {
            if headers[.accept] == nil { try headers.append(.accept, "application/json") }
            try headers.set(.authorization, "Bearer \(accessToken)")
        } catch {
            throw OpenIDError(.accessTokenRefused, detail: "the token does not fit into a header")
        }
        return ClientRequest(.get, url, headers: headers)
    }

    /// False if the wait was cut short: the program stops.
    private func paused(_ duration: Duration) async -> Bool {
        do {
            try await pause(duration)
            return true
        } catch {
            return false
        }
    }
}
