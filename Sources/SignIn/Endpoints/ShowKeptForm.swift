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
        else { return try answers.problem(.notFound, for: request) }
        switch forms.cookies(of: request).find(label) {
        case .none: return try answers.problem(.formGone, for: request)
        case .sent: return try answers.problem(.formSent, for: request)
        case .kept(let ticket):
            guard let session = try await gate.acceptedSession(of: request) else {
                return try answers.redirectToSignIn(returningTo: forms.path(label).text)
            }
            let kept: KeptForm?
            do throws(StoreError) {
                kept = try await keptForms.store.kept(ticket, now: now())
            } catch {
                guard error.code == .damaged else { throw error }
                return try formDamaged(error, label: label, of: session.identity.subject, request)
            }
            guard let kept else { return try answers.problem(.formSent, for: request) }
            let confirmation = KeptFormConfirmation(ticket)
            let shown = KeptFormPage(target: kept.uri, token: confirmation.value, label: label)
            return try answers.page(.resume(shown), for: request)
        }
    }

    /// Answers `POST /resume`: removes a kept form that the member does not want to send, and goes to the home page.
    func discardKeptForm(_ request: Request) async throws -> Response {
        guard mount.isFromThisOrigin(request) else {
            log(LogEvent(.warning, .formRefused, of: request, reason: "cross-site"))
            return try answers.problem(.formRefused, for: request)
        }
        guard let keptForms,
            case .one(let label)? = FormData(parsing: String(decoding: request.body, as: UTF8.self))?["discard"],
            KeptFormConfirmation.isLabel(label)
        else { return try answers.problem(.notFound, for: request) }
        var response = try answers.redirect(to: nil as ReturnPath?)
        guard case .kept(let ticket) = forms.cookies(of: request).find(label) else { return response }
        do throws(StoreError) {
            if let taken = try await keptForms.store.take(ticket, now: now()) {
                await keptForms.store.discard(taken)
                log(LogEvent(.info, .formDiscarded, of: request))
            }
        } catch {
            // The cookie is the only key to the form, which the sweeper removes later.
            log(LogEvent(error, while: .formDiscarded, of: request))
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
        log(LogEvent(error, while: .formDamaged, of: request, subject: subject))
        var response = try answers.problem(.formDamaged, for: request)
        try response.headers.append(.setCookie, KeptFormCookies.gone(label).headerValue)
        return response
    }
}
