import Guard
import HTTP
import Pages
import Sessions
import Settings

import struct FoundationEssentials.Date

/// Makes the answers of the gate, except those that let a request pass.
struct GateAnswers: Sendable {
    private let answers: Answers
    private let mount: Mount
    private let forms: KeptFormPaths
    private let guesses: TokenGuesses
    /// The contact that the page for 403 names.
    private let contact: String?
    private let now: @Sendable () -> Date

    init(_ context: SiteContext, forms: KeptFormPaths, guesses: TokenGuesses, contact: String?) {
        (answers, mount, now) = (context.answers, context.mount, context.now)
        (self.forms, self.guesses, self.contact) = (forms, guesses, contact)
    }

    /// The 401 of a check, whose body nginx discards.
    func challenge(_ request: Request) throws -> Response {
        try answers.challenging(Response(.unauthorized), for: request)
    }

    /// The 403 of a check, which passes the reason on to the page about it: when that page is made, the cause may be over.
    static func rejection(_ reason: String) -> Response {
        var response = Response(.forbidden)
        // Without the reason, the response still denies.
        try? response.headers.append(.xAuthReason, reason)
        return response
    }

    /// The page for a failure that is not the visitor's.
    func unavailable(_ request: Request) throws -> Response {
        try answers.problem(.storeUnavailable, for: request)
    }

    /// The 403 in the form that the client can use; the page names the account and the next step.
    func deny(_ denial: Denial, _ session: CheckedSession?, request: Request) throws -> Response {
        let isAboutAccount = !denial.isMisconfiguration && denial != .byServer
        let kind: Problem.Kind =
            if denial == .emailUnverified {
                session?.identity.email == nil ? .emailMissing : .emailNotVerified
            } else {
                isAboutAccount ? .accountNotAllowed : .forbidden
            }
        switch RequestKind(request) {
        case .navigation:
            let problem = Problem(
                kind,
                requestID: answers.number(of: request)?.description,
                account: isAboutAccount ? session.map { Self.account($0.identity) } : nil,
                contact: contact,
                returnPath: (forms.path(confirmedBy: request) ?? ReturnPath(request.uri))?.text
            )
            return try answers.naming(session?.identity.provider).page(
                .problem(problem),
                status: kind.status,
                for: request
            )
        case .script:
            let problem = APIProblem(error: kind.rawValue, request: answers.number(of: request))
            return try answers.json(kind.status, encoding: problem)
        case .resource:
            return try answers.bare(kind.status)
        }
    }

    /// What of an account its owner recognizes.
    private static func account(_ identity: Identity) -> SignedInMember {
        let hasLabel = identity.name != nil || identity.email != nil
        return SignedInMember(name: hasLabel ? identity.name : identity.subject, email: identity.email)
    }

    /// Redirects to the same address.
    func goBack(_ request: Request) throws -> Response {
        guard request.method == .get || request.method == .head, RequestKind(request) == .navigation else {
            return try answers.problem(request.method == .post ? .formNotKept : .signInNeeded, for: request)
        }
        return try answers.redirect(to: ReturnPath(request.uri))
    }

    /// The answer about a personal token that is not accepted (RFC 6750 §3.1).
    ///
    /// It never leads to sign-in.
    func refuse(_ objection: TokenObjection, _ request: Request, asking question: Purpose.Question) throws -> Response {
        guard let error = objection.error else {
            return try question == .check ? answers.bare(.unauthorized) : postpone(request)
        }
        let status: Status = error == .invalidToken ? .unauthorized : .forbidden
        let problem = APIProblem(error: error.rawValue, request: answers.number(of: request))
        var response = try answers.json(status, encoding: problem)
        // nginx adds the field of the answer to `auth_request` itself to a 401, but not to a 403.
        if status != .unauthorized || question != .signIn {
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
            request: answers.number(of: request)
        )
        var response = try answers.json(.tooManyRequests, encoding: problem)
        try response.headers.append(.retryAfter, String(guesses.wait(now: now())))
        return response
    }
}
