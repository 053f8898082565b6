import Guard
import HTTP
import Pages
import Sessions
import Settings

extension Site {
    /// Answers nginx's `error_page 403 = @denied`: tells a member that the rule rejects the account.
    ///
    /// nginx passes the reason of the check's 403 on; without one, nginx itself denied the request.
    func showDenial(_ request: Request) async throws -> Response {
        let reason = request.serverParameters[ServerParameters.reasonName] ?? ""
        guard !StoreError.isReason(reason) else { return try problem(.storeUnavailable, for: request) }
        return switch try await decide(request) {
        case .signedOut: try await askToSignIn(request)
        // The rule admits the request, so nginx itself denied it, for example because a directory has no index.
        case .admitted(let session) where reason.isEmpty: try deny(.byServer, session, request: request)
        // The check rejected the request, and would admit it now.
        case .admitted: try problem(.storeUnavailable, for: request)
        case .denied(let denial, let session): try deny(denial, session, request: request)
        case .tokenRefused(let objection, _): try refuse(objection, request)
        }
    }

    /// The 403 in the form that the client can use; the page names the account and the next step.
    func deny(_ denial: Denial, _ session: CheckedSession?, request: Request) throws -> Response {
        let isAboutAccount = !denial.isMisconfiguration && denial != .byServer
        let kind = isAboutAccount ? Problem.Kind.accountNotAllowed : .forbidden
        switch RequestKind(request) {
        case .navigation:
            let problem = Problem(
                kind,
                requestID: request.id.description,
                account: isAboutAccount ? session.map { Self.account($0.identity) } : nil,
                contact: contact,
                returnPath: (keptFormPath(for: request) ?? ReturnPath(request.uri))?.text
            )
            return try page(.problem(problem), status: kind.status, for: request)
        case .script:
            return try json(kind.status, encoding: APIProblem(error: APIProblem.code(kind), request: request.id))
        case .resource:
            return try bare(kind.status)
        }
    }

    /// The name of an account that its owner recognizes.
    private static func account(_ identity: Identity) -> String {
        switch (identity.name, identity.email) {
        case (let name?, let email?): "\(name) (\(email))"
        case (let known?, nil), (nil, let known?): known
        case (nil, nil): identity.subject
        }
    }
}
