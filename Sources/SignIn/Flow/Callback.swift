import EventLog
import HTTP
import OpenID
import Pages
import Provider
import Sessions
import Settings

import struct FoundationEssentials.Date

/// `GET /oauth`, to which a form by `POST /oauth` leads: completes a sign-in.
///
/// A callback with a sign-in cookie passes the steps `check`, `spend`, `redeem`, `identify` and `open` in this order, and
/// each step may end it. `respond` turns each ending into a response. The order protects the code: format, state, age,
/// issuer, a free call and first use are checked before the code is sent (RFC 6749 §10.12).
final class Callback: SiteFeature {
    /// A callback with a sign-in cookie.
    private struct Return {
        let pending: PendingSignIn
        let provider: Provider
        let request: Request
    }

    /// How a callback with a sign-in cookie ends.
    private enum Ending {
        /// The session of another member may have ended in this browser.
        case signedIn(Session, [SetCookie], replacing: Session?)
        case failed(Explanation)
        /// An earlier request for the same address may have signed the browser in. It then continues to a return path.
        case late(Explanation, ReturnPath?)
        /// The same address can still complete the sign-in, so its cookie stays.
        case interrupted(LogEvent, Problem.Kind, Problem.Activity?)
        /// The code and the state are used, but there is no session.
        case notStored(StoreError, Session)
    }

    /// What the page for a failed sign-in says, and the log.
    private struct Explanation {
        let kind: Problem.Kind
        let reason: String
        var detail = ""
        var retryAfter: Int?
        /// The sign-in if this browser started it and it has not expired: trying again keeps its form.
        var pending: PendingSignIn?
        /// Where trying again leads, if there is no such sign-in.
        var returnPath: ReturnPath?

        static func of(_ error: OpenIDError, _ pending: PendingSignIn? = nil) -> Self {
            Self(
                kind: Problem.Kind(error),
                reason: error.code.rawValue,
                detail: error.logDetail,
                retryAfter: error.throttle?.retryAfter,
                pending: pending
            )
        }
    }

    let context: SiteContext
    private let gate: Gate
    private let forms: KeptFormPaths
    private let newSessions: NewSessions
    private let unfinished: UnfinishedSignIns
    private var formCallback: FormCallback { FormCallback(sealer: sealer) }
    private var logout: ProviderLogout { ProviderLogout(context: context) }

    init(
        _ context: SiteContext,
        gate: Gate,
        forms: KeptFormPaths,
        newSessions: NewSessions,
        continuing predecessor: Callback?
    ) {
        (self.context, self.gate, self.forms, self.newSessions) = (context, gate, forms, newSessions)
        unfinished = predecessor?.unfinished ?? UnfinishedSignIns()
    }

    /// Answers a callback: checks that this browser started the sign-in, then completes it.
    func finish(_ request: Request) async throws -> Response {
        guard let provider = provider(ofPath: request.path) else { return try answers.problem(.notFound, for: request) }
        guard request.method != .head else { return try answers.redirect(to: nil) }
        let answer: AuthorizationResponse
        do {
            answer = try provider.client.parseCallback(query: try formCallback.query(of: request, at: provider))
        } catch {
            return try explain(.of(error), request)
        }
        let state = CarriedState(answer.state)
        let beginning = state.beginning(mount: mount, sealer: sealer)
        guard var pending = PendingSignIns(request.cookies, sealer: sealer).find(state) else {
            return try await finishWithoutCookie(answer, state, beginning, request)
        }
        if pending.returnPath == nil { pending.returnPath = beginning?.returnPath }
        let arrived = Return(pending: pending, provider: provider, request: request)
        return try await respond(to: await check(arrived, answer), of: pending, request)
    }

    /// Whether a provider of this site sends forms: callbacks or logout tokens.
    var acceptsForms: Bool {
        providers.all.map(\.client.options).contains { $0.usesFormPost || $0.sendsLogoutTokens }
    }

    /// Answers `POST /oauth`: redirects to GET with the sealed form, or ends the sessions that a logout token names.
    func receive(_ request: Request) async throws -> Response {
        guard let provider = provider(ofPath: request.path) else { return try answers.problem(.notFound, for: request) }
        let options = provider.client.options
        guard options.usesFormPost else {
            if options.sendsLogoutTokens { return try await logout.receive(request, from: provider) }
            return try answers.methodNotAllowed(Method.reading, for: request)
        }
        do {
            return try answers.redirect(to: try formCallback.redirect(of: request, at: provider))
        } catch let error as OpenIDError {
            return try explain(.of(error), request)
        }
    }

