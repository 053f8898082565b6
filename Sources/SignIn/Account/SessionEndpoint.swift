import EventLog
import HTTP
import OpenID
import Pages
import Provider
import Sessions
import Settings

/// `/session`: says who is signed in, and makes sessions from access tokens.
final class SessionEndpoint: SiteFeature {
    let context: SiteContext
    private let gate: Gate
    private let newSessions: NewSessions

    init(_ context: SiteContext, gate: Gate, newSessions: NewSessions) {
        (self.context, self.gate, self.newSessions) = (context, gate, newSessions)
    }

    private var loginURL: String { mount.origin + mount.path("/login") }

    /// Answers `GET /session`: who is signed in, for the site's own scripts.
    func show(_ request: Request) async throws -> Response {
        let session = try await gate.acceptedSession(of: request)
        return try answers.json(.ok, encoding: summary(of: session))
    }

    private func summary(of session: CheckedSession?) -> SessionSummary {
        let trust = session.map { providers.trustEmail(of: $0.identity) }
        return SessionSummary(session, loginURL: loginURL, trustingProvider: trust ?? false)
    }

    /// Answers `POST /session`: makes a session from the access token in the field `Authorization` (RFC 6750 §2.1).
    ///
    /// Only for programs of the same application, such as a mobile app. No browser sends the field for another site without
    /// asking first (CORS), and this site never allows it.
    func open(_ request: Request) async throws -> Response {
        guard let accessToken = request.bearerToken else {
            let reason = "bearer-missing"
            let refusal = TokenRefusal(.unauthorized, code: "token_missing", reason: reason, challenge: .bare)
            return try refuseToken(refusal, request)
        }
        // The provider must not learn a personal token.
        guard !accessToken.hasPrefix(PersonalToken.prefix) else {
            return try refuseToken(TokenRefusal(OpenIDError(.accessTokenMalformed)), request)
        }
        guard let provider = provider(named: FormData(parsing: request.query)?["provider"]) else {
            return try refuseToken(TokenRefusal(.notFound, reason: "provider-unknown"), request)
        }
        do {
            let (ticket, session) = try await provider.calls.run(for: request.client) {
                () async throws -> (Ticket, Session) in
                let session = try await newSessions.session(ofImported: accessToken, at: provider)
                try await countAsSignIn(request)
                let ticket = try await store.sessions.create(session, now: now())
                return (ticket, session)
            }
            await newSessions.endPresentedSession(of: request)
            let fields = [("provider", provider.id.description)] + emailField(of: session.identity) + [("by", "token")]
            log(LogEvent(.info, .signedIn, of: request, member: session.identity.member, fields: fields))
            await newSessions.updateTokenOwner(session.identity, request)
            var response = try answers.json(.ok, encoding: summary(of: CheckedSession(session)))
            try response.set([SessionCookie.setting(ticket, of: session, now: now())])
            return response
        } catch let refusal as TokenRefusal {
            return try refuseToken(refusal, request, at: provider)
        } catch let refusal as ConcurrencyLimit.Refusal {
            return try refuseToken(TokenRefusal(refusal.kind, reason: refusal.rawValue), request, at: provider)
        } catch let error as OpenIDError {
            return try refuseToken(TokenRefusal(error), request, at: provider)
        } catch let error as StoreError {
            let refusal = TokenRefusal(.storeUnavailable, reason: error.reason, detail: error.detail)
            return try refuseToken(refusal, request, at: provider)
        }
    }

    /// The provider that issued a token: that of the settings file, unless the address names another one; nil for an unknown one.
    private func provider(named name: FormData.Lookup?) -> Provider? {
        switch name {
        case .some(.none): providers.first
        case .one(let text): ProviderID(text).flatMap { providers[$0] }
        case .repeated, nil: nil
        }
    }

    /// Counts a session among the sign-ins of its client, so that one token cannot fill the store with sessions.
    ///
    /// It is called after the token was verified: otherwise anyone could use up the sign-ins of everyone.
    private func countAsSignIn(_ request: Request) async throws {
        let now = now()
        let outcome = try await store.states.spend(
            "token \(request.id)",
            from: request.client.number,
            expires: PendingSignIn.expiry(of: now),
            now: now
        )
        if let (kind, reason) = outcome.refusal { throw TokenRefusal(kind, reason: reason) }
    }

    /// Logs and answers a refusal; the provider is nil if the program asked none about the token.
    private func refuseToken(
        _ refusal: TokenRefusal,
        _ request: Request,
        at provider: Provider? = nil
    ) throws -> Response {
        let reason = refusal.reason
        let fields: [LogEvent.Field] = [("provider", provider?.id.description ?? ""), ("detail", refusal.detail)]
        let level = refusal.status.code >= 500 ? LogLevel.error : .warning
        log(LogEvent(level, .tokenRefused, of: request, reason: reason, fields: fields))
        let problem = APIProblem(error: refusal.code, request: answers.number(of: request))
        var response = try answers.json(refusal.status, encoding: problem)
        if let value = refusal.challenge.value(realm: mount.origin, code: refusal.code) {
            try response.headers.append(.wwwAuthenticate, value)
        }
        if let wait = refusal.retryAfter { try response.headers.append(.retryAfter, String(wait)) }
        return response
    }
}

/// Why `POST /session` makes no session, and how its answer says so.
private struct TokenRefusal: Error {
    /// What the field `WWW-Authenticate` says (RFC 6750 §3).
    enum Challenge {
        /// There is no field, because another token would not help.
        case none
        /// The request had no token, so the field names no error.
        case bare
        /// The field names the error of the token.
        case error

        func value(realm: String, code: String) -> String? {
            switch self {
            case .none: nil
            case .bare: #"Bearer realm="\#(realm)""#
            case .error: #"Bearer realm="\#(realm)", error="\#(code)""#
            }
        }
    }

    let status: Status
    /// The error for the program that sent the request.
    let code: String
    /// The reason code in the log.
    let reason: String
    let detail: String
    let challenge: Challenge
    /// Seconds.
    let retryAfter: Int?

    init(_ status: Status, code: String, reason: String, detail: String = "", challenge: Challenge) {
        (self.status, self.code, self.challenge) = (status, code, challenge)
        (self.reason, self.detail) = (reason, detail)
        retryAfter = nil
    }

    /// A refusal for which the token is not the reason.
    init(_ kind: Problem.Kind, reason: String, detail: String = "", retryAfter: Int? = nil) {
        (status, code, challenge) = (kind.status, kind.rawValue, .none)
        (self.reason, self.detail) = (reason, detail)
        self.retryAfter = retryAfter ?? kind.retryAfter
    }

    init(_ error: OpenIDError) {
        let (kind, reason, detail) = (Problem.Kind(error), error.code.rawValue, error.logDetail)
        if kind == .accessEnded {
            self.init(.unauthorized, code: "invalid_token", reason: reason, detail: detail, challenge: .error)
        } else if kind == .scopeRefused || kind == .profileDenied {
            self.init(.forbidden, code: "insufficient_scope", reason: reason, detail: detail, challenge: .error)
        } else {
            self.init(kind, reason: reason, detail: detail, retryAfter: error.throttle?.retryAfter)
        }
    }
}

extension Request {
    /// The token of a field `Authorization` with the scheme `Bearer`, in any case (RFC 9110 §11.1); nil without one.
    fileprivate var bearerToken: String? {
        let parts = headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
