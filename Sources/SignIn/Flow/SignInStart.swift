import EventLog
import Guard
import HTTP
import OpenID
import Pages
import Provider
import Sessions
import Settings

/// Starts sign-ins: sends the browser to the provider, with a sign-in cookie.
final class SignInStart: SiteFeature {
    let context: SiteContext
    private let gate: Gate
    private let forms: KeptFormPaths

    init(_ context: SiteContext, gate: Gate, forms: KeptFormPaths) {
        (self.context, self.gate, self.forms) = (context, gate, forms)
    }

    /// Answers `GET /login`: sends the browser to a provider, or shows the page where the visitor chooses one.
    ///
    /// As at a guarded location, a picture, a frame, a prefetch or a script of a page starts no sign-in.
    /// `provider` names a provider of this site, and `return_to` a page of it; other parameters have no effect (RFC 9700
    /// §2.1).
    func start(_ request: Request) async throws -> Response {
        // Each response sets a cookie. A page with many pictures or frames could otherwise set more than a web server accepts.
        guard request.canSignIn else { return try answers.signInNeeded(request) }
        guard let form = FormData(parsing: request.query) else { return try await startWithoutReturn(to: "", request) }
        var provider: Provider?
        switch form["provider"] {
        case .none: break
        case .one(let text):
            provider = ProviderID(text).flatMap { providers[$0] }
            if provider == nil { return try answers.problem(.notFound, for: request) }
        case .repeated: return try answers.problem(.notFound, for: request)
        }
        if let chosen = provider, try await wouldSwitch(request, to: chosen) { provider = nil }
        switch form["return_to"] {
        case .one(let text) where !text.isEmpty:
            if let path = ReturnPath(text), path.isDestination(mount: mount) {
                return try await begin(request, at: provider, returningTo: path)
            }
            return try await startWithoutReturn(to: text, request, at: provider)
        case .repeated:
            return try await startWithoutReturn(to: "", request, at: provider)
        case .one, .none:
            return try await begin(request, at: provider, returningTo: nil)
        }
    }

    /// Whether a page of another site leads a member of one provider to another one, whose account the member would then use
    /// unnoticed; the visitor has to choose instead.
    private func wouldSwitch(_ request: Request, to chosen: Provider) async throws(StoreError) -> Bool {
        guard providers.areSeveral, !mount.isFromSameSite(request) else { return false }
        return try await gate.acceptedSession(of: request).map { $0.identity.provider != chosen.id } ?? false
    }

    /// Logs that an address is not a valid return path, and starts a sign-in that leads to the home page.
    ///
    /// An address that is only too long may come from a person, so a page explains this first.
    func startWithoutReturn(
        to address: String,
        _ request: Request,
        at provider: Provider? = nil
    ) async throws -> Response {
        let isTooLong = address.utf8.count > ReturnPath.maximumLength
        let reason = isTooLong ? "too-long" : "invalid"
        let fields: [LogEvent.Field] = [("bytes", String(address.utf8.count))]
        log(LogEvent(.warning, .returnPathRefused, of: request, reason: reason, fields: fields))
        guard !isTooLong else { return try answers.problem(.addressTooLong, for: request) }
        return try await begin(request, at: provider, returningTo: nil)
    }

