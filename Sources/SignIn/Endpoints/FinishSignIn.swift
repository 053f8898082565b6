import EventLog
import HTTP
import OpenID
import Pages
import Sessions
import Settings

import struct FoundationEssentials.Date

extension Site {
    /// Answers `GET /oauth`: checks that this browser started the sign-in, then completes it.
    ///
    /// The order protects the code: format, state, a free call and first use are checked before the code is sent
    /// (RFC 6749 §10.12).
    func finishSignIn(_ request: Request) async throws -> Response {
        guard request.method != .head else { return try answers.redirect(to: nil) }
        let answer: AuthorizationResponse
        do {
            answer = try client.parseCallback(query: request.query)
        } catch {
            return try signInFailed(error, request: request)
        }
        let state = CarriedState(answer.state)
        let beginning = state.beginning(mount: mount, sealer: sealer)
        guard var pending = pendingSignIns(of: request).find(state) else {
            return try await finishWithoutCookie(state, beginning, request: request)
        }
        if pending.returnPath == nil { pending.returnPath = beginning?.returnPath }
        do {
            return try await finish(pending, with: answer, request: request).deleting(pending)
        } catch let refusal as ProviderCalls.Refusal {
            // The state and the cookie are unused, so the same address works as soon as a call is free.
            log(LogEvent(.warning, .signInRefused, of: request, reason: refusal.reason))
            return try answers.problem(refusal.kind, activity: .finishingSignIn, for: request)
        } catch let postponed as SignInPostponed {
            // The sign-in cookie stays, so that the same address repeats only the call for the profile.
            let (reason, detail) = (postponed.error.code.rawValue, postponed.error.logDetail)
            log(LogEvent(.error, .signInFailed, of: request, reason: reason, fields: [("detail", detail)]))
            return try answers.problem(postponed.kind, activity: .finishingSignIn, for: request)
        }
    }

    private func finish(
        _ pending: PendingSignIn,
        with answer: AuthorizationResponse,
        request: Request
    ) async throws -> Response {
        guard pending.isCurrent(now()) else {
            let (reason, wanted) = ("state-expired", pending.returnPath)
            if let onward = try await goOn(to: wanted, reason: reason, request: request) { return onward }
            return try signInFailed(.stateExpired, reason: reason, returnPath: wanted, request: request)
        }
        guard client.options.issuers.contains(pending.issuer) else {
            return try signInFailed(.stateMissing, reason: "state-issuer", request: request)
        }
        switch answer.outcome {
        case .error(let error):
            // Does not mark the state as used, because a mark protects a code and there is none. The answer deletes the
            // sign-in cookie. With a copy of it, an attacker can still present one code, as without the error.
            let (reason, detail) = ("provider-\(error.rawValue)", advice(on: error, scope: answer.refusedScope))
            return try signInFailed(
                Problem.Kind(error),
                reason: reason,
                detail: detail,
                keeping: pending,
                request: request
            )
        case .code(let code):
            return try await providerCalls.run(for: request.client) {
                if let unfinished = unfinishedSignIns.take(pending.attempt.state, now: now()) {
                    return try await complete(pending, with: unfinished, request: request)
                }
                switch try await spend(pending, by: request.client) {
                case .spent: return try await complete(pending, code: code, request: request)
                case .usedBefore: return try await stateUsed(pending, request: request)
                case .full: throw ProviderCalls.Refusal.marksFull
                case .shareTaken: throw ProviderCalls.Refusal.markShareTaken
                }
            }
        }
    }

    /// Answers a repeated callback: continues to the return path if the first one signed the browser in.
    private func stateUsed(_ pending: PendingSignIn, request: Request) async throws -> Response {
        let (reason, wanted) = ("state-used", pending.kept.map { forms.path($0.formLabel) } ?? pending.returnPath)
        if let onward = try await goOn(to: wanted, reason: reason, request: request) { return onward }
        return try signInFailed(.stateUsed, reason: reason, keeping: pending, request: request)
    }

    private func spend(_ pending: PendingSignIn, by client: ClientAddress) async throws(StoreError) -> SpendOutcome {
        try await spentStates.spend(
            pending.attempt.state,
            from: client.number,
            expires: pending.expires,
            now: now()
        )
    }

    private func complete(_ pending: PendingSignIn, code: String, request: Request) async throws -> Response {
        let tokens: TokenResponse
        do {
            tokens = try await client.redeem(code: code, for: pending.attempt)
        } catch {
            return try signInFailed(error, keeping: pending, request: request)
        }
        return try await complete(pending, with: .init(tokens: tokens, issued: now()), request: request)
    }

    private func complete(
        _ pending: PendingSignIn,
        with unfinished: UnfinishedSignIns.SignIn,
        request: Request
    ) async throws -> Response {
        let session: Session
        do {
            session = try await newSession(unfinished.tokens, issued: unfinished.issued, for: pending)
        } catch {
            guard let postponed = SignInPostponed(error) else {
                return try signInFailed(error, keeping: pending, request: request)
            }
            unfinishedSignIns.add(unfinished, for: pending.attempt.state, now: now())
            throw postponed
        }
        var cookies: [SetCookie] = []
        do {
            if try await !renewSessionOfOtherTab(with: session, since: pending.started, request: request) {
                cookies = [
                    SessionCookie.setting(try await sessions.create(session, now: now()), of: session, now: now())
                ]
                await endPresentedSession(of: request)
            }
        } catch let error as StoreError {
            // The code and the state are used, so this sign-in has ended and its cookie is deleted.
            log(LogEvent(error, of: request, subject: session.identity.subject))
            return try answers.problem(.storeUnavailable, returnPath: pending.returnPath, for: request)
        }
        let (subject, fields) = (session.identity.subject, emailField(of: session.identity))
        log(LogEvent(.info, .signedIn, of: request, subject: subject, fields: fields))
        await updateTokenOwner(session.identity, request)
        let form = try forms.page(of: pending, request: request)
        var response = try answers.redirect(to: form?.path ?? pending.returnPath)
        cookies.append(
            try RecentSignIns(request.cookies, sealer: sealer, now: now()).cookie(adding: now(), sealer: sealer)
        )
        for cookie in cookies + (form?.cookies ?? []) {
            try response.headers.append(.setCookie, cookie.headerValue)
        }
        return response
    }

