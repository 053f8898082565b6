package import HTTP

extension OpenIDClient {
    /// How long to retry while the provider does not yet accept a token that it has just issued.
    package enum Patience: Sendable {
        /// No retry: the token is old, so the refusal is final.
        case none
        /// 3.5 seconds: the answer can be fetched later.
        case short
        /// 10 seconds, the longest delay seen at a provider: the sign-in depends on the answer.
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

    /// Fetches a protected resource with a bearer token (RFC 6750 §2.1).
    ///
    /// - Parameters:
    ///   - url: the URL of the resource.
    ///   - headers: header fields to send in addition to `Authorization`.
    ///   - accessToken: the token.
    ///   - patience: how long to retry if the provider may accept the token later, because it has just issued it.
    /// - Returns: an answer with the status 200.
    /// - Throws: `accessTokenRefused` (401), `accessDenied` (403), `throttled` (429), `gone` (410),
    ///   `versionRefused` (426 and some 400), `resourceUnavailable` (408, 5xx or no answer), `busy`, or
    ///   `resourceMalformed` (any other answer).
    package func resource(
        _ url: String,
        headers: Headers = Headers(),
        accessToken: String,
        patience: Patience
    ) async throws(OpenIDError) -> ClientResponse {
        let request = try bearerRequest(url, headers, accessToken)
        var pauses = patience.pauses[...]
        while true {
            let response = try await transport.send(request, or: .resourceUnavailable, malformed: .resourceMalformed)
            if response.status == 200 { return response }
            guard options.dialect.mayAcceptTokenLater(response), let wait = pauses.popFirst(), await paused(wait) else {
                throw OpenIDError(resourceAnswer: response, options.dialect, now: now())
            }
        }
    }

    /// Fetches the claims about a member from the userinfo endpoint (OpenID Connect Core §5.3).
    ///
    /// - Parameters:
    ///   - accessToken: the token.
    ///   - subject: the subject of the ID token.
    ///   - justIssued: whether the token is seconds old, so that retrying may help.
    /// - Returns: the claims.
    /// - Throws: the same as `resource`, and `subjectMismatch` if the answer is about another member, which must not be
    ///   used (§5.3.2).
    package func userInfo(
        accessToken: String,
        subject: String,
        justIssued: Bool = true
    ) async throws(OpenIDError) -> MemberClaims {
        let claims = try await userInfoClaims(accessToken: accessToken, patience: justIssued ? .short : .none)
        guard let found = claims.subject, found.isIdentical(to: options.ownSubject(of: subject)) else {
            throw OpenIDError(.subjectMismatch, detail: "the subject of userinfo is not the subject of the ID token")
        }
        return MemberClaims(claims, subject: subject, options.dialect)
    }

    /// Fetches the claims about the member of an access token without an ID token.
    ///
    /// The subject is that of the member's ID tokens (OpenID Connect Core §5.3.2). Only for a token that `introspect`
    /// accepted: a token of another client would name the member of that client.
    ///
    /// - Parameter accessToken: the token.
    /// - Returns: the claims.
    /// - Throws: the same as `resource`, and `resourceMalformed` if the answer has no subject.
    package func userInfo(ofIntrospected accessToken: String) async throws(OpenIDError) -> MemberClaims {
        let claims = try await userInfoClaims(accessToken: accessToken, patience: .short)
        guard let subject = claims.subject else {
            throw OpenIDError(.resourceMalformed, detail: "userinfo has no subject")
        }
        try checkRequirements(claims)
        // Only an ID token names the tenant of a member.
        guard options.tenants == nil else {
            throw OpenIDError(.idTokenClaim, detail: "the tenant of an access token is unknown")
        }
        var member = MemberClaims(claims, subject: subject, options.dialect)
        member.members = member.membersAboutMember
        return member
    }

    private func userInfoClaims(accessToken: String, patience: Patience) async throws(OpenIDError) -> Claims {
        guard let endpoint = options.userinfoEndpoint else {
            throw OpenIDError(.resourceUnavailable, detail: "the provider has no userinfo endpoint")
        }
        let response = try await resource(endpoint, accessToken: accessToken, patience: patience)
        guard response.isJSON, let members = JSON(parsing: response.body)?.objectValue else {
            throw OpenIDError(.resourceMalformed, detail: "userinfo is not a JSON object")
        }
        return Claims(members: members)
    }

    private func bearerRequest(
        _ url: String,
        _ headers: Headers,
        _ accessToken: String
    ) throws(OpenIDError) -> ClientRequest {
        var headers = headers
        do {
            for (name, value) in options.dialect.resourceFields { try headers.set(name, value) }
            if headers[.accept] == nil { try headers.append(.accept, "application/json") }
            try headers.set(.authorization, "Bearer \(accessToken)")
        } catch {
            throw OpenIDError(.accessTokenRefused, detail: "the token cannot be sent in a header")
        }
        return ClientRequest(.get, url, headers: headers)
    }

    /// Waits; false if the program stops meanwhile.
    private func paused(_ duration: Duration) async -> Bool {
        do {
            try await pause(duration)
            return true
        } catch {
            return false
        }
    }
}