    /// The provider whose redirect address this is; nil if there is none.
    private func provider(ofPath path: String) -> Provider? {
        let path = path.dropFirst(mount.prefix.count)
        guard path != SitePath.callback.rawValue else { return providers.first }
        let id = SitePath.provider(ofCallback: path)
        return id == providers.first.id ? nil : id.flatMap { providers[$0] }
    }

    // MARK: - The steps

    /// The sign-in must be current and started at this provider, and the provider must have sent a code.
    private func check(_ arrived: Return, _ answer: AuthorizationResponse) async -> Ending {
        let (pending, provider, request) = (arrived.pending, arrived.provider, arrived.request)
        guard pending.isCurrent(now()) else {
            let wanted = pending.returnPath
            return .late(Explanation(kind: .stateExpired, reason: "state-expired", returnPath: wanted), wanted)
        }
        if let missing = provider.undiscovered {
            return refused(Problem.Kind(missing), reason: missing.code.rawValue, request)
        }
        // An answer of one provider at the address of another is an attack (RFC 9700 §4.4).
        let isFirst = provider.id == providers.first.id
        let own = isFirst ? nil : PendingSignIn.Added(id: provider.id, redirectURI: provider.client.redirectURI)
        guard pending.added == own else {
            return .failed(Explanation(kind: .stateMissing, reason: "state-provider"))
        }
        guard provider.client.options.issuers.contains(pending.issuer) else {
            return .failed(Explanation(kind: .stateMissing, reason: "state-issuer"))
        }
        switch answer.outcome {
        case .error(let error):
            // Does not mark the state as used, because a mark protects a code and there is none. The answer deletes the
            // sign-in cookie. With a copy of it, an attacker can still present one code, as without the error.
            let options = provider.client.options
            let advice = options.dialect.advice?(error, answer.refusedScope, options.scopes) ?? ""
            let kind = Problem.Kind(error)
            return .failed(Explanation(kind: kind, reason: error.reason, detail: advice, pending: pending))
        case .code(let code):
            do {
                return try await provider.calls.admit(request.client) {
                    await spend(arrived, code, named: answer.displayName)
                }
            } catch {
                return refused(error.kind, reason: error.rawValue, request)
            }
        }
    }

    /// The state must be unused, unless the first use of it kept tokens.
    private func spend(_ arrived: Return, _ code: String, named name: String?) async -> Ending {
        let (pending, request) = (arrived.pending, arrived.request)
        let (state, client) = (pending.attempt.state, request.client.number)
        if let kept = unfinished.take(state, now: now()) { return await identify(arrived, kept) }
        do {
            let outcome = try await store.states.spend(state, from: client, expires: pending.expires, now: now())
            if let (kind, reason) = outcome.refusal { return refused(kind, reason: reason, request) }
            guard outcome == .spent else {
                let wanted = pending.kept.map { forms.path($0.formLabel) } ?? pending.returnPath
                return .late(Explanation(kind: .stateUsed, reason: "state-used", pending: pending), wanted)
            }
            return await redeem(arrived, code, named: name)
        } catch {
            return .interrupted(LogEvent(error, of: request), .storeUnavailable, nil)
        }
    }

    /// The state and the code are unused.
    private func refused(_ kind: Problem.Kind, reason: String, _ request: Request) -> Ending {
        let fields = providerField(of: request)
        let event = LogEvent(.warning, .signInRefused, of: request, reason: reason, fields: fields)
        return .interrupted(event, kind, .finishingSignIn)
    }

    /// The provider must accept the code.
    private func redeem(_ arrived: Return, _ code: String, named name: String?) async -> Ending {
        let tokens: TokenResponse
        do {
            tokens = try await arrived.provider.client.redeem(code: code, for: arrived.pending.attempt)
        } catch {
            return .failed(.of(error, arrived.pending))
        }
        return await identify(arrived, .init(tokens: tokens, issued: now(), name: name))
    }