    /// Stores the new tokens in the session that another tab created for the same member during this sign-in; returns
    /// false if there is none.
    ///
    /// Replacing that session would sign out the tabs that are using it at this moment.
    private func renewSessionOfOtherTab(
        with new: Session,
        since started: Date,
        request: Request
    ) async throws -> Bool {
        guard let (ticket, session) = try await session(of: request), session.created > started,
            session.identity.member == new.identity.member
        else { return false }
        do {
            return try await sessions.update(ticket, now: now()) { $0.tokens = new.tokens } != nil
        } catch {
            // Another request holds the session, or it cannot be written. It stays valid with its own tokens.
            return true
        }
    }

    /// Answers a callback without its sign-in cookie: continues if the browser is signed in, else explains the failure.
    ///
    /// The code is not used, so that an attacker cannot sign a visitor in to the attacker's account. A state that this
    /// site did not make is rejected.
    private func finishWithoutCookie(
        _ state: CarriedState,
        _ beginning: CarriedState.Beginning?,
        request: Request
    ) async throws -> Response {
        guard let beginning else { return try signInFailed(.stateMissing, reason: "state-missing", request: request) }
        // The answer that deleted the sign-in cookie may have kept the form of this sign-in.
        let form = forms.cookies(of: request).onlyLabel(expiring: PendingSignIn.expiry(of: beginning.started))
        let wanted = form.map(forms.path) ?? beginning.returnPath
        if let onward = try await goOn(to: wanted, reason: "state-missing", request: request) { return onward }
        let kind: Problem.Kind
        let reason: String
        if (try? await spentStates.isSpent(state.random)) == true {
            (kind, reason) = (.stateUsed, "state-used")
        } else if PendingSignIn.expiry(of: beginning.started) <= now() {
            (kind, reason) = (.stateExpired, "state-expired")
        } else {
            let isUnencrypted = mount.origin.hasPrefix("http:")
            (kind, reason) = (isUnencrypted ? .unencryptedCookieLost : .stateMissing, "state-missing")
        }
        return try signInFailed(kind, reason: reason, returnPath: wanted, request: request)
    }

    /// Redirects a browser that is already signed in to the return path; nil without a live session, and if the return
    /// path would lead to this callback again.
    private func goOn(
        to returnPath: ReturnPath?,
        reason: String,
        request: Request
    ) async throws -> Response? {
        guard let session = try? await session(of: request)?.session, !needsSignIn(session, at: returnPath) else {
            return nil
        }
        log(LogEvent(.info, .signedInAlready, of: request, reason: reason, subject: session.identity.subject))
        return try answers.redirect(to: returnPath)
    }

    /// Whether a return path leads a member with this session through sign-in again.
    func needsSignIn(_ session: Session, at returnPath: ReturnPath?) -> Bool {
        let now = now()
        guard gate.isAccepted(CheckedSession(session)) else { return true }
        guard !session.isNew(at: now), returnPath?.path == mount.path("/profile")[...] else { return false }
        return session.authorizationNeed(for: client.options.scopes, at: now) != nil
    }

    func signInFailed(
        _ error: OpenIDError,
        keeping pending: PendingSignIn? = nil,
        request: Request
    ) throws -> Response {
        let reason = error.code.rawValue
        let detail = error.logDetail
        return try signInFailed(
            Problem.Kind(error),
            reason: reason,
            detail: detail,
            retryAfter: error.throttle?.retryAfter,
            keeping: pending,
            request: request
        )
    }

    /// The page for a failed sign-in; trying again leads to the same address and keeps the kept form.
    ///
    /// `pending` is the sign-in if this browser started it and it has not expired. An expired sign-in has only its
    /// return path.
    func signInFailed(
        _ kind: Problem.Kind,
        reason: String,
        detail: String = "",
        retryAfter: Int? = nil,
        keeping pending: PendingSignIn? = nil,
        returnPath: ReturnPath? = nil,
        request: Request
    ) throws -> Response {
        let level = kind.status.code >= 500 ? LogLevel.error : .warning
        log(LogEvent(level, .signInFailed, of: request, reason: reason, fields: [("detail", detail)]))
        let form = try pending.flatMap { try forms.page(of: $0, request: request) }
        let wanted = form?.path ?? pending?.returnPath ?? returnPath
        var response = try answers.problem(kind, retryAfter: retryAfter, returnPath: wanted, for: request)
        for cookie in form?.cookies ?? [] { try response.headers.append(.setCookie, cookie.headerValue) }
        return response
    }

    /// Ends the session of the ticket that the browser presents, against session fixation.
    func endPresentedSession(of request: Request) async {
        guard let ticket = SessionCookie.ticket(of: request) else { return }
        do {
            try await sessions.remove(ticket)
        } catch {
            log(LogEvent(.warning, .oldSessionKept, of: request, reason: error.reason))
        }
    }
}

extension Response {
    /// Deletes the sign-in cookie, whether the sign-in succeeded or not.
    fileprivate func deleting(_ pending: PendingSignIn) throws -> Response {
        var response = self
        try response.headers.append(.setCookie, PendingSignIns.deletion(of: pending).headerValue)
        return response
    }
}
