import EventLog
import Guard
package import HTTP
import Pages
import Sessions

extension Site {
    /// Answers `/auth` for nginx's `auth_request`: always 200 with the member's identity, 401 or 403.
    ///
    /// Accepts any method, because nginx passes the method of the guarded request. nginx discards the answer's body.
    func authorize(_ request: Request) async -> Response {
        do {
            return try authorization(try await decide(request), of: request)
        } catch {
            return deny(request, because: error)
        }
    }

    /// Answers a check as `respond` does, if nothing has to be waited for; otherwise nil.
    ///
    /// A task and its frames would need seven allocations.
    package func respondAtOnce(to request: Request) -> Response? {
        guard request.role == .responder else { return authorizeDirectlyAtOnce(request) }
        guard request.serverParameters.action == Action.authorize.rawValue else { return nil }
        do {
            return try decideAtOnce(request).map { try authorization($0, of: request) }
        } catch {
            return deny(request, because: error)
        }
    }

    private func authorization(_ decision: Decision, of request: Request) throws -> Response {
        switch decision {
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
    }

    private func deny(_ request: Request, because error: any Error) -> Response {
        if let error = error as? StoreError {
            log(LogEvent(error, of: request))
        } else {
            log(LogEvent(.error, "access-denied", of: request, reason: "internal-error"))
        }
        return Response(.forbidden)
    }

    /// Answers lighttpd's authorizer request (FastCGI 1.0 §6.3): 200 admits, any other answer goes to the client.
    func authorizeDirectly(_ request: Request) async throws -> Response {
        if let response = try direct(await decide(request), request) { return response }
        return try await askToSignIn(request)
    }

    /// Nil for a request that leads to sign-in, because its form may have to be stored first.
    private func direct(_ decision: Decision, _ request: Request) throws -> Response? {
        switch decision {
        case .admitted(let session):
            return try admission(of: session, as: .environment)
        case .signedOut:
            return nil
        case .denied(let denial, let session):
            logDenial(denial, of: session, request: request)
            return try deny(denial, session, request: request)
        case .tokenRefused(let objection, let id):
            logRefusal(objection, of: id, request: request)
            return try refuse(objection, request)
        }
    }

    private func authorizeDirectlyAtOnce(_ request: Request) -> Response? {
        do {
            return try decideAtOnce(request).flatMap { try direct($0, request) }
        } catch let error as StoreError {
            log(LogEvent(error, of: request))
            return try? problem(.storeUnavailable, for: request)
        } catch {
            return nil
        }
    }

    private func admission(of session: CheckedSession?, as names: IdentityFields.Names) throws -> Response {
        var response = Response(.ok)
        if let session { try IdentityFields.append(session.identity, as: names, to: &response.headers) }
        return response
    }
}
