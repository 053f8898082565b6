/// `GET` and `POST /oauth/v2/authorization`: the consent page and the decision.
struct AuthorizationEndpoint: Sendable {
    let grants: Grants

    /// Shows the consent page, unless the request is wrong or no page is needed.
    ///
    /// With the setting `remember-consent`, a member who is signed in here and has an unexpired token for the same
    /// scopes is sent back immediately, as at LinkedIn.
    @Sendable
    func ask(_ request: Request) async -> Response {
        await checked(request) { authorization in
            if let member = Members.number(request.settings.consentingMember) {
                return await allow(authorization, member: member, request: request)
            }
            if request.settings.remembersConsent, let member = MemberCookie.member(of: request),
                await grants.hasConsent(
                    of: member,
                    to: authorization.clientID,
                    scopes: authorization.scopes,
                    now: request.now
                )
            {
                return await allow(authorization, member: member, request: request)
            }
            return ConsentPage(authorization: authorization, settings: request.settings).response
        }
    }

    /// Reads the decision: the form fields `member` and `decision`; the URL contains the authorization request.
    @Sendable
    func decide(_ request: Request) async -> Response {
        await checked(request) { authorization in
            switch request.form["decision"] {
            case "allow":
                guard let member = Int(request.form["member"] ?? "1").flatMap(Members.number) else {
                    return MessagePage(status: 400, message: "There is no such member.").response
                }
                var response = await allow(authorization, member: member, request: request)
                response.headers["Set-Cookie"] = MemberCookie.header(for: member)
                return response
            case "cancel": return sendBack(authorization, .cancelledLogin, settings: request.settings)
            case "deny": return sendBack(authorization, .cancelledAuthorization, settings: request.settings)
            default:
                return MessagePage(status: 400, message: "The decision is allow, cancel or deny.").response
            }
        }
    }

    private func checked(
        _ request: Request,
        then answer: (AuthorizationRequest) async -> Response
    ) async -> Response {
        do {
            let authorization = try AuthorizationRequest(request.query, settings: request.settings)
            if let error = authorization.fault(settings: request.settings) {
                return sendBack(authorization, error, settings: request.settings)
            }
            return await answer(authorization)
        } catch {
            return MessagePage(status: 400, message: "Bummer, something went wrong. \(error.rawValue).").response
        }
    }

    private func allow(
        _ authorization: AuthorizationRequest,
        member: Member,
        request: Request
    ) async -> Response {
        let grant = Grant(
            member: member,
            clientID: authorization.clientID,
            redirectURI: authorization.redirectURI,
            scopes: authorization.scopes,
            nonce: authorization.nonce,
            challenge: authorization.challenge,
            time: request.now
        )
        return authorization.redirect(["code": await grants.code(for: grant)], settings: request.settings)
    }

    private func sendBack(
        _ authorization: AuthorizationRequest,
        _ error: AuthorizationError,
        settings: Settings
    ) -> Response {
        authorization.redirect(settings.isStandard ? error.standardFields : error.fields, settings: settings)
    }
}
