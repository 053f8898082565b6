import Guard
import HTTP
import Pages
import Sessions
import Settings

extension Site {
    /// nginx's `error_page 403 = @denied`: says why, to the member whom a rule turned away.
    func showDenial(_ request: Request) async throws -> Response {
        switch try await decide(request) {
        case .signedOut: try await askToSignIn(request)
        // The rule has no objection: it was nginx itself, say because a directory has no index.
        case .admitted(let session): try deny(.byServer, session, request: request)
        case .denied(let denial, let session): try deny(denial, session, request: request)
        }
    }

    /// 403, as the client can use it: the page names the account and the way out.
    func deny(_ denial: Denial, _ session: Session?, request: Request) throws -> Response {
        let isAboutAccount = !denial.isMisconfiguration && denial != .byServer
        let kind = isAboutAccount ? Problem.Kind.accountNotAllowed : .forbidden
        switch RequestKind(request) {
        case .navigation:
            let problem = Problem(
                kind,
                requestID: request.id.description,
                account: isAboutAccount ? session.map { Self.account($0.identity) } : nil,
                contact: contact,
                returnPath: (resumePath(for: request) ?? ReturnPath(request.uri))?.text
            )
            return try page(.problem(problem), status: kind.status, for: request)
        case .script:
            return try json(kind.status, encoding: APIProblem(error: APIProblem.code(kind), request: request.id))
        case .resource:
            return try bare(kind.status)
        }
    }

    /// The account as its owner knows it.
    private static func account(_ identity: Identity) -> String {
        switch (identity.name, identity.email) {
        case (let name?, let email?): "\(name) (\(email))"
        case (let known?, nil), (nil, let known?): known
        case (nil, nil): identity.subject
        }
    }
}
