import HTTP

extension OpenIDError {
    /// Classes the status of a protected resource that was not given (RFC 6750 §3.1).
    init(resourceAnswer response: ClientResponse) {
        let code: Code =
            switch response.status {
            case 401: .accessTokenRefused
            case 403: .accessDenied
            case 410: .gone
            case 400 where response.saysVersionIsUnknown, 426: .versionRefused
            case 429: .throttled
            case 408, 500...599: .resourceUnavailable
            default: .resourceMalformed
            }
        let throttle = code == .throttled ? Throttle(response) : nil
        self.init(code, detail: "HTTP \(response.status)", throttle: throttle)
    }
}

extension ClientResponse {
    /// Whether this is LinkedIn's refusal of a version of its API: expired, not active, or not available.
    fileprivate var saysVersionIsUnknown: Bool {
        guard let body = JSON(parsing: self.body) else { return false }
        if body["code"]?.stringValue == "NONEXISTENT_VERSION" { return true }
        let message = body["message"]?.stringValue?.lowercased() ?? ""
        return message.contains("version") && (message.contains("not available") || message.contains("not active"))
    }

    /// Whether this is LinkedIn's refusal of a token that it may have issued a moment ago: invalid or revoked, but not
    /// expired.
    var saysTokenIsUnknown: Bool {
        guard status == 401, let body = JSON(parsing: self.body) else { return false }
        return [65600, 65601].contains(body["serviceErrorCode"]?.numberValue)
            || ["INVALID_ACCESS_TOKEN", "REVOKED_ACCESS_TOKEN"].contains(body["code"]?.stringValue)
    }
}
