/// `POST /oauth/v2/revoke`: token revocation (RFC 7009), which LinkedIn does not document.
struct RevocationEndpoint: Sendable {
    let grants: Grants

    /// Revokes a token; an unknown token is not an error (RFC 7009 §2.2).
    @Sendable
    func answer(_ request: Request) async throws -> Response {
        let form = request.form
        do {
            try ClientAuthentication.check(request, form: form)
            guard let token = form.nonempty("token") else { throw TokenError.missing("token") }
            await grants.revoke(token)
            return Response(200)
        } catch let error as TokenError {
            return error.response
        }
    }
}
