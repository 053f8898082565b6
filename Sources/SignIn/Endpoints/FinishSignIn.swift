import HTTP
import OpenID
import Sessions

extension Site {
    /// `GET /oauth`: checks that this browser began the sign-in, then completes it.
    ///
    /// The order is the defence: form, state, a free call, one use, and only then is the code worth a request (RFC 6749
    /// §10.12).
    func finishSignIn(_ request: Request) async throws -> Response {
        guard request.method != .head else { return try redirect(to: mount.path("/")) }
        let answer: AuthorizationResponse
        do {
            answer = try client.parseCallback(query: request.query)
        } catch {
            return try signInFailed(error, request: request)
        }
        guard let pending = pendingSignIns(of: request).find(state: answer.state) else {
            // A reload of the callback that has signed the visitor in: its cookie is gone, and the session is there.
            let isDone = (try? await session(of: request)) != nil
            return try signInFailed(isDone ? .stateUsed : .stateMissing, reason: "state-missing", request: request)
        }
        do {
            return try await finish(pending, with: answer, request: request).deleting(pending)
        } catch let refusal as ProviderCalls.Refusal {
            // Neither the state nor the cookie is used up: the same address works as soon as a call is free.
            log(LogEvent(.warning, "sign-in-refused", of: request, reason: refusal.reason))
            return try problem(refusal.kind, activity: .finishingSignIn, for: request)
        }
    }

    private func finish(
        _ pending: PendingSignIn,
        with answer: AuthorizationResponse,
        request: Request
    ) async throws -> Response {
        guard pending.isCurrent(now()) else {
            let wanted = pending.returnPath
            return try signInFailed(.stateExpired, reason: "state-expired", returnPath: wanted, request: request)
        }
        guard client.provider.issuers.contains(pending.issuer) else {
            return try signInFailed(.stateMissing, reason: "state-issuer", request: request)
        }
        switch answer.outcome {
        case .error(let error):
            // Leaves no mark on the disk, for a mark protects the one use of a code, and here is none. The answer takes
            // the sign-in cookie away. A copy of both can show this page again, or bring one code, as before: the
            // provider's error changes nothing about what the cookie allows.
            let reason = "provider-\(error.rawValue)"
            return try signInFailed(Problem.Kind(error), reason: reason, keeping: pending, request: request)
        case .code(let code):
            return try await providerCalls.run(for: request.client) {
                guard try await spentStates.spend(pending.attempt.state, expires: pending.expires) else {
                    return try signInFailed(.stateUsed, reason: "state-used", request: request)
                }
                return try await complete(pending, code: code, request: request)
            }
        }
    }

    private func complete(_ pending: PendingSignIn, code: String, request: Request) async throws -> Response {
        let session: Session
        do {
            let tokens = try await client.redeem(code: code, for: pending.attempt)
            session = try await newSession(tokens, nonce: pending.attempt.nonce)
        } catch {
            return try signInFailed(error, keeping: pending, request: request)
        }
        let ticket: Ticket
        do {
            ticket = try await sessions.create(session, now: now())
        } catch {
            // The code and the state are used up: this sign-in is over, and its cookie with it.
            log(LogEvent(error, of: request, subject: session.identity.subject))
            return try problem(.storeUnavailable, returnPath: pending.returnPath, for: request)
        }
        await endPresentedSession(of: request)
        log(LogEvent(.info, "signed-in", of: request, subject: session.identity.subject))
        let form = try formCookies(of: pending, request: request)
        var response = try redirect(to: form?.path.text ?? pending.returnPath.text)
        let recent = RecentSignIns(request.cookies, sealer: sealer, now: now())
        let own = [sessionCookie(ticket, of: session), try recent.cookie(adding: now(), sealer: sealer)]
        for cookie in own + (form?.cookies ?? []) {
            try response.headers.append(.setCookie, cookie.headerValue)
        }
        return response
    }

    /// A ticket from before the sign-in opens nothing after it (session fixation).
    private func endPresentedSession(of request: Request) async {
        guard let ticket = ticket(of: request) else { return }
        do {
            try await sessions.remove(ticket)
        } catch {
            log(LogEvent(.warning, "old-session-kept", of: request, reason: error.reason))
        }
    }
}

extension Response {
    /// The sign-in's cookie ends with it, well or ill.
    fileprivate func deleting(_ pending: PendingSignIn) throws -> Response {
        var response = self
        try response.headers.append(.setCookie, PendingSignIns.deletion(of: pending).headerValue)
        return response
    }
}
