extension TokenError {
    /// What the token endpoint says with a status.
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
