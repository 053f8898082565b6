import HTTP
import Pages
import Sessions
import Settings

extension Site {
    /// `GET /logout`: ends nothing.
    ///
    /// It shows a member the button that signs out, and anyone else that the session here has ended while the one at the
    /// provider has not.
    func showSignOut(_ request: Request) async throws -> Response {
        if let session = try await session(of: request)?.session {
            return try page(.home(HomePage(session, source: profileSource)), for: request)
        }
        let wanted = FormData(parsing: request.query).flatMap(destination)
        return try page(.signedOut(returnPath: wanted?.text), for: request)
    }

    /// The return path in a form's `return_to`; nil without a valid one.
    func destination(in form: FormData) -> ReturnPath? {
        guard case .one(let text) = form["return_to"], let path = ReturnPath(text), path.isDestination(mount: mount)
        else { return nil }
        return path
    }
}
