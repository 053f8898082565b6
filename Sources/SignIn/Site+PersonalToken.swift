import EventLog
import Guard
import HTTP
import Sessions
import Settings

import struct FoundationEssentials.Date

extension Site {
    /// The personal token that a request presents, as sent; nil if it has none or the site accepts none.
    ///
    /// A request without the field costs a comparison.
    func presentedToken(_ request: Request) -> Substring? {
        personalTokens?.maximumLife == nil ? nil : request.personalToken
    }

    /// Decides about a request with a personal token, by the rule of its location and the locations of the token.
    ///
    /// The token replaces a session: a cookie of the same request does not matter.
    ///
    /// - Throws: `StoreError` if the store cannot be asked about the token.
    func decide(
        _ request: Request,
        by requirement: Requirement,
        with text: Substring
    ) async throws(StoreError) -> Decision {
        guard let personalTokens else { return .signedOut }
        guard let token = PersonalToken(text) else { return .tokenRefused(.malformed, nil) }
        let (id, now) = (PersonalTokenSeal(token).id, now())
        if let objection = personalTokens.guesses.objection(to: id, for: request.client, now: now) {
            return .tokenRefused(objection, id)
        }
        guard let found = try await personalTokens.store.find(token, now: now) else {
            personalTokens.guesses.reject(id, for: request.client, now: now)
            return .tokenRefused(.unknown, id)
        }
        personalTokens.guesses.accept(id)
        if found.isNoted {
            let subject = found.owner.subject
            let fields = request.guardedPlace + [("token", id.description)]
            log(LogEvent(.info, "personal-token-used", of: request, subject: subject, fields: fields))
        }
        guard found.grant.isGood(at: request.uri) else { return .tokenRefused(.location, id) }
        // A token is no sign-in, so no rule can take it for a recent one.
        let member = Session(identity: found.owner, created: .distantPast, expires: found.grant.expires)
        let session = CheckedSession(member)
        guard !requirement.admitsAnyone else { return .admitted(session) }
        if let objection = requirement.objection(to: found.owner) { return .denied(objection, session) }
        return requirement.maximumAge == nil ? .admitted(session) : .tokenRefused(.age, id)
    }

    /// Logs that a guarded location did not accept a personal token.
    func logRefusal(_ objection: TokenObjection, of id: PersonalTokenID?, request: Request) {
        let fields = request.guardedPlace + [("token", id?.description ?? "")]
        log(LogEvent(.warning, "personal-token-refused", of: request, reason: objection.rawValue, fields: fields))
    }

    /// The answer about a personal token that is not accepted (RFC 6750 §3.1).
    ///
    /// It never leads to sign-in.
    func refuse(_ objection: TokenObjection, _ request: Request) throws -> Response {
        let isCheck = request.serverParameters.action == Action.authorize.rawValue && request.role == .responder
        guard let error = objection.error else { return try isCheck ? bare(.unauthorized) : postpone(request) }
        let status: Status = error == .invalidToken ? .unauthorized : .forbidden
        var response = try json(status, encoding: APIProblem(error: error.rawValue, request: request.id))
        // nginx adds the field of the answer to `auth_request` itself to a 401, but not to a 403.
        let isAfterCheck = request.serverParameters.action == Action.signIn.rawValue
        if status != .unauthorized || !isAfterCheck {
            let value = #"Bearer realm="\#(mount.origin)", error="\#(error.rawValue)""#
            try response.headers.append(.wwwAuthenticate, value)
        }
        return response
    }

    /// The answer about a personal token that was not looked up, and may be good at the next attempt.
    ///
    /// nginx shows it in place of the 401 of the check, which has no other status for this.
    func postpone(_ request: Request) throws -> Response {
        let problem = APIProblem(
            error: "too_many_unknown_tokens",
            description:
                "This address sent many unknown tokens, so the token was not checked. Repeat the request later.",
            request: request.id
        )
        var response = try json(.tooManyRequests, encoding: problem)
        let wait = personalTokens?.guesses.wait(now: now()) ?? 1
        try response.headers.append(.retryAfter, String(wait))
        return response
    }

    /// Stores the identity of a member who has signed in, if the member owns tokens.
    ///
    /// Also while the site accepts no tokens: it may accept them again. A failure does not stop the sign-in.
    func updateTokenOwner(_ identity: Identity, _ request: Request) async {
        guard let personalTokens else { return }
        do throws(StoreError) {
            for identity in acceptedIdentities(of: identity) {
                try await personalTokens.store.updateOwner(identity)
            }
        } catch {
            log(LogEvent(error, of: request, subject: identity.subject))
        }
    }
}

extension TokenGrant {
    /// Whether the token may be used at the client's spelling of path and query.
    ///
    /// Without a limit to some paths, no spelling leads to others.
    fileprivate func isGood(at uri: String) -> Bool {
        if locations.contains("/") { return true }
        return GuardedPath(uri).map { locations.contains(where: $0.isAt) } ?? false
    }
}

extension Request {
    /// The personal token in the field `Authorization`, as sent; nil without one.
    ///
    /// The FastCGI server copies the field only if it begins like one with a personal token.
    fileprivate var personalToken: Substring? {
        headers[.authorization].flatMap { PersonalTokenField.token(in: $0) }
    }
}
