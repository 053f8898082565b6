package import HTTP
package import OpenID

extension Dialect {
    /// LinkedIn's differences from the standards, all seen in its documentation or in recorded responses.
    package static let linkedIn: Dialect = {
        var dialect = Dialect()
        dialect.authorizationErrors = [
            "user_cancelled_login": .cancelled, "user_cancelled_authorize": .cancelled,
            "unauthorized_scope_error": .scopeRefused, "invalid_scope_error": .scopeUnknown,
            // LinkedIn requires `profile` or `email` in addition to `openid`.
            "openid_insufficient_scope_error": .scopeInsufficient,
        ]
        dialect.tokenRefusal = linkedInRefusal
        dialect.allowsMissingTokenType = true
        // Its documentation says a space, its responses contain commas.
        dialect.scopeSeparators = [" ", ","]
        dialect.repeatsAlgorithm = true
        dialect.introspection.status = "status"
        dialect.introspection.expiry = "expires_at"
        // `2L` is a token of the application itself.
        dialect.introspection.kind = ("auth_type", "3L")
        dialect.mayAcceptTokenLater = \.refusesTokenAsUnknown
        dialect.rejectsVersion = \.rejectsVersion
        dialect.throttledLimit = \.throttledLimit
        dialect.advice = LinkedInScope.advice
        return dialect
    }()

    private static func linkedInRefusal(_ error: String, _ description: String) -> TokenRefusal? {
        switch error {
        case "invalid_client_id": .client
        // LinkedIn's names for a code. RFC 6749 §5.2 does not define them, so they do not end a refresh token.
        case "invalid_redirect_uri", "access_denied": .code
        // LinkedIn uses this name for most errors: only the description distinguishes a used code from missing
        // credentials.
        case "invalid_request":
            description.contains("client_id") || description.contains("client_secret") ? .client : .grant
        default: nil
        }
    }
}

extension ClientResponse {
    /// Whether LinkedIn rejects the API version as expired, not active or not available: 426 and some 400.
    package var rejectsVersion: Bool {
        guard status != 426 else { return true }
        guard status == 400, let body = JSON(parsing: self.body) else { return false }
        if body["code"]?.stringValue == "NONEXISTENT_VERSION" { return true }
        let message = body["message"]?.stringValue?.lowercased() ?? ""
        return message.contains("version") && (message.contains("not available") || message.contains("not active"))
    }

    /// Whether LinkedIn rejects a token that it may have just issued as invalid or revoked, but not as expired.
    fileprivate var refusesTokenAsUnknown: Bool {
        guard status == 401, let body = JSON(parsing: self.body) else { return false }
        return [65600, 65601].contains(body["serviceErrorCode"]?.numberValue)
            || ["INVALID_ACCESS_TOKEN", "REVOKED_ACCESS_TOKEN"].contains(body["code"]?.stringValue)
    }

    /// LinkedIn counts calls per member and per application. Its newer messages name the limit, as in
    /// `Resource level throttle APPLICATION DAY limit for calls to this resource is reached.`
    fileprivate var throttledLimit: Throttle.Limit {
        let words = JSON(parsing: body)?["message"]?.stringValue?.split(separator: " ") ?? []
        return words.contains("APPLICATION") ? .application : words.contains("MEMBER") ? .member : .unnamed
    }
}
