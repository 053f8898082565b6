import HTTP

extension OpenIDClient {
    /// The longest code that is passed on, in bytes.
    private static let codeLimit = 4096
    /// The longest state that is compared, in bytes; ours has 43.
    private static let stateLimit = 512

    /// Reads what a browser brings back (RFC 6749 §4.1.2); only its form and its issuer are checked here.
    ///
    /// - Parameter query: `QUERY_STRING`, as sent.
    /// - Returns: the state to be compared, and the code or the kind of error.
    /// - Throws: `malformedCallback` if the state, or both code and error, are missing, or one is empty, repeated or
    ///   too long, or code and error are both there; `issuerMismatch` if `iss` is not one of the provider's issuers, or
    ///   missing though the provider always sends it (RFC 9207 §2.4).
    package func parseCallback(query: String) throws(OpenIDError) -> AuthorizationResponse {
        guard let form = FormData(parsing: query) else {
            throw OpenIDError(.malformedCallback, detail: "the query is not form-encoded text")
        }
        let state = try parameter("state", in: form, limit: Self.stateLimit)
        let code = try parameter("code", in: form, limit: Self.codeLimit)
        let error = try parameter("error", in: form, limit: Self.codeLimit)
        try checkIssuer(in: form)
        guard let state else { throw OpenIDError(.malformedCallback, detail: "there is no state") }
        switch (code, error) {
        case (let code?, nil): return AuthorizationResponse(state: state, outcome: .code(code))
        case (nil, let name?): return AuthorizationResponse(state: state, outcome: .error(.init(name)))
        case (nil, nil): throw OpenIDError(.malformedCallback, detail: "there is neither a code nor an error")
        case (_?, _?): throw OpenIDError(.malformedCallback, detail: "there are both a code and an error")
        }
    }

    private func parameter(_ name: String, in form: FormData, limit: Int) throws(OpenIDError) -> String? {
        switch form[name] {
        case .none:
            return nil
        case .repeated:
            throw OpenIDError(.malformedCallback, detail: "\(name) is there twice")
        case .one(let value):
            guard !value.isEmpty else { throw OpenIDError(.malformedCallback, detail: "\(name) is empty") }
            guard value.utf8.count <= limit else {
                throw OpenIDError(.malformedCallback, detail: "\(name) is too long")
            }
            return value
        }
    }

    private func checkIssuer(in form: FormData) throws(OpenIDError) {
        switch form["iss"] {
        case .none:
            guard !provider.requiresIssuerParameter else {
                throw OpenIDError(.issuerMismatch, detail: "the answer does not name its issuer")
            }
        case .one(let issuer):
            guard provider.issuers.contains(where: issuer.isIdentical) else {
                throw OpenIDError(
                    .issuerMismatch,
                    detail: "iss is not an accepted issuer: \(Self.shown(issuer: issuer))"
                )
            }
        case .repeated:
            throw OpenIDError(.malformedCallback, detail: "iss is there twice")
        }
    }
}

extension AuthorizationErrorCode {
    /// Files an error by its name in RFC 6749 §4.1.2.1, or in LinkedIn's own vocabulary.
    init(_ name: String) {
        self =
            switch name {
            case "access_denied", "user_cancelled_login", "user_cancelled_authorize": .cancelled
            case "invalid_scope", "invalid_scope_error", "unauthorized_scope_error", "openid_insufficient_scope_error":
                .scopeRefused
            case "temporarily_unavailable": .temporarilyUnavailable
            case "server_error": .serverError
            case "invalid_request", "unauthorized_client", "unsupported_response_type": .invalidRequest
            default: .other
            }
    }
}
