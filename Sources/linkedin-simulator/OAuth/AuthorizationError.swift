/// An error that is sent to the application.
enum AuthorizationError {
    case responseType
    case missingScope
    case unauthorizedScope(String)
    case unknownScope(String)
    case openIDAlone
    case challenge
    case cancelledLogin
    case cancelledAuthorization

    /// The parameters that LinkedIn sends, including the HTML entities in its descriptions.
    var fields: Fields {
        switch self {
        case .responseType:
            Self.fields("unsupported_response_type", "The response type is not supported")
        case .missingScope:
            Self.fields("invalid_request", "A required parameter &quot;scope&quot; is missing")
        case .unauthorizedScope(let scope):
            Self.fields("unauthorized_scope_error", "Scope &quot;\(scope)&quot; is not authorized for your application")
        case .unknownScope(let scope):
            Self.fields("invalid_scope_error", "Scope &quot;\(scope)&quot; is unknown")
        case .openIDAlone:
            Self.fields("openid_insufficient_scope_error", "Include valid openId scopes like profile, email.")
        case .challenge:
            Self.fields("invalid_request", "An S256 code_challenge is required")
        case .cancelledLogin:
            Self.fields("user_cancelled_login", "The user cancelled LinkedIn login")
        case .cancelledAuthorization:
            Self.fields("user_cancelled_authorize", "The user cancelled the authorization")
        }
    }

    /// The parameters of RFC 6749 §4.1.2.1.
    var standardFields: Fields {
        switch self {
        case .responseType, .missingScope, .challenge: fields
        case .unauthorizedScope, .unknownScope, .openIDAlone: Self.fields("invalid_scope", "The scope is invalid")
        case .cancelledLogin, .cancelledAuthorization: Self.fields("access_denied", "The user refused")
        }
    }

    private static func fields(_ error: String, _ description: String) -> Fields {
        ["error": error, "error_description": description]
    }
}
