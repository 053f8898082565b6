import EventLog
import HTTP
import OpenID
import Pages
import Sessions
import Settings

extension Site {
    /// `GET /login`: sends the browser to the provider.
    ///
    /// `return_to` names a page of this site; whatever else is in the query has no effect (RFC 9700 §2.1).
    func startSignIn(_ request: Request) async throws -> Response {
        guard let form = FormData(parsing: request.query) else { return try await signInWithoutReturn(to: "", request) }
        switch form["return_to"] {
        case .one(let text) where !text.isEmpty:
            if let path = ReturnPath(text), path.isDestination(mount: mount) {
                return try await beginSignIn(request, returningTo: path)
            }
            return try await signInWithoutReturn(to: text, request)
        case .repeated:
            return try await signInWithoutReturn(to: "", request)
        case .one, .none:
            return try await beginSignIn(request, returningTo: nil)
        }
    }

    /// Logs that a sign-in cannot lead back to an address, and leads it home.
    ///
    /// Where only the length is wrong, a person asked for that page: they read about it first.
    func signInWithoutReturn(to address: String, _ request: Request) async throws -> Response {
        let isTooLong = address.utf8.count > ReturnPath.maximumLength
        let reason = isTooLong ? "too-long" : "invalid"
        let fields: [LogEvent.Field] = [("bytes", String(address.utf8.count))]
        log(LogEvent(.warning, "return-path-refused", of: request, reason: reason, fields: fields))
        guard !isTooLong else { return try problem(.addressTooLong, for: request) }
        return try await beginSignIn(request, returningTo: nil)
    }

    /// Sends the browser to the provider and gives it a cookie to come back with.
    ///
    /// Nothing is stored, so that a flood of requests fills nothing; HEAD does not even get the cookie.
    /// A form that was kept for the visitor opens to what it carries of it.
    func beginSignIn(
        _ request: Request,
        returningTo returnPath: ReturnPath?,
        kept: Ticket? = nil
    ) async throws -> Response {
        guard request.method != .head else { return try redirect(to: client.provider.authorizationEndpoint) }
        if RecentSignIns(request.cookies, sealer: sealer, now: now()).areTooMany,
            try await session(of: request) == nil
        {
            return try breakLoop(request, on: returnPath)
        }
        let (attempt, started) = (client.begin(), now())
        let state = try CarriedState(
            attempt.state,
            started: started,
            returnPath: returnPath,
            mount: mount,
            sealer: sealer
        )
        let pending = PendingSignIn(
            attempt: attempt,
            issuer: client.provider.issuers.first ?? "",
            returnPath: state.holdsReturnPath ? nil : returnPath,
            started: started,
            kept: kept
        )
        let sent = AuthorizationRequest(state: state.text, nonce: attempt.nonce, codeVerifier: attempt.codeVerifier)
        var response = try redirect(to: client.authorizationURL(for: sent))
        for cookie in try pendingSignIns(of: request).cookies(adding: pending, sealer: sealer) {
            try response.headers.append(.setCookie, cookie.headerValue)
        }
        return response
    }

    /// Says which cookie is missing; trying again from there counts anew.
    private func breakLoop(_ request: Request, on returnPath: ReturnPath?) throws -> Response {
        let isMissing = request.cookies["__Host-" + Self.sessionCookieName] == .none
        let reason = isMissing ? "session-cookie-missing" : "session-unknown"
        log(LogEvent(.error, "sign-in-loop", of: request, reason: reason))
        let kind = isMissing ? Problem.Kind.sessionCookieLost : .sessionUnknown
        var response = try problem(kind, returnPath: returnPath, for: request)
        try response.headers.append(.setCookie, SetCookie.deleting(RecentSignIns.cookieName).headerValue)
        return response
    }

    func pendingSignIns(of request: Request) -> PendingSignIns {
        PendingSignIns(request.cookies, sealer: sealer, now: now())
    }
}