    /// The ID token, or the first profile, must name a member.
    private func identify(_ arrived: Return, _ signIn: UnfinishedSignIns.SignIn) async -> Ending {
        let (pending, request) = (arrived.pending, arrived.request)
        let session: Session
        do {
            session = try await newSessions.session(from: signIn, for: pending, at: arrived.provider)
        } catch {
            let passing: Set<OpenIDError.Code> = [.accessTokenRefused, .resourceUnavailable, .keysUnavailable, .busy]
            // Otherwise, trying again would fail too.
            guard passing.contains(error.code) else { return .failed(.of(error, pending)) }
            // The same address repeats only the call for the profile.
            unfinished.add(signIn, for: pending.attempt.state, now: now())
            let fields = providerField(of: request) + [("detail", error.logDetail)]
            let event = LogEvent(.error, .signInFailed, of: request, reason: error.code.rawValue, fields: fields)
            return .interrupted(event, Problem.Kind(ofProfile: error), .finishingSignIn)
        }
        return await open(session, pending, request)
    }

    /// The session must be durable before the browser gets its cookie.
    private func open(_ session: Session, _ pending: PendingSignIn, _ request: Request) async -> Ending {
        do {
            let presented = try await self.session(of: request)
            if let presented, try await renewSessionOfOtherTab(presented, with: session, since: pending.started) {
                return .signedIn(session, [], replacing: nil)
            }
            let ticket = try await store.sessions.create(session, now: now())
            await newSessions.endPresentedSession(of: request)
            let cookie = SessionCookie.setting(ticket, of: session, now: now())
            return .signedIn(session, [cookie], replacing: presented?.session)
        } catch {
            return .notStored(error, session)
        }
    }

    /// Stores the new tokens in the session that the browser presents if another tab created this session for the same member
    /// during this sign-in; returns false for any other session.
    ///
    /// Replacing that session would sign out the tabs that are using it at this moment.
    private func renewSessionOfOtherTab(
        _ presented: (ticket: Ticket, session: Session),
        with new: Session,
        since started: Date
    ) async throws(StoreError) -> Bool {
        let old = presented.session
        guard old.created > started, old.identity.member == new.identity.member else { return false }
        do {
            return try await store.sessions.update(presented.ticket, now: now()) { $0.tokens = new.tokens } != nil
        } catch {
            // Another request holds the session, or it cannot be written. It stays valid with its own tokens.
            return true
        }
    }

    // MARK: - The responses

    /// Makes pages that name the provider whose redirect address was requested.
    private func answers(to request: Request) -> Answers { answers.naming(provider(ofPath: request.path)?.id) }

    private func providerField(of request: Request) -> [LogEvent.Field] {
        [("provider", provider(ofPath: request.path)?.id.description ?? "")]
    }

    private func respond(to ending: Ending, of pending: PendingSignIn, _ request: Request) async throws -> Response {
        var response: Response
        switch ending {
        case .signedIn(let session, let cookies, let former):
            response = try await welcome(session, cookies, pending, request)
            if let former, former.identity.member != session.identity.member { try response.clearCache() }
        case .failed(let explanation):
            response = try explain(explanation, request)
        case .late(let explanation, let wanted):
            let onward = try await goOn(to: wanted, reason: explanation.reason, request)
            response = try onward ?? explain(explanation, request)
        case .interrupted(let event, let kind, let activity):
            log(event)
            return try answers(to: request).problem(kind, activity: activity, for: request)
        case .notStored(let error, let session):
            log(LogEvent(error, of: request, member: session.identity.member))
            response = try answers(to: request).problem(.storeUnavailable, returnPath: pending.returnPath, for: request)
        }
        try response.set([PendingSignIns.deletion(of: pending)])
        return response
    }

    /// Sends a member who has signed in to the kept form or to the return path.
    private func welcome(
        _ session: Session,
        _ cookies: [SetCookie],
        _ pending: PendingSignIn,
        _ request: Request
    ) async throws -> Response {
        let fields = [("provider", session.identity.provider.description)] + emailField(of: session.identity)
        log(LogEvent(.info, .signedIn, of: request, member: session.identity.member, fields: fields))
        await newSessions.updateTokenOwner(session.identity, request)
        let form = try page(of: pending, request)
        var response = try answers.redirect(to: form?.path ?? pending.returnPath)
        if providers.areSeveral { try response.set([LastProvider.cookie(session.identity.provider)]) }
        let recent = RecentSignIns(request.cookies, sealer: sealer, now: now())
        let endings = request.cookies.deletions(LastEnding.cookieName)
        try response.set(cookies + [recent.cookie(adding: now(), sealer: sealer)] + (form?.cookies ?? []) + endings)
        return response
    }

