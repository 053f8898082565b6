import EventLog
import HTTP
import Pages
import Sessions
import Settings

extension Site {
    /// Answers `GET /resume`: the page that sends a kept form after the sign-in.
    ///
    /// It names the address and has a button, which a script presses if the browser runs scripts.
    func showKeptForm(_ request: Request) async throws -> Response {
        guard let keptForms, case .one(let label)? = FormData(parsing: request.query)?["form"],
            KeptFormConfirmation.isLabel(label)
        else { return try problem(.notFound, for: request) }
        switch keptFormCookies(of: request).find(label) {
        case .none: return try problem(.formGone, for: request)
        case .sent: return try problem(.formSent, for: request)
        case .kept(let ticket):
            guard let session = try await acceptedSession(of: request) else {
                let query = FormData(["return_to": keptFormPath(label).text]).encoded
                return try redirect(to: mount.path("/login") + "?" + query)
            }
            let kept: KeptForm?
            do throws(StoreError) {
                kept = try await keptForms.store.kept(ticket, now: now())
            } catch {
                guard error.code == .damaged else { throw error }
                return try formDamaged(error, label: label, of: session.identity.subject, request)
            }
            guard let kept else { return try problem(.formSent, for: request) }
            let confirmation = KeptFormConfirmation(ticket)
            let shown = KeptFormPage(target: kept.uri, token: confirmation.value, label: label)
            return try page(.resume(shown), for: request)
        }
    }

    /// Answers `POST /resume`: removes a kept form that the member does not want to send, and goes to the home page.
    func discardKeptForm(_ request: Request) async throws -> Response {
        guard isFromThisOrigin(request) else {
            log(LogEvent(.warning, "form-refused", of: request, reason: "cross-site"))
            return try problem(.formRefused, for: request)
        }
        guard let keptForms,
            case .one(let label)? = FormData(parsing: String(decoding: request.body, as: UTF8.self))?["discard"],
            KeptFormConfirmation.isLabel(label)
        else { return try problem(.notFound, for: request) }
        var response = try redirect(to: home.text)
        guard case .kept(let ticket) = keptFormCookies(of: request).find(label) else { return response }
        do throws(StoreError) {
            if let taken = try await keptForms.store.take(ticket, now: now()) {
                await keptForms.store.discard(taken)
                log(LogEvent(.info, "form-discarded", of: request))
            }
        } catch {
            // The cookie is the only key to the form, which the sweeper removes later.
            log(LogEvent(error, while: "form-discarded", of: request))
        }
        try response.headers.append(.setCookie, KeptFormCookies.gone(label).headerValue)
        return response
    }

    /// Tells the member to fill in a damaged form again, and marks the kept form as gone.
    func formDamaged(
        _ error: StoreError,
        label: String,
        of subject: String?,
        _ request: Request
    ) throws -> Response {
        log(LogEvent(error, while: "form-damaged", of: request, subject: subject))
        var response = try problem(.formDamaged, for: request)
        try response.headers.append(.setCookie, KeptFormCookies.gone(label).headerValue)
        return response
    }
}
