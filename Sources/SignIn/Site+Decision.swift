import EventLog
import Guard
import HTTP
import Pages
import Sessions

/// What a decision needs besides the request.
private enum Basis {
    /// Nothing: this is the decision.
    case nothing(Decision)
    case session(Requirement)
    /// The personal token, as sent.
    case token(Substring, Requirement)
}

extension Site {
    /// Decides about a request, only from the rule of its location and the session of its cookie, or its personal token.
    ///
    /// - Throws: `StoreError` if the store cannot read the session.
    func decide(_ request: Request) async throws(StoreError) -> Decision {
        switch basis(of: request) {
        case .nothing(let decision): return decision
        case .token(let token, let rule): return try await decide(request, by: rule, with: token)
        case .session(let rule): return decide(about: try await acceptedSession(of: request), by: rule)
        }
    }

    /// Decides as `decide` does, if the store need not wait for anything; otherwise nil.
    ///
    /// - Throws: `StoreError` if the store cannot read the session.
    func decideAtOnce(_ request: Request) throws(StoreError) -> Decision? {
        switch basis(of: request) {
        case .nothing(let decision): return decision
        case .token: return nil
        case .session(let rule):
            guard case .known(let session) = try acceptedSessionAtOnce(of: request) else { return nil }
            return decide(about: session, by: rule)
        }
    }

    private func basis(of request: Request) -> Basis {
        let requirement: Requirement
        switch rules.reading(request.requirement) {
        case .success(let rule): requirement = rule
        case .failure: return .nothing(.denied(request.requirement.isEmpty ? .ruleMissing : .ruleInvalid, nil))
        }
        if requirement.admitsPreflight, request.isPreflight { return .nothing(.admitted(nil)) }
        return presentedToken(request).map { .token($0, requirement) } ?? .session(requirement)
    }

    private func decide(about session: CheckedSession?, by requirement: Requirement) -> Decision {
        guard !requirement.admitsAnyone else { return .admitted(session) }
        guard let session else { return .signedOut }
        // First, because signing in again cannot help a member whom the rule rejects.
        if let objection = requirement.objection(to: session.identity) { return .denied(objection, session) }
        return requirement.isRecent(session, now: now) ? .admitted(session) : .signedOut
    }

    /// Logs a denied request: a rule rejects the member, or the configuration is wrong.
    func logDenial(_ denial: Denial, of session: CheckedSession?, request: Request) {
        var detail = ""
        if case .failure(let invalid) = rules.reading(request.requirement), denial == .ruleInvalid {
            detail = "SIGNIN_REQUIRE: \(invalid)"
        }
        let level = denial.isMisconfiguration ? LogLevel.error : .warning
        let (reason, subject) = (denial.rawValue, session?.identity.subject)
        let token = presentedToken(request).flatMap { PersonalToken($0) }.map { PersonalTokenSeal($0).id.description }
        let fields =
            emailField(of: session?.identity) + request.guardedPlace + [("detail", detail), ("token", token ?? "")]
        log(LogEvent(level, "access-denied", of: request, reason: reason, subject: subject, fields: fields))
    }
}

extension Request {
    /// The requested path, without the query, and its rule, for the log.
    var guardedPlace: [LogEvent.Field] {
        [("location", String(uri.prefix { $0 != "?" })), ("rule", requirement)]
    }
}
