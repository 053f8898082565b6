import EventLog
import Guard
import HTTP
import Pages
import Provider
import Sessions
import Settings

import struct FoundationEssentials.Date

/// Decides about requests for guarded locations, and answers those that need no sign-in.
///
/// Every such request takes the same way. `begin` needs nothing but the request: it has the decision, or names what the
/// store has to read first. `decide` then judges a session by the rule, and `outcome` turns the decision into the answer to
/// the web server's question. None of them waits. Only reading differs: a check reads without a task, or lets the database
/// report the session to any thread; other requests wait in their task.
final class Gate: Sendable {
    /// The first step of a request.
    private enum Beginning {
        case decided(Decision)
        /// The session of this ticket is needed first.
        case session(Ticket, Requirement)
        /// The personal token is needed first; the text is as sent.
        case token(Substring, Requirement)
    }

    /// What to do with a request.
    enum Outcome {
        case answer(Response)
        /// Offer sign-in in the form that the sender can use.
        case askToSignIn
        /// Keep the form of the request, if it has one, and offer sign-in.
        case keepFormAndSignIn
        /// Send the kept form that the request confirms; the session is nil at a location that is open to anyone.
        case sendKeptForm(CheckedSession?)
        /// Lead to the page of the kept form that the request confirms, through sign-in.
        case signInForKeptForm
    }

    let rules: Rules
    private let providers: Providers
    private let sessions: SessionVault
    private let personalTokens: PersonalTokens
    /// Whether only sessions with an access token that can be used or renewed are accepted.
    private let requiresLiveToken: Bool
    private let forms: KeptFormPaths
    private let answers: GateAnswers
    private let log: Log
    private let denials: DenialLog
    /// The names of the identity in responses to nginx, and to an authorizer.
    private let fields: (response: IdentityFields.Names, environment: IdentityFields.Names)
    private let now: @Sendable () -> Date

    init(
        _ context: SiteContext,
        _ configuration: Configuration,
        rules: Rules,
        personalTokens: PersonalTokens,
        forms: KeptFormPaths
    ) {
        (self.rules, self.personalTokens, self.forms) = (rules, personalTokens, forms)
        requiresLiveToken = configuration.requireLiveToken
        let contact = configuration.pages.contact
        answers = GateAnswers(context, forms: forms, guesses: personalTokens.guesses, contact: contact)
        (sessions, log, providers) = (context.store.sessions, context.log, context.providers)
        let claims = configuration.applicationClaims.map(ApplicationClaim.init)
        fields = (.response(claims), .environment(claims))
        denials = DenialLog(rules: rules, fields: fields.response, log: context.log, emailField: context.emailField)
        now = context.now
    }

    // MARK: - The steps

    private func begin(_ request: Request) -> Beginning {
        let rule: Requirement
        switch rules.reading(request.requirement) {
        case .success(let parsed): rule = parsed
        case .failure: return .decided(.denied(request.requirement.isEmpty ? .ruleMissing : .ruleInvalid, nil))
        }
        if rule.admitsPreflight, request.isPreflight { return .decided(.admitted(nil)) }
        if let token = presentedToken(request) { return .token(token, rule) }
        guard let ticket = SessionCookie.ticket(of: request) else { return .decided(decide(about: nil, by: rule)) }
        return .session(ticket, rule)
    }

    private func decide(about session: CheckedSession?, by rule: Requirement) -> Decision {
        guard var session, let provider = provider(accepting: session) else {
            return rule.admitsAnyone ? .admitted(nil) : .signedOut
        }
        limitClaims(of: &session, to: provider)
        // First, because signing in again cannot help a member whom the rule rejects.
        if let rejection = rejection(of: session, at: provider, by: rule) { return rejection }
        return rule.isRecent(session, now: now) ? .admitted(session) : .signedOut
    }

    /// The decision about a member whom the rule rejects, or whose claims cannot be passed to the application; nil for others.
    private func rejection(of session: CheckedSession, at provider: Provider, by rule: Requirement) -> Decision? {
        let identity = session.identity
        let objection = rule.objection(to: identity, trustingProvider: provider.trustsEmail)
        guard let denial = objection ?? IdentityFields.objection(to: identity, as: fields.response) else { return nil }
        // At a location that is open to anyone, the application learns nothing about the member.
        return rule.admitsAnyone ? .admitted(nil) : .denied(denial, session)
    }

