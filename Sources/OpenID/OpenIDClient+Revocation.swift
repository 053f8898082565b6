import HTTP

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
        let response: ClientResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw OpenIDError(error, unavailable: .tokenUnavailable, malformed: .tokenMalformed)
        }
        guard response.status != 200 else { return }
        throw OpenIDError(tokenEndpointAnswer: response, refusal: .revocationRefused, options.dialect)
    }
}
