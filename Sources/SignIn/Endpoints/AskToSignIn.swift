import Guard
import HTTP
import OpenID
import Pages
import Sessions
import Settings

extension Site {
    /// Answers nginx's `error_page 401 = @signin`, which passes the guarded request unchanged.
    func signInHere(_ request: Request) async throws -> Response {
        if mayConfirmKeptForm(request), presentedToken(request) == nil { return try await sendKeptForm(request) }
        switch try await decide(request) {
        case .tokenRefused(let objection, _): return try refuse(objection, request)
        // The check could not look the token up, but now it can: the next attempt gets the page.
        case .admitted(_?) where presentedToken(request) != nil: return try postpone(request)
        case .admitted(_?), .denied(_, _?): return try goBack(request)
        case .admitted(nil), .denied(_, nil), .signedOut: break
        }
        switch await keepForm(request) {
        case .kept(let ticket): return try await beginSignIn(request, returningTo: ownPath(of: request), kept: ticket)
        case .tooMany: return try problem(.tooManyForms, for: request)
        case .notKept: return try await askToSignIn(request)
        }
    }

    /// Answers a request without a session in the form that its sender can use.
    ///
    /// Only a navigation starts a sign-in; requests in the background must not replace a sign-in that a person started.
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

    /// The 401 for a script, with the address where a person can sign in.
    func signInNeeded(_ request: Request) throws -> Response {
        let loginURL = mount.origin + mount.path("/login")
        return try challenging(
            json(.unauthorized, encoding: APIProblem(error: "unauthorized", loginURL: loginURL)),
            for: request
        )
    }

    /// Redirects to the same address: another tab signed in after the check, so the answer of the check is different now.
    private func goBack(_ request: Request) throws -> Response {
        guard request.method == .get || request.method == .head, RequestKind(request) == .navigation else {
            return try problem(request.method == .post ? .formNotKept : .signInNeeded, for: request)
        }
        return try redirect(to: location(of: ownPath(of: request)))
    }

    /// The address of a request, byte for byte; nil if it is not a valid return path.
    func ownPath(of request: Request) -> ReturnPath? {
        ReturnPath(request.uri)
    }
}