    /// Removes claims that the settings no longer name, because an operator may have found that members can change them.
    private func limitClaims(of session: inout CheckedSession, to provider: Provider) {
        guard let claims = session.identity.claims else { return }
        session.identity.claims = claims.limited(to: provider.keptClaims.all, groups: provider.keptClaims.groups)
    }

    /// Whether guarded locations accept a session.
    func isAccepted(_ session: CheckedSession) -> Bool { provider(accepting: session) != nil }

    /// The provider of a session that guarded locations accept: one of a provider in the settings, and with
    /// `SIGNIN_REQUIRE_LIVE_TOKEN`, only one with a token.
    private func provider(accepting session: CheckedSession) -> Provider? {
        guard !requiresLiveToken || session.hasLiveToken(at: now()) else { return nil }
        return providers[session.identity.provider]
    }

    private func outcome(_ decision: Decision, of request: Request, asking question: Purpose.Question) throws -> Outcome
    {
        switch question {
        case .check: .answer(try outcomeOfCheck(decision, request))
        case .authorizer: try outcomeForAuthorizer(decision, request)
        case .signIn: try outcomeAfterUnauthorized(decision, request)
        case .denied: try outcomeAfterForbidden(decision, request)
        }
    }

    private func outcomeOfCheck(_ decision: Decision, _ request: Request) throws -> Response {
        switch decision {
        case .admitted(let session):
            // With 401, nginx passes the whole request to `@signin`, where the kept form is sent.
            if confirmsKeptForm(request) { return Response(.unauthorized) }
            return try admission(of: session, as: fields.response)
        case .signedOut:
            return try answers.challenge(request)
        case .denied(let denial, let session):
            logDenial(denial, session, request)
            return GateAnswers.rejection(denial.rawValue)
        case .tokenRefused(let objection, let id):
            denials.refused(objection, of: id, request)
            return try answers.refuse(objection, request, asking: .check)
        }
    }

    private func outcomeForAuthorizer(_ decision: Decision, _ request: Request) throws -> Outcome {
        switch decision {
        case .admitted(let session):
            return .answer(try admission(of: session, as: fields.environment))
        case .signedOut:
            return .askToSignIn
        case .denied(let denial, let session):
            return .answer(try deny(denial, session, request))
        case .tokenRefused(let objection, let id):
            denials.refused(objection, of: id, request)
            return .answer(try answers.refuse(objection, request, asking: .authorizer))
        }
    }

    /// Of a request that a check answered with 401 a moment ago.
    private func outcomeAfterUnauthorized(_ decision: Decision, _ request: Request) throws -> Outcome {
        guard !confirmsKeptForm(request) else { return try outcomeOfConfirmation(decision, request) }
        switch decision {
        case .tokenRefused(let objection, _):
            return .answer(try answers.refuse(objection, request, asking: .signIn))
        case .admitted(_?) where presentedToken(request) != nil:
            // The check could not look the token up, but now it can: the next attempt gets the page.
            return .answer(try answers.postpone(request))
        case .admitted(_?), .denied(_, _?):
            // Another tab signed in after the check, so the answer of the check is different now.
            return .answer(try answers.goBack(request))
        case .admitted(nil), .denied(_, nil), .signedOut:
            return .keepFormAndSignIn
        }
    }

    private func outcomeOfConfirmation(_ decision: Decision, _ request: Request) throws -> Outcome {
        switch decision {
        case .admitted(let session): return .sendKeptForm(session)
        case .signedOut: return .signInForKeptForm
        case .denied(let denial, let session): return .answer(try deny(denial, session, request))
        case .tokenRefused(let objection, _): return .answer(try answers.refuse(objection, request, asking: .signIn))
        }
    }

