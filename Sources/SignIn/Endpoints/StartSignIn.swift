import HTTP
import OpenID

extension Site {
    /// `GET /login`: sends the browser to the provider and gives it a cookie to come back with.
    ///
    /// Nothing is stored, so that a flood of requests fills nothing. `return_to` names a page of this site; whatever
    /// else is in the query has no effect (RFC 9700 §2.1).
    func startSignIn(_ request: Request) throws -> Response {
        guard request.method != .head else { return try redirect(to: client.provider.authorizationEndpoint) }
        let attempt = client.begin()
        let pending = PendingSignIn(
            attempt: attempt,
            issuer: client.provider.issuers.first ?? "",
            returnPath: returnPath(of: request),
            started: now()
        )
        var response = try redirect(to: client.authorizationURL(for: attempt))
        for cookie in try pendingSignIns(of: request).cookies(adding: pending, sealer: sealer) {
            try response.headers.append(.setCookie, cookie.headerValue)
        }
        return response
    }

    private func returnPath(of request: Request) -> ReturnPath {
        guard case .one(let text)? = FormData(parsing: request.query)?["return_to"], let path = ReturnPath(text) else {
            return ReturnPath(trusted: mount.path("/"))
        }
        return path
    }

    func pendingSignIns(of request: Request) -> PendingSignIns {
        PendingSignIns(request.cookies, sealer: sealer, now: now())
    }
}
