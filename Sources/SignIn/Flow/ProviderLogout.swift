import EventLog
import HTTP
import OpenID
import Pages
import Provider
import Sessions

/// Ends sessions that ended at the provider (OpenID Connect Back-Channel Logout 1.0).
struct ProviderLogout: SiteFeature {
    let context: SiteContext

    /// Answers the logout token that a provider sends to its redirect address.
    ///
    /// Only the token proves who sent it. The token is marked as used after the sessions have ended: after a fault, the
    /// provider can send it again.
    func receive(_ request: Request, from provider: Provider) async throws -> Response {
        do {
            if let missing = provider.undiscovered { throw missing }
            // A token that no known key verifies waits for the keys.
            let token = try await provider.logouts.run(for: request.client) {
                try await provider.client.verify(logoutToken: try logoutToken(in: request))
            }
            let mark = "logout \(provider.id) \(token.id)"
            guard try await !store.states.isSpent(mark) else {
                return try refuse(request, from: provider, reason: "logout-token-used")
            }
            let member = token.subject.map { Member(provider: provider.id, subject: $0, issuer: token.issuer) }
            let notice = LogoutNotice(provider: provider.id, member: member, session: token.session)
            let count = try await store.sessions.remove(.signedOut(notice))
            let fields = [("provider", provider.id.description), ("sessions", String(count))] as [LogEvent.Field]
            log(LogEvent(.info, .signedOutByProvider, of: request, member: member, fields: fields))
            // If there is no room for the mark, the sessions have ended nevertheless.
            _ = try await store.states.spend(mark, from: request.client.number, expires: token.ends, now: now())
            return try answers.bare(.ok)
        } catch let error as OpenIDError {
            let isFault = [.discoveryUnavailable, .keysUnavailable, .busy].contains(error.code)
            let (reason, fault) = (error.code.rawValue, isFault ? Problem.Kind(error) : nil)
            return try refuse(request, from: provider, reason: reason, detail: error.logDetail, fault: fault)
        } catch let refusal as ConcurrencyLimit.Refusal {
            return try refuse(request, from: provider, reason: refusal.rawValue, fault: .providerBusy)
        } catch let error as StoreError {
            let (reason, detail) = (error.reason, error.detail)
            return try refuse(request, from: provider, .error, reason: reason, detail: detail, fault: .storeUnavailable)
        }
    }

    /// The only logout token of a form; the provider may send other fields (§2.5).
    private func logoutToken(in request: Request) throws(OpenIDError) -> String {
        guard request.mediaType == "application/x-www-form-urlencoded",
            case .one(let token)? = FormData(body: request.body)?["logout_token"]
        else { throw OpenIDError(.logoutTokenMalformed, detail: "the body is not a form with one logout_token") }
        return token
    }

    /// Logs and answers a refusal, which names a fault if the provider should send the token again (§2.5).
    private func refuse(
        _ request: Request,
        from provider: Provider,
        _ level: LogLevel = .warning,
        reason: String,
        detail: String = "",
        fault: Problem.Kind? = nil
    ) throws -> Response {
        let fields: [LogEvent.Field] = [("provider", provider.id.description), ("detail", detail)]
        log(LogEvent(level, .logoutTokenRefused, of: request, reason: reason, fields: fields))
        let (error, number) = (fault?.rawValue ?? "invalid_request", answers.number(of: request))
        var response = try answers.json(
            fault?.status ?? .badRequest,
            encoding: APIProblem(error: error, description: reason, request: number)
        )
        if let wait = fault?.retryAfter { try response.headers.append(.retryAfter, String(wait)) }
        return response
    }
}