    /// Of a request that a check, or nginx itself, answered with 403 a moment ago.
    private func outcomeAfterForbidden(_ decision: Decision, _ request: Request) throws -> Outcome {
        switch decision {
        case .signedOut:
            return .askToSignIn
        case .admitted(let session):
            // Without a reason, nginx itself denied the request, for example because a directory has no index. With one,
            // the check rejected the request, and would admit it now.
            guard request.checkReason.isEmpty else { return .answer(try answers.unavailable(request)) }
            return .answer(try deny(.byServer, session, request))
        case .denied(let denial, let session):
            return .answer(try deny(denial, session, request))
        case .tokenRefused(let objection, _):
            return .answer(try answers.refuse(objection, request, asking: .denied))
        }
    }

    /// The page for a denied request, which is logged unless the check has a reason: then the check has logged the denial.
    private func deny(_ denial: Denial, _ session: CheckedSession?, _ request: Request) throws -> Response {
        if request.checkReason.isEmpty { logDenial(denial, session, request) }
        return try answers.deny(denial, session, request: request)
    }

    private func admission(of session: CheckedSession?, as names: IdentityFields.Names) throws -> Response {
        var response = Response(.ok)
        if let identity = session?.identity {
            let trust = providers.trustEmail(of: identity)
            try IdentityFields.append(identity, as: names, trustingProvider: trust, to: &response.headers)
        }
        return response
    }

    /// The answer to a question that the gate cannot decide, which lets nothing pass.
    private func failure(_ error: any Error, _ request: Request, asking question: Purpose.Question) throws -> Response {
        if let error = error as? StoreError {
            log(LogEvent(error, of: request))
            return try question == .check ? GateAnswers.rejection(error.reason) : answers.unavailable(request)
        }
        guard question == .check else { throw error }
        log(LogEvent(.error, .accessDenied, of: request, reason: "internal-error"))
        return GateAnswers.rejection("internal-error")
    }

    // MARK: - Reading without a task

    /// Answers a question without a task, if that is possible.
    ///
    /// A task and its frames would need seven allocations, and more if it waited.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - question: What the web server asks about it.
    ///   - later: Takes the answer if a database has to be waited for.
    /// - Returns: The answer, or how it will come.
    func answerAtOnce(
        _ request: Request,
        asking question: Purpose.Question,
        or later: any LaterAnswer
    ) -> ImmediateAnswer {
        // The other two lead to pages and sign-ins.
        guard question == .check || question == .authorizer else { return .needsTask }
        do {
            let decision: Decision
            switch begin(request) {
            case .decided(let made): decision = made
            case .token: return .needsTask
            case .session(let ticket, let rule):
                switch try sessions.checkAtOnce(ticket, withTokens: requiresLiveToken, now: now()) {
                case .known(let session): decision = decide(about: session, by: rule)
                case .mustWait:
                    // An authorizer may have to offer sign-in, which needs a task.
                    guard question == .check else { return .needsTask }
                    WaitingCheck(self, request, rule, later).begin(ticket)
                    return .later
                }
            }
            guard case .answer(let response) = try outcome(decision, of: request, asking: question) else {
                return .needsTask
            }
            return .now(response)
        } catch {
            guard let response = try? failure(error, request, asking: question) else { return .needsTask }
            return .now(response)
        }
    }

    /// A check whose session the store has to wait for.
    ///
    /// A class, so that the closures on the way copy a reference and not the request.
    private final class WaitingCheck: Sendable {
        private let gate: Gate
        private let request: Request
        private let rule: Requirement
        private let later: any LaterAnswer

        init(_ gate: Gate, _ request: Request, _ rule: Requirement, _ later: any LaterAnswer) {
            (self.gate, self.request, self.rule, self.later) = (gate, request, rule, later)
        }

        /// Lets the store read the session.
        func begin(_ ticket: Ticket) {
            gate.sessions.beginCheck(ticket, now: gate.now()) { check in
                self.later.give { self.answer(check) }
            }
        }

        private func answer(_ check: ReadyCheck) -> Response {
            do {
                return try gate.outcomeOfCheck(gate.decide(about: try check(), by: rule), request)
            } catch {
                return (try? gate.failure(error, request, asking: .check)) ?? GateAnswers.rejection("internal-error")
            }
        }
    }

