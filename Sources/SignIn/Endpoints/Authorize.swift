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

    /// Answers a check as `respond` does, without a task.
    ///
    /// A task and its frames would need seven allocations, and more if it waited.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - later: Takes the answer if a database has to be waited for.
    /// - Returns: The answer, or how it will come.
    package func respondAtOnce(to request: Request, or later: any LaterAnswer) -> ImmediateAnswer {
        guard request.role == .responder else { return authorizeDirectlyAtOnce(request) }
        guard request.serverParameters.action == Action.authorize.rawValue else { return .needsTask }
        do {
            switch try decideAtOnce(request) {
            case .made(let decision): return .now(try authorization(decision, of: request))
            case .waits(let ticket, let rule):
                return WaitingCheck(self, request, rule, later).begin(ticket) ? .later : .needsTask
            case .needsTask: return .needsTask
            }
        } catch {
            return .now(deny(request, because: error))
        }
    }

    fileprivate func authorization(_ decision: Decision, of request: Request) throws -> Response {
        switch decision {
        case .admitted(let session):
            // With 401, nginx passes the whole request to `@signin`, where `sendKeptForm` sends the kept form.
            if mayConfirmKeptForm(request), presentedToken(request) == nil { return Response(.unauthorized) }
            return try admission(of: session, as: .response)
        case .signedOut:
            return try challenging(Response(.unauthorized), for: request)
        case .denied(let denial, let session):
            logDenial(denial, of: session, request: request)
            return Self.rejection(denial.rawValue)
        case .tokenRefused(let objection, let id):
            logRefusal(objection, of: id, request: request)
            return try refuse(objection, request)
        }
    }

    fileprivate func deny(_ request: Request, because error: any Error) -> Response {
        guard let error = error as? StoreError else {
            log(LogEvent(.error, "access-denied", of: request, reason: "internal-error"))
            return Self.rejection("internal-error")
        }
        log(LogEvent(error, of: request))
        return Self.rejection(error.reason)
    }

    /// The 403 for nginx, which passes the reason on to the page about it: when that page is made, the cause may be over.
    private static func rejection(_ reason: String) -> Response {
        var response = Response(.forbidden)
        // Without the reason, the response still denies.
        try? response.headers.append(.xAuthReason, reason)
        return response
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

    private func authorizeDirectlyAtOnce(_ request: Request) -> ImmediateAnswer {
        do {
            guard case .made(let decision) = try decideAtOnce(request) else { return .needsTask }
            return try direct(decision, request).map { .now($0) } ?? .needsTask
        } catch let error as StoreError {
            log(LogEvent(error, of: request))
            return (try? problem(.storeUnavailable, for: request)).map { .now($0) } ?? .needsTask
        } catch {
            return .needsTask
        }
    }

    private func admission(of session: CheckedSession?, as names: IdentityFields.Names) throws -> Response {
        var response = Response(.ok)
        if let session { try IdentityFields.append(session.identity, as: names, to: &response.headers) }
        return response
    }
}

/// A check whose session the store has to wait for.
///
/// A class, so that the closures on the way copy a reference and not the request.
private final class WaitingCheck: Sendable {
    private let site: Site
    private let request: Request
    private let rule: Requirement
    private let later: any LaterAnswer
    private let start = MeasuredReader.now

    init(_ site: Site, _ request: Request, _ rule: Requirement, _ later: any LaterAnswer) {
        (self.site, self.request, self.rule, self.later) = (site, request, rule, later)
    }

    /// Lets the store read the session; returns false if it needs a task for that.
    func begin(_ ticket: Ticket) -> Bool {
        site.reader.store.beginCheck(ticket, now: site.now()) { check in
            self.later.give { self.answer(check) }
        }
    }

    private func answer(_ check: ReadyCheck) -> Response {
        do {
            let session = site.accepted(try measured(check))
            return try site.authorization(site.decide(about: session, by: rule), of: request)
        } catch {
            return site.deny(request, because: error)
        }
    }

    private func measured(_ check: ReadyCheck) throws(StoreError) -> CheckedSession? {
        defer { site.reader.count(since: start) }
        do throws(StoreError) {
            return try check()
        } catch {
            site.reader.count(error)
            throw error
        }
    }
}