    /// The page for a failed sign-in; trying again leads to the same address and keeps the kept form.
    private func explain(_ explanation: Explanation, _ request: Request) throws -> Response {
        let (kind, reason) = (explanation.kind, explanation.reason)
        let level = kind.status.code >= 500 ? LogLevel.error : .warning
        let fields = providerField(of: request) + [("detail", explanation.detail)]
        log(LogEvent(level, .signInFailed, of: request, reason: reason, fields: fields))
        let form = try explanation.pending.flatMap { try page(of: $0, request) }
        let wanted = form?.path ?? explanation.pending?.returnPath ?? explanation.returnPath
        var response = try answers(to: request).problem(
            kind,
            retryAfter: explanation.retryAfter,
            returnPath: wanted,
            for: request
        )
        try response.set(form?.cookies ?? [])
        return response
    }

    /// The page that sends the kept form of a sign-in; nil if the sign-in has none.
    private func page(
        of pending: PendingSignIn,
        _ request: Request
    ) throws(StoreError) -> (cookies: [SetCookie], path: ReturnPath)? {
        guard let ticket = pending.kept else { return nil }
        return try forms.page(of: ticket, expires: pending.expires, request: request)
    }

    // MARK: - Without a sign-in cookie

    /// Answers a callback without its sign-in cookie: continues if the browser is signed in, else explains the failure.
    ///
    /// The code is not used, so that an attacker cannot sign a visitor in to the attacker's account. A state that this
    /// site did not make is rejected.
    private func finishWithoutCookie(
        _ answer: AuthorizationResponse,
        _ state: CarriedState,
        _ beginning: CarriedState.Beginning?,
        _ request: Request
    ) async throws -> Response {
        guard let beginning else {
            return try explain(Explanation(kind: .stateMissing, reason: "state-missing"), request)
        }
        // The answer that deleted the sign-in cookie may have kept the form of this sign-in.
        let form = forms.cookies(of: request).onlyLabel(expiring: PendingSignIn.expiry(of: beginning.started))
        let wanted = form.map(forms.path) ?? beginning.returnPath
        if let onward = try await goOn(to: wanted, reason: "state-missing", request) { return onward }
        let kind: Problem.Kind
        let reason: String
        if (try? await store.states.isSpent(state.random)) == true {
            (kind, reason) = (.stateUsed, "state-used")
        } else if PendingSignIn.expiry(of: beginning.started) <= now() {
            (kind, reason) = (.stateExpired, "state-expired")
        } else if case .error(let error) = answer.outcome, RequestKind(request) == .navigation {
            // The page of a cancelled sign-in, loaded again: its first response deleted the cookie. `doctor` is no browser,
            // and learns that the web server loses the cookie.
            (kind, reason) = (Problem.Kind(error), "state-missing")
        } else {
            let rejectsCookies = mount.origin.hasPrefix("http:") && request.isFromWebKit
            (kind, reason) = (rejectsCookies ? .unencryptedCookieLost : .stateMissing, "state-missing")
        }
        return try explain(Explanation(kind: kind, reason: reason, returnPath: wanted), request)
    }

    /// Redirects a browser that is already signed in to the return path; nil without a live session, and if the return
    /// path would lead to this callback again.
    private func goOn(to returnPath: ReturnPath?, reason: String, _ request: Request) async throws -> Response? {
        guard let session = try? await session(of: request)?.session, !needsSignIn(session, at: returnPath) else {
            return nil
        }
        log(LogEvent(.info, .signedInAlready, of: request, reason: reason, member: session.identity.member))
        return try answers.redirect(to: returnPath)
    }

    /// Whether a return path leads a member with this session through sign-in again.
    private func needsSignIn(_ session: Session, at returnPath: ReturnPath?) -> Bool {
        let now = now()
        guard gate.isAccepted(CheckedSession(session)), let provider = providers.provider(of: session) else {
            return true
        }
        guard !session.isNew(at: now), returnPath?.path == mount.path("/profile")[...] else { return false }
        return session.authorizationNeed(for: provider.client.options.scopes, at: now) != nil
    }
}
