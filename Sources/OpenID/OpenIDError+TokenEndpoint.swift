import HTTP

extension OpenIDError {
    /// Classes an answer of the token endpoint that is no success (RFC 6749 §5.2).
    ///
    /// The name of the error says more than the status: LinkedIn's documents give 400 and 401 for the same one.
    init(tokenEndpointAnswer response: ClientResponse) {
        let status = "HTTP \(response.status)"
        switch response.status {
        case 400, 401, 403:
            let body = JSON(parsing: response.body)
            let name = body?["error"]?.stringValue ?? ""
            let code = Self.refusal(name, description: body?["error_description"]?.stringValue ?? "")
            let known = code == nil ? "" : " \(name)"
            self.init(code ?? (response.status == 401 ? .clientRefused : .codeRefused), detail: status + known)
        case 429:
            self.init(.tokenThrottled, detail: status)
        case 408, 500...599:
            self.init(.tokenUnavailable, detail: status)
        default:
            self.init(.tokenMalformed, detail: status)
        }
    }

    /// What a named error means; nil for a name that is not known and so is not repeated anywhere.
    private static func refusal(_ name: String, description: String) -> Code? {
        switch name {
        case "invalid_grant", "invalid_redirect_uri", "access_denied", "invalid_scope":
            return .codeRefused
        case "invalid_client", "invalid_client_id", "unauthorized_client", "unsupported_grant_type":
            return .clientRefused
        case "invalid_request":
            // LinkedIn's name for nearly everything: only the words tell a spent code from missing credentials.
            let missesCredentials = description.contains("client_id") || description.contains("client_secret")
            return missesCredentials ? .clientRefused : .codeRefused
        default:
            return nil
        }
    }
}
