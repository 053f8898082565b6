/// An error answer of the token endpoint.
enum TokenError: Error {
    case missing(String)
    case unknownClient(String)
    case clientAuthentication
    case codeNotFound
    case mismatch
    case unsupportedGrant
    case refreshInvalid
    case refreshNotAllowed

    /// The answer with LinkedIn's status and description.
    var response: Response {
        switch self {
        case .missing(let name):
            Self.envelope(400, "invalid_request", "A required parameter \"\(name)\" is missing")
        case .unknownClient(let id):
            Self.envelope(401, "invalid_client_id", "The passed in client_id is invalid \"\(id)\"")
        case .clientAuthentication:
            Self.envelope(401, "invalid_client", "Client authentication failed")
        case .codeNotFound:
            Self.envelope(
                401,
                "invalid_request",
                "Unable to retrieve access token: authorization code not found"
            )
        case .mismatch:
            Self.envelope(
                400,
                "invalid_redirect_uri",
                "Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. "
                    + "Or authorization code expired. Or external member binding exists"
            )
        case .unsupportedGrant:
            Self.envelope(400, "unsupported_grant_type", "The authorization grant type is not supported")
        case .refreshInvalid:
            Self.envelope(
                400,
                "invalid_request",
                "The provided authorization grant or refresh token is invalid, expired or revoked"
            )
        case .refreshNotAllowed:
            Self.envelope(400, "access_denied", "Refresh token not allowed")
        }
    }

    /// The answer of RFC 6749 §5.2.
    var standardResponse: Response {
        switch self {
        case .missing, .unsupportedGrant: return response
        case .unknownClient, .clientAuthentication:
            var response = Self.envelope(401, "invalid_client", "client authentication failed")
            response.headers["WWW-Authenticate"] = "Basic realm=\"token\""
            return response
        case .codeNotFound, .mismatch, .refreshInvalid:
            return Self.envelope(400, "invalid_grant", "the grant is invalid, expired or was issued to another client")
        case .refreshNotAllowed: return Self.envelope(400, "unauthorized_client", "refresh is not allowed")
        }
    }

    static func envelope(_ status: Int, _ error: String, _ description: String) -> Response {
        .json(["error": .string(error), "error_description": .string(description)], status: status)
    }

    /// The error that the token endpoint sends with a status.
    static func envelope(for status: Int) -> Response {
        switch status {
        case 400: mismatch.response
        case 401: clientAuthentication.response
        case 403: envelope(403, "access_denied", "Not enough permissions to access: accessToken")
        case 429: APIError.throttled.response
        case 500...: envelope(status, "server_error", "Internal Server Error")
        default: envelope(status, "invalid_request", "Status \(status)")
        }
    }
}
