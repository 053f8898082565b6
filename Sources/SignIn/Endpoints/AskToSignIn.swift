import HTTP
import OpenID
import Pages
import Sessions
import Settings

extension Site {
    /// nginx's `error_page 401 = @signin`: the guarded request itself, as the client sent it.
    func signInHere(_ request: Request) async throws -> Response {
        if mayResumeForm(request) { return try await resumeForm(request) }
        guard try await session(of: request) == nil else { return try goBack(request) }
        switch await keepForm(request) {
        case .kept(let ticket): return try await beginSignIn(request, returningTo: ownPath(of: request), kept: ticket)
        case .tooMany: return try problem(.tooManyForms, for: request)
        case .notKept: return try await askToSignIn(request)
        }
    }

    /// The answer to a request without a session that is of use to whoever sent it.
    ///
    /// Only a navigation begins a sign-in; what nobody looks at must not push aside one that somebody began.
    func askToSignIn(_ request: Request) async throws -> Response {
        switch RequestKind(request) {
        case .navigation where request.method == .get || request.method == .head:
            guard let path = ownPath(of: request) else {
                return try await signInWithoutReturn(to: request.uri, request)
            }
            return try await beginSignIn(request, returningTo: path)
        case .navigation:
            return try problem(request.method == .post ? .formNotKept : .signInNeeded, for: request)
        case .script:
            return try signInNeeded(request)
        case .resource:
            return try challenging(bare(.unauthorized), for: request)
        }
    }

    /// What a script is told: where a person can sign in.
    func signInNeeded(_ request: Request) throws -> Response {
        let loginURL = mount.origin + mount.path("/login")
        return try challenging(
            json(.unauthorized, encoding: APIProblem(error: "unauthorized", loginURL: loginURL)),
            for: request
        )
    }

    /// A session that came to be while the web server was asking: the same request now passes.
    private func goBack(_ request: Request) throws -> Response {
        guard request.method == .get || request.method == .head, RequestKind(request) == .navigation else {
            return try problem(request.method == .post ? .formNotKept : .signInNeeded, for: request)
        }
        return try redirect(to: location(of: ownPath(of: request)))
    }

    /// The address that a request asked for, to the byte; nil if nobody can be sent there.
    func ownPath(of request: Request) -> ReturnPath? {
        ReturnPath(request.uri)
    }

    /// Where a sign-in leads: its return path, or home.
    func location(of returnPath: ReturnPath?) -> String {
        returnPath?.text ?? home.text
    }
}
