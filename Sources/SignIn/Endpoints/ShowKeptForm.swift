import EventLog
import HTTP
import Pages
import Sessions
import Settings

extension Site {
    /// `GET /resume`: the page that sends a form that was kept during the sign-in.
    ///
    /// It says where to, has a button, and presses that by itself where scripts are allowed.
    func showKeptForm(_ request: Request) async throws -> Response {
        guard let keptForms, case .one(let label)? = FormData(parsing: request.query)?["form"],
            ResumeForm.isLabel(label)
        else { return try problem(.notFound, for: request) }
        switch resumeCookies(of: request).find(label) {
        case .none: return try problem(.formGone, for: request)
        case .sent: return try problem(.formSent, for: request)
        case .kept(let ticket):
            guard let session = try await session(of: request)?.session else {
                let query = FormData(["return_to": resumePath(label).text]).encoded
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
            return try page(.resume(ResumePage(target: kept.uri, token: ResumeForm(ticket).value)), for: request)
        }
    }

    /// Says that a form has to be filled in again; nothing asks for the kept one from then on.
    func formDamaged(
        _ error: StoreError,
        label: String,
        of subject: String?,
        _ request: Request
    ) throws -> Response {
        log(LogEvent(error, while: "form-damaged", of: request, subject: subject))
        var response = try problem(.formDamaged, for: request)
        try response.headers.append(.setCookie, ResumeCookies.gone(label).headerValue)
        return response
    }
}
