import EventLog
import Guard
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
            let (kind, reason) = try await failure(ofSignInsBefore: request)
        {
            return try breakLoop(request, on: returnPath, kind, reason: reason)
        }
        let earlier = pendingSignIns(of: request)
        if let completed = await completedWithoutEffect(earlier, request) {
            let response = try breakLoop(request, on: returnPath, .sessionCookieLost, reason: "callback-cookies-lost")
            return try response.setting(earlier.deletions(of: completed))
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
            kept: kept,
            scopes: client.provider.scopes,
            isRepetition: hasCookieOfSignIn(request)
        )
        await logRepeatedSignIn(request)
        let sent = AuthorizationRequest(state: state.text, nonce: attempt.nonce, codeVerifier: attempt.codeVerifier)
        let response = try redirect(to: client.authorizationURL(for: sent))
        return try response.setting(earlier.cookies(adding: pending, sealer: sealer))
    }

    /// Logs why a member who has a session signs in again.
    private func logRepeatedSignIn(_ request: Request) async {
        guard let session = try? await session(of: request)?.session,
            let need = session.authorizationNeed(for: client.provider.scopes, at: now())
        else { return }
        let (reason, subject) = (need.rawValue, session.identity.subject)
        log(LogEvent(.info, "sign-in-repeated", of: request, reason: reason, subject: subject))
    }

    /// Why the sign-ins that this browser completed a moment ago did not help; nil if they did.
    private func failure(
        ofSignInsBefore request: Request
    ) async throws -> (kind: Problem.Kind, reason: String)? {
        guard try await session(of: request) != nil else {
            let isMissing = request.cookies["__Host-" + Self.sessionCookieName] == .none
            return isMissing
                ? (kind: .sessionCookieLost, reason: "session-cookie-missing")
                : (kind: .sessionUnknown, reason: "session-unknown")
        }
        // On the way to a guarded location, a session is not enough if it is too old for the rule.
        guard case .signedOut = try await decide(request) else { return nil }
        return (kind: .sessionTooOld, reason: "session-too-old")
    }

    /// The sign-ins of the last minute that were completed, but whose cookies the browser still has; nil if it is no loop.
    ///
    /// The answer of the callback deletes the sign-in cookie. If that does not reach the browser, neither does the session
    /// cookie, nor the cookie that counts sign-ins.
    private func completedWithoutEffect(_ earlier: PendingSignIns, _ request: Request) async -> [PendingSignIn]? {
        let recent = earlier.started(within: RecentSignIns.lifetime, of: now())
        guard recent.count >= RecentSignIns.limit, (try? await session(of: request)) == nil else { return nil }
        var completed: [PendingSignIn] = []
        // The cookie of a sign-in that waits for the profile stays on purpose.
        for pending in recent where !unfinishedSignIns.contains(pending.attempt.state) {
            if (try? await spentStates.isSpent(pending.attempt.state)) == true { completed.append(pending) }
        }
        return completed.count >= RecentSignIns.limit ? completed : nil
    }

    /// Whether a request has a cookie that the answer of a callback sets, whatever its value.
    private func hasCookieOfSignIn(_ request: Request) -> Bool {
        [RecentSignIns.cookieName, Self.sessionCookieName].contains { request.cookies["__Host-" + $0] != .none }
    }

    /// Whether this browser completed sign-ins before this one began, and the request that began it had none of their
    /// cookies, as if the web server removed `Cookie` there.
    func wasBegunWithoutCookies(_ pending: PendingSignIn, _ request: Request) -> Bool {
        guard !pending.isRepetition else { return false }
        return RecentSignIns(request.cookies, sealer: sealer, now: now()).areTooMany(before: pending.started)
    }

    /// Answers with a page that explains the loop, and resets the count so that the visitor can try again.
    func breakLoop(
        _ request: Request,
        on returnPath: ReturnPath?,
        _ kind: Problem.Kind,
        reason: String
    ) throws -> Response {
        let fields: [LogEvent.Field] = [("location", returnPath.map { String($0.text.prefix { $0 != "?" }) } ?? "")]
        log(LogEvent(.error, "sign-in-loop", of: request, reason: reason, fields: fields))
        var response = try problem(kind, returnPath: returnPath, for: request)
        try response.headers.append(.setCookie, SetCookie.deleting(RecentSignIns.cookieName).headerValue)
        return response
    }
}

extension Response {
    /// This answer with cookies.
    fileprivate func setting(_ cookies: [SetCookie]) throws -> Response {
        var response = self
        for cookie in cookies { try response.headers.append(.setCookie, cookie.headerValue) }
        return response
    }
}
