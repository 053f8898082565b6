import Encoding
import HTTP

extension OpenIDClient {
    /// Exchanges a code for tokens (RFC 6749 §4.1.3); it is sent once, whatever happens, since a code works once.
    ///
    /// - Parameters:
    ///   - code: from the callback, its state already checked and spent.
    ///   - request: the attempt that the code answers.
    /// - Returns: the tokens, none of them verified yet.
    /// - Throws: `codeRefused`, `clientRefused`, `tokenThrottled`, `tokenUnavailable`, `busy`, `tokenMalformed`, or
    ///   `idTokenMissing` where the provider owes one.
    package func redeem(code: String, for request: AuthorizationRequest) async throws(OpenIDError) -> TokenResponse {
        var form = FormData(["grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI])
        if provider.usesPKCE, let verifier = request.codeVerifier { form.append("code_verifier", verifier) }
        let tokens = try await tokens(for: form)
        guard tokens.idToken != nil || !provider.issuesIDToken else {
            throw OpenIDError(.idTokenMissing, detail: "the provider sent no ID token; is openid among the scopes?")
        }
        return tokens
    }

    /// Exchanges a refresh token for new tokens (RFC 6749 §6).
    ///
    /// - Parameter refreshToken: the newest one received.
    /// - Returns: the tokens; without a refresh token in it, the old one stays good.
    /// - Throws: as `redeem` does; `refreshRefused` in place of `codeRefused`: the refresh token is no longer
    ///   good, and the member has to sign in again.
    package func refresh(refreshToken: String) async throws(OpenIDError) -> TokenResponse {
        do {
            return try await tokens(for: FormData(["grant_type": "refresh_token", "refresh_token": refreshToken]))
        } catch {
            guard error.code == .codeRefused else { throw error }
            throw OpenIDError(.refreshRefused, detail: error.detail)
        }
    }

    private func tokens(for grant: FormData) async throws(OpenIDError) -> TokenResponse {
        let request = try tokenRequest(grant)
        let response: ClientResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw OpenIDError(error, unavailable: .tokenUnavailable, malformed: .tokenMalformed)
        }
        guard response.status == 200 else { throw OpenIDError(tokenEndpointAnswer: response) }
        return try TokenResponse(response, from: provider)
    }

    private func tokenRequest(_ grant: FormData) throws(OpenIDError) -> ClientRequest {
        var form = grant
        var headers = Headers()
        do {
            try headers.append(.contentType, "application/x-www-form-urlencoded")
            try headers.append(.accept, "application/json")
            switch provider.clientAuthentication {
            case .basic:
                try headers.append(.authorization, "Basic \(credentials.basic)")
            case .post:
                form.append("client_id", credentials.identifier)
                form.append("client_secret", credentials.secret)
            }
        } catch {
            throw OpenIDError(.clientRefused, detail: "the credentials do not fit into a header")
        }
        return ClientRequest(.post, provider.tokenEndpoint, headers: headers, body: Array(form.encoded.utf8))
    }
}

extension ClientCredentials {
    /// Identifier and secret as RFC 6749 §2.3.1 has them in a header: form-encoded first, so that a colon cannot
    /// move from one to the other.
    fileprivate var basic: String {
        Base64.encode("\(Percent.encode(identifier)):\(Percent.encode(secret))".utf8)
    }
}
