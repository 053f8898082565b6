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

/// A decision that is made without a task, if that is possible.
enum ImmediateDecision {
    case made(Decision)
    /// The store has to read the session of this ticket first.
    case waits(Ticket, Requirement)
    case needsTask
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

    /// Decides as `decide` does, if the store need not wait for anything.
    ///
    /// - Throws: `StoreError` if the store cannot read the session.
    func decideAtOnce(_ request: Request) throws(StoreError) -> ImmediateDecision {
        switch basis(of: request) {
        case .nothing(let decision): return .made(decision)
        case .token: return .needsTask
        case .session(let rule):
            guard let ticket = ticket(of: request) else { return .made(decide(about: nil, by: rule)) }
            switch try reader.checkAtOnce(ticket, withTokens: requiresLiveToken, now: now()) {
            case .known(let session): return .made(decide(about: accepted(session), by: rule))
            case .mustWait: return .waits(ticket, rule)
            }
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

    func decide(about session: CheckedSession?, by requirement: Requirement) -> Decision {
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
