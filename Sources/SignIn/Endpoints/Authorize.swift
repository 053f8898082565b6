import EventLog
import Guard
import HTTP
import Sessions

extension Site {
    /// Answers `/auth` for nginx's `auth_request`: always 200 with the member's identity, 401 or 403.
    ///
    /// Accepts any method, because nginx passes the method of the guarded request. nginx discards the answer's body.
    func authorize(_ request: Request) async -> Response {
        do {
            switch try await decide(request) {
            case .admitted(let session):
                // With 401, nginx passes the whole request to `@signin`, where `sendKeptForm` sends the kept form.
                if mayConfirmKeptForm(request), presentedToken(request) == nil { return Response(.unauthorized) }
                return try admission(of: session, as: .response)
            case .signedOut:
                return try challenging(Response(.unauthorized), for: request)
            case .denied(let denial, let session):
                logDenial(denial, of: session, request: request)
                return Response(.forbidden)
            case .tokenRefused(let objection, let id):
                logRefusal(objection, of: id, request: request)
                return try refuse(objection, request)
            }
        } catch let error as StoreError {
            log(LogEvent(error, of: request))
        } catch {
            log(LogEvent(.error, "access-denied", of: request, reason: "internal-error"))
        }
        return Response(.forbidden)
    }

    /// Answers lighttpd's authorizer request (FastCGI 1.0 §6.3): 200 admits, any other answer goes to the client.
    func authorizeDirectly(_ request: Request) async throws -> Response {
        switch try await decide(request) {
        case .admitted(let session):
            return try admission(of: session, as: .environment)
        case .signedOut:
            return try await askToSignIn(request)
        case .denied(let denial, let session):
            logDenial(denial, of: session, request: request)
            return try deny(denial, session, request: request)
        case .tokenRefused(let objection, let id):
            logRefusal(objection, of: id, request: request)
            return try refuse(objection, request)
        }
    }

    private func admission(of session: CheckedSession?, as names: IdentityFields.Names) throws -> Response {
        var response = Response(.ok)
        if let session { try IdentityFields.append(session.identity, as: names, to: &response.headers) }
        return response
    }
}
