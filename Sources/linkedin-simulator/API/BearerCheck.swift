/// Finds the grant behind a bearer token (RFC 6750 §2.1).
struct BearerCheck: Sendable {
    let grants: Grants

    /// Checks the token of a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - scope: the scope that the resource requires.
    ///   - resource: the name of the resource in LinkedIn's errors.
    /// - Returns: the grant.
    /// - Throws: LinkedIn's error.
    func check(_ request: Request, scope: String, resource: String) async throws(APIError) -> Grant {
        let words = (request.headers["authorization"] ?? "").split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { throw .emptyToken }
        guard let token = await grants.find(accessToken: String(words[1])) else { throw .invalidToken }
        if token.isRevoked { throw .revokedToken }
        guard request.now < token.expires else { throw .expiredToken }
        guard token.grant.scopes.contains(scope) else { throw .denied(resource) }
        return token.grant
    }

    /// Answers with the resource, or with LinkedIn's error.
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
