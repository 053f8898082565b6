import EventLog
import Guard
import HTTP
import Pages
import Sessions

extension Site {
    /// Decides about a request, only from the rule of its location and the session of its cookie, or its personal token.
    ///
    /// - Throws: `StoreError` if the store cannot read the session.
    func decide(_ request: Request) async throws(StoreError) -> Decision {
        let requirement: Requirement
        switch rules.reading(request.requirement) {
        case .success(let rule): requirement = rule
        case .failure: return .denied(request.requirement.isEmpty ? .ruleMissing : .ruleInvalid, nil)
        }
        if requirement.admitsPreflight, request.isPreflight { return .admitted(nil) }
        if let token = presentedToken(request) { return try await decide(request, by: requirement, with: token) }
        let session = try await acceptedSession(of: request)
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