    // MARK: - Reading in a task

    /// Finds out what to do with a request.
    ///
    /// - Throws: Only if an answer other than that to a check cannot be created.
    func pass(_ request: Request, asking question: Purpose.Question) async throws -> Outcome {
        // The check failed, and the cause may be over by now.
        if question == .denied, StoreError.isReason(request.checkReason) {
            return .answer(try answers.unavailable(request))
        }
        do {
            return try outcome(try await decide(request), of: request, asking: question)
        } catch {
            return .answer(try failure(error, request, asking: question))
        }
    }

    /// Decides about a request, only from the rule of its location and the session of its cookie, or its personal token.
    ///
    /// - Throws: `StoreError` if the store cannot read the session.
    func decide(_ request: Request) async throws(StoreError) -> Decision {
        switch begin(request) {
        case .decided(let decision):
            return decision
        case .session(let ticket, let rule):
            let session = try await sessions.check(ticket, withTokens: requiresLiveToken, now: now())
            return decide(about: session, by: rule)
        case .token(let token, let rule):
            return try await decide(request, by: rule, with: token)
        }
    }

    /// The session of a request, if guarded locations accept it.
    ///
    /// - Throws: `StoreError` if the store cannot read the session.
    func acceptedSession(of request: Request) async throws(StoreError) -> CheckedSession? {
        guard let ticket = SessionCookie.ticket(of: request),
            let session = try await sessions.check(ticket, withTokens: requiresLiveToken, now: now())
        else { return nil }
        return isAccepted(session) ? session : nil
    }

    /// Denies a request with an action that does not exist.
    func rejectUnknownAction(_ request: Request) throws -> Response {
        logDenial(.actionUnknown, nil, request)
        return try answers.deny(.actionUnknown, nil, request: request)
    }

    // MARK: - Personal tokens

    /// The personal token that a request presents, as sent; nil if it has none or the site accepts none.
    ///
    /// A request without the field costs a comparison. The FastCGI server copies the field only if it begins like one with a
    /// personal token.
    private func presentedToken(_ request: Request) -> Substring? {
        guard personalTokens.maximumLife != nil else { return nil }
        return request.headers[.authorization].flatMap { PersonalTokenField.token(in: $0) }
    }

    /// Decides about a request with a personal token, by the rule of its location and the locations of the token.
    ///
    /// The token replaces a session: a cookie of the same request does not matter.
    private func decide(
        _ request: Request,
        by rule: Requirement,
        with text: Substring
    ) async throws(StoreError) -> Decision {
        let found: FoundToken
        switch try await personalTokens.find(text, for: request.client, now: now()) {
        case .refused(let objection, let id): return .tokenRefused(objection, id)
        case .found(let token): found = token
        }
        guard let provider = providers[found.owner.provider] else { return .tokenRefused(.unknown, found.id) }
        if found.isNoted {
            let fields = request.guardedPlace + [("token", found.id.description)]
            log(LogEvent(.info, .personalTokenUsed, of: request, member: found.owner.member, fields: fields))
        }
        guard found.grant.isGood(at: request.uri) else { return .tokenRefused(.location, found.id) }
        // A token is no sign-in, so no rule can take it for a recent one.
        let owner = Session(identity: found.owner, created: .distantPast, expires: found.grant.expires)
        var session = CheckedSession(owner)
        limitClaims(of: &session, to: provider)
        if let rejection = rejection(of: session, at: provider, by: rule) { return rejection }
        return rule.admitsAnyone || rule.maximumAge == nil ? .admitted(session) : .tokenRefused(.age, found.id)
    }

    /// Whether a request may confirm a kept form; one with a personal token never does.
    private func confirmsKeptForm(_ request: Request) -> Bool {
        request.method == .post && forms.mayBeConfirmed(by: request) && presentedToken(request) == nil
    }

    private func logDenial(_ denial: Denial, _ session: CheckedSession?, _ request: Request) {
        let token = presentedToken(request).flatMap { PersonalToken($0) }.map { PersonalTokenSeal($0).id }
        denials.denied(denial, session?.identity, token, request)
    }
}