    /// Sends the browser to the provider and sets the sign-in cookie; the visitor first chooses one of several providers.
    ///
    /// The server stores nothing, so many requests cannot fill the disk. HEAD does not set the cookie.
    /// `chosen` is the provider that the visitor wants. `kept` opens the kept form of this sign-in; the cookie carries it.
    func begin(
        _ request: Request,
        at chosen: Provider? = nil,
        returningTo returnPath: ReturnPath?,
        kept: Ticket? = nil
    ) async throws -> Response {
        guard let provider = chosen ?? (providers.areSeveral ? nil : providers.first) else {
            return try offerChoice(request, returningTo: returnPath, kept: kept)
        }
        let answers = answers.naming(provider.id)
        let (client, options) = (provider.client, provider.client.options)
        if let missing = provider.undiscovered {
            let detail: [LogEvent.Field] = [("provider", provider.id.description), ("detail", missing.detail)]
            log(LogEvent(.error, .signInFailed, of: request, reason: missing.code.rawValue, fields: detail))
            return try answers.problem(Problem.Kind(missing), returnPath: returnPath, for: request)
        }
        guard request.method != .head else { return try answers.redirect(to: options.authorizationEndpoint) }
        if RecentSignIns(request.cookies, sealer: sealer, now: now()).areTooMany,
            let (kind, reason) = try await failure(ofSignInsBefore: request)
        {
            return try breakLoop(request, on: returnPath, kind, reason: reason)
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
            issuer: provider.issuer,
            returnPath: state.holdsReturnPath ? nil : returnPath,
            started: started,
            kept: kept,
            scopes: options.scopes,
            added: provider.id == providers.first.id ? nil : .init(id: provider.id, redirectURI: client.redirectURI)
        )
        await logRepeatedSignIn(request, at: provider)
        let sent = AuthorizationRequest(state: state.text, nonce: attempt.nonce, codeVerifier: attempt.codeVerifier)
        var response = try answers.redirect(to: client.authorizationURL(for: sent))
        try response.set(PendingSignIns(request.cookies, sealer: sealer).cookies(adding: pending, sealer: sealer))
        return response
    }

    /// Shows the page where the visitor chooses a provider, at `/login`, where it can be reloaded.
    ///
    /// A kept form gets its own cookie already, as after a sign-in, and the sign-in leads to its page.
    private func offerChoice(
        _ request: Request,
        returningTo returnPath: ReturnPath?,
        kept: Ticket?
    ) throws -> Response {
        guard request.purpose != .route || SitePath(request.path, mount: mount) != .login else {
            let choice = ProviderChoice(
                returnPath: returnPath?.text,
                last: LastProvider.id(request.cookies),
                keepsForm: forms.isPage(returnPath, of: request)
            )
            return try answers.page(.choice(choice), for: request)
        }
        let expires = PendingSignIn.expiry(of: now())
        let form = try kept.map { try forms.page(of: $0, expires: expires, request: request) }
        guard let wanted = form?.path ?? returnPath else { return try answers.redirect(to: mount.path("/login")) }
        var response = try answers.redirectToSignIn(returningTo: wanted.text)
        try response.set(form?.cookies ?? [])
        return response
    }

    /// Logs why a member who has a session signs in again.
    private func logRepeatedSignIn(_ request: Request, at provider: Provider) async {
        guard let session = try? await session(of: request)?.session, session.identity.provider == provider.id,
            let need = session.authorizationNeed(for: provider.client.options.scopes, at: now())
        else { return }
        let member = session.identity.member
        log(LogEvent(.info, .signInRepeated, of: request, reason: need.rawValue, member: member))
    }

    /// Why the sign-ins that this browser completed a moment ago did not help; nil if they did.
    private func failure(
        ofSignInsBefore request: Request
    ) async throws -> (kind: Problem.Kind, reason: String)? {
        guard try await session(of: request) != nil else {
            return SessionCookie.isMissing(in: request)
                ? (kind: .sessionCookieLost, reason: "session-cookie-missing")
                : (kind: .sessionUnknown, reason: "session-unknown")
        }
        // On the way to a guarded location, a session is not enough if it is too old for the rule.
        guard case .signedOut = try await gate.decide(request) else { return nil }
        return (kind: .sessionTooOld, reason: "session-too-old")
    }

    /// Answers with a page that explains the loop, and resets the count so that the visitor can try again.
    private func breakLoop(
        _ request: Request,
        on returnPath: ReturnPath?,
        _ kind: Problem.Kind,
        reason: String
    ) throws -> Response {
        log(LogEvent(.error, .signInLoop, of: request, reason: reason))
        var response = try answers.problem(kind, returnPath: returnPath, for: request)
        try response.set([.deleting(RecentSignIns.cookieName)])
        return response
    }
}
