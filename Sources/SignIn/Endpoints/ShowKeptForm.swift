import HTTP
import Sessions

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
            guard try await session(of: request) != nil else {
                let query = FormData(["return_to": resumePath(label).text]).encoded
                return try redirect(to: mount.path("/login") + "?" + query)
            }
            guard let kept = try await keptForms.store.kept(ticket, now: now()) else {
                return try problem(.formSent, for: request)
            }
            return try page(.resume(ResumePage(target: kept.uri, token: ResumeForm(ticket).value)), for: request)
        }
    }
}
