import EventLog
import HTTP
import OpenID
import Pages
import Sessions
import Settings

extension Site {
    /// Answers `POST /session`: makes a session from the access token in the field `Authorization` (RFC 6750 §2.1).
    ///
    /// Only for programs of the same application, such as a mobile app. No browser sends the field for another site without
    /// asking first (CORS), and this site never allows it.
    func openSession(_ request: Request) async throws -> Response {
        guard isFromThisSite(request) else {
            return try refuseToken(.forbidden, reason: "cross-site", code: APIProblem.code(.crossSite), request)
        }
        guard let accessToken = request.bearerToken else {
            let reason = "bearer-missing"
            return try refuseToken(.unauthorized, reason: reason, code: "token_missing", challenge: "", request)
        }
        do {
            let (ticket, session) = try await providerCalls.run(for: request.client) {
                try await importSession(accessToken: accessToken)
            }
            await endPresentedSession(of: request)
            let subject = session.identity.subject
            log(LogEvent(.info, "signed-in", of: request, subject: subject, fields: [("by", "token")]))
            let summary = SessionSummary(session, loginURL: mount.origin + mount.path("/login"))
            var response = try json(.ok, encoding: summary)
            try response.headers.append(.setCookie, sessionCookie(ticket, of: session).headerValue)
            return response
        } catch let refusal as ProviderCalls.Refusal {
            return try refuseToken(refusal.kind, reason: refusal.reason, request)
        } catch let error as OpenIDError {
            return try refuseToken(error, request)
        } catch let error as StoreError {
            return try refuseToken(.storeUnavailable, reason: error.reason, detail: error.detail, request)
        }
    }

    private func refuseToken(_ error: OpenIDError, _ request: Request) throws -> Response {
        let (reason, detail) = (error.code.rawValue, error.logDetail)
        switch error.code {
        case .accessTokenMalformed, .accessTokenInactive, .accessTokenExpired, .accessTokenRevoked, .accessTokenForeign,
            .accessTokenMemberless, .accessTokenRefused:
            let (code, status) = ("invalid_token", Status.unauthorized)
            return try refuseToken(status, reason: reason, detail: detail, code: code, challenge: code, request)
        case .accessTokenScopes, .accessDenied:
            let (code, status) = ("insufficient_scope", Status.forbidden)
            return try refuseToken(status, reason: reason, detail: detail, code: code, challenge: code, request)
        default:
            let wait = error.throttle?.retryAfter
            return try refuseToken(Problem.Kind(error), reason: reason, detail: detail, retryAfter: wait, request)
        }
    }

    private func refuseToken(
        _ kind: Problem.Kind,
        reason: String,
        detail: String = "",
        retryAfter: Int? = nil,
        _ request: Request
    ) throws -> Response {
        let code = APIProblem.code(kind)
        var response = try refuseToken(kind.status, reason: reason, detail: detail, code: code, request)
        if let wait = retryAfter ?? kind.retryAfter { try response.headers.append(.retryAfter, String(wait)) }
        return response
    }

    /// Logs and answers a refusal, with the challenge of RFC 6750 §3: nil for none, empty for one without an error.
    private func refuseToken(
        _ status: Status,
        reason: String,
        detail: String = "",
        code: String,
        challenge: String? = nil,
        _ request: Request
    ) throws -> Response {
        let level = status.code >= 500 ? LogLevel.error : .warning
        log(LogEvent(level, "token-refused", of: request, reason: reason, fields: [("detail", detail)]))
        var response = try json(status, encoding: APIProblem(error: code, request: request.id))
        guard let challenge else { return response }
        let error = challenge.isEmpty ? "" : #", error="\#(challenge)""#
        try response.headers.append(.wwwAuthenticate, #"Bearer realm="\#(mount.origin)"\#(error)"#)
        return response
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
