import Guard
import HTTP
import Settings

extension Mount {
    /// The value of `WWW-Authenticate` in every 401 (RFC 9110 §11.6.1).
    ///
    /// The scheme of draft-broyer-http-cookie-auth names the address for sign-in and the cookie that it sets. `Basic`
    /// would open a dialog in browsers, and `Bearer` would suggest tokens that are not accepted.
    var challenge: String {
        let loginURL = origin + path("/login")
        return #"Cookie realm="\#(origin)", form-action="\#(loginURL)", cookie-name="__Host-session""#
    }
}

extension Site {
    /// Adds the challenge to a 401.
    ///
    /// At `error_page 401 = @signin`, nginx adds the challenge of the answer to `auth_request` itself.
    func challenging(_ response: Response, for request: Request) throws -> Response {
        guard request.serverParameters.action != Action.signIn.rawValue else { return response }
        var response = response
        try response.headers.append(.wwwAuthenticate, mount.challenge)
        return response
    }
}
