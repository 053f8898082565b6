import Crypto

/// The parameters of a request to the authorization endpoint.
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
    ///   - query: the query of the URL.
    ///   - settings: the registered application.
    /// - Throws: a `Refusal` if no error can be sent to the application (RFC 6749 §4.1.2.1).
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

    /// Why LinkedIn shows an error page instead of sending the visitor back.
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

    /// The error in the application's request, if any.
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

    /// LinkedIn's scopes of other products.
    private static let otherScopes: Set = [
        "openid", "profile", "email", "r_profile_basicinfo", "r_verify", "r_basicprofile", "r_liteprofile",
        "r_emailaddress", "r_fullprofile", "w_member_social", "r_organization_social", "w_organization_social",
    ]
}

/// The S256 code challenge (RFC 7636).
enum CodeChallenge {
    static func isValid(_ challenge: String) -> Bool {
        challenge.utf8.count == 43 && isUnreserved(challenge)
    }

    /// Whether a verifier is valid (§4.1) and belongs to a challenge (§4.6).
    static func matches(verifier: String, challenge: String) -> Bool {
        guard (43...128).contains(verifier.utf8.count), isUnreserved(verifier) else { return false }
        return Base64URL.encode(SHA256.hash(data: Array(verifier.utf8))) == challenge
    }

    private static func isUnreserved(_ text: String) -> Bool {
        Percent.encode(text) == text
    }
}
