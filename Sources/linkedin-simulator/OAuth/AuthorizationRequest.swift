/// What an application asks for at the authorization endpoint.
struct AuthorizationRequest: Sendable {
    let clientID: String
    let redirectURI: String
    let state: String?
    let responseType: String?
    let scopes: [String]
    let nonce: String?
    let challenge: String?
    let challengeMethod: String?

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - query: The query of the URL.
    ///   - settings: The registered application.
    /// - Throws: A `Refusal` when there is nowhere to send an error to (RFC 6749 section 4.1.2.1).
    init(_ query: Fields, settings: Settings) throws(Refusal) {
        guard query["client_id"] == settings.clientID else { throw .clientID }
        guard let redirectURI = query["redirect_uri"], settings.redirectURIs.contains(redirectURI) else {
            throw .redirectURI
        }
        clientID = settings.clientID
        self.redirectURI = redirectURI
        state = query["state"]
        responseType = query["response_type"]
        scopes = (query["scope"] ?? "").split { $0 == " " || $0 == "," }.map(String.init)
        nonce = query["nonce"]
        challenge = query["code_challenge"]
        challengeMethod = query["code_challenge_method"]
    }

    /// Why LinkedIn shows a page of its own instead of sending the visitor back.
    enum Refusal: String, Error {
        case clientID = "The passed in client_id is invalid"
        case redirectURI = "The redirect_uri does not match the registered value"
    }

    /// The redirect back to the application.
    func redirect(_ answer: Fields, settings: Settings) -> Response {
        var fields = answer
        fields.append("state", state)
        if settings.isStandard { fields.append("iss", settings.issuer) }
        let separator = redirectURI.contains("?") ? "&" : "?"
        return .redirect(to: redirectURI + separator + fields.urlEncoded)
    }

    /// What the application did wrong, if anything.
    func fault(settings: Settings) -> AuthorizationError? {
        guard responseType == "code" else { return .responseType }
        if settings.isStandard { return standardFault(settings: settings) }
        guard !scopes.isEmpty else { return .missingScope }
        for scope in scopes where !settings.scopes.contains(scope) {
            return Self.otherScopes.contains(scope) ? .unauthorizedScope(scope) : .unknownScope(scope)
        }
        return Set(scopes) == ["openid"] ? .openIDAlone : nil
    }

    private func standardFault(settings: Settings) -> AuthorizationError? {
        guard let challenge, challengeMethod == "S256", CodeChallenge.isValid(challenge) else { return .challenge }
        let unknown = scopes.first { !settings.scopes.contains($0) }
        return unknown.map { .unknownScope($0) }
    }

    /// Scopes LinkedIn knows that belong to other products.
    private static let otherScopes: Set = [
        "openid", "profile", "email", "r_profile_basicinfo", "r_verify", "r_basicprofile", "r_liteprofile",
        "r_emailaddress", "r_fullprofile", "w_member_social", "r_organization_social", "w_organization_social",
    ]
}
