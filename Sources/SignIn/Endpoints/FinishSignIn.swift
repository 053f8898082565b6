import EventLog
import HTTP
import OpenID
import Pages
import Sessions
import Settings

import struct FoundationEssentials.Date

extension Site {
    /// `GET /oauth`: checks that this browser began the sign-in, then completes it.
    ///
    /// The order is the defence: form, state, a free call, one use, and only then is the code worth a request (RFC 6749
    /// §10.12).
    func finishSignIn(_ request: Request) async throws -> Response {
        guard request.method != .head else { return try redirect(to: location(of: nil)) }
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
            // Neither the state nor the cookie is used up: the same address works as soon as a call is free.
            log(LogEvent(.warning, "sign-in-refused", of: request, reason: refusal.reason))
            return try problem(refusal.kind, activity: .finishingSignIn, for: request)
        } catch let postponed as SignInPostponed {
            // The sign-in cookie stays: with it the same address repeats only the call for the profile.
            let (reason, detail) = (postponed.error.code.rawValue, postponed.error.logDetail)
            log(LogEvent(.error, "sign-in-failed", of: request, reason: reason, fields: [("detail", detail)]))
            return try problem(postponed.kind, activity: .finishingSignIn, for: request)
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

    /// A callback that comes twice: goes on if the first one signed the browser in.
    private func stateUsed(_ pending: PendingSignIn, request: Request) async throws -> Response {
        let (reason, wanted) = ("state-used", pending.kept.map { resumePath($0.formLabel) } ?? pending.returnPath)
        if let onward = try await goOn(to: wanted, reason: reason, request: request) { return onward }
        return try signInFailed(.stateUsed, reason: reason, returnPath: pending.returnPath, request: request)
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
            session = try await newSession(unfinished.tokens, issued: unfinished.issued, nonce: pending.attempt.nonce)
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
                cookies = [sessionCookie(try await sessions.create(session, now: now()), of: session)]
                await endPresentedSession(of: request)
            }
        } catch let error as StoreError {
            // The code and the state are used up: this sign-in is over, and its cookie with it.
            log(LogEvent(error, of: request, subject: session.identity.subject))
            return try problem(.storeUnavailable, returnPath: pending.returnPath, for: request)
        }
        log(LogEvent(.info, "signed-in", of: request, subject: session.identity.subject))
        let form = try formCookies(of: pending, request: request)
        var response = try redirect(to: location(of: form?.path ?? pending.returnPath))
        cookies.append(
            try RecentSignIns(request.cookies, sealer: sealer, now: now()).cookie(adding: now(), sealer: sealer)
        )
        for cookie in cookies + (form?.cookies ?? []) {
            try response.headers.append(.setCookie, cookie.headerValue)
        }
        return response
    }

    /// Gives the new tokens to the session that another tab opened for the same member while this sign-in was under
    /// way; false if there is none.
    ///
    /// A new session in its place would sign out the tabs that are loading with the first one at this moment.
    private func renewSessionOfOtherTab(
        with new: Session,
        since started: Date,
        request: Request
    ) async throws -> Bool {
        guard let (ticket, session) = try await session(of: request), session.created > started,
            session.identity.issuer == new.identity.issuer, session.identity.subject == new.identity.subject
        else { return false }
        do {
            return try await sessions.update(ticket, now: now()) { $0.tokens = new.tokens } != nil
        } catch {
            // Another request holds the session, or it cannot be written: it stays good with the tokens it has.
            return true
        }
    }

    /// A callback whose sign-in cookie did not come back: goes on for a browser that is signed in, else says why it cannot.
    ///
    /// The code is not used, so that nobody can be signed in to somebody else's account. A state that this site did not
    /// make leads nowhere.
    private func finishWithoutCookie(
        _ state: CarriedState,
        _ beginning: CarriedState.Beginning?,
        request: Request
    ) async throws -> Response {
        guard let beginning else { return try signInFailed(.stateMissing, reason: "state-missing", request: request) }
        let wanted = beginning.returnPath
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

    /// Leads a browser that is signed in already to the address its sign-in was for; nil without a live session.
    private func goOn(
        to returnPath: ReturnPath?,
        reason: String,
        request: Request
    ) async throws -> Response? {
        guard let session = try? await session(of: request)?.session else { return nil }
        log(LogEvent(.info, "signed-in-already", of: request, reason: reason, subject: session.identity.subject))
        return try redirect(to: location(of: returnPath))
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
