import EventLog
import HTTP
import OpenID
import Pages
import Sessions
import Settings

extension Site {
    /// Answers `GET /login`: sends the browser to the provider.
    ///
    /// `return_to` names a page of this site; other parameters have no effect (RFC 9700 §2.1).
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

    /// Logs that an address is not a valid return path, and starts a sign-in that leads to the home page.
    ///
    /// An address that is only too long may come from a person, so a page explains this first.
    func signInWithoutReturn(to address: String, _ request: Request) async throws -> Response {
        let isTooLong = address.utf8.count > ReturnPath.maximumLength
        let reason = isTooLong ? "too-long" : "invalid"
        let fields: [LogEvent.Field] = [("bytes", String(address.utf8.count))]
        log(LogEvent(.warning, "return-path-refused", of: request, reason: reason, fields: fields))
        guard !isTooLong else { return try problem(.addressTooLong, for: request) }
        return try await beginSignIn(request, returningTo: nil)
    }

    /// Sends the browser to the provider and sets the sign-in cookie.
    ///
    /// The server stores nothing, so many requests cannot fill the disk. HEAD does not set the cookie.
    /// `kept` opens the kept form of this sign-in; the cookie carries it.
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

    /// Answers with a page that names the missing cookie, and resets the count so that the visitor can try again.
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
