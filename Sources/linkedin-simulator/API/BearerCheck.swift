/// Finds the grant behind a bearer token (RFC 6750 section 2.1).
struct BearerCheck: Sendable {
    let grants: Grants

    /// Checks the token of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - scope: What the resource asks for.
    ///   - resource: Its name in LinkedIn's refusals.
    /// - Returns: The grant.
    /// - Throws: LinkedIn's refusal.
    func check(_ request: Request, scope: String, resource: String) async throws(APIError) -> Grant {
        let words = (request.headers["authorization"] ?? "").split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { throw .emptyToken }
        guard let token = await grants.find(accessToken: String(words[1])) else { throw .invalidToken }
        if token.isRevoked { throw .revokedToken }
        guard request.now < token.expires else { throw .expiredToken }
        guard token.grant.scopes.contains(scope) else { throw .denied(resource) }
        return token.grant
    }

    /// Answers with what a grant is entitled to, or with LinkedIn's refusal.
    func guarding(
        _ request: Request,
        scope: String,
        resource: String,
        answer: (Grant) throws(APIError) -> JSONObject
    ) async -> Response {
        do throws(APIError) {
            return .json(.object(try answer(try await check(request, scope: scope, resource: resource))))
        } catch {
            var response = error.response
            if request.settings.isStandard, error.status == 401 {
                response.headers["WWW-Authenticate"] = "Bearer error=\"invalid_token\""
            }
            return response
        }
    }
}
