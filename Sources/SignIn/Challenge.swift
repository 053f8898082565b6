import Guard
import HTTP
import Settings

extension Mount {
    /// What every 401 names in `WWW-Authenticate` (RFC 9110 §11.6.1).
    ///
    /// The scheme is that of draft-broyer-http-cookie-auth: it says where to sign in and which cookie that sets. `Basic`
    /// would open a dialog in browsers, and `Bearer` would invite tokens that are not accepted.
    var challenge: String {
        let loginURL = origin + path("/login")
        return #"Cookie realm="\#(origin)", form-action="\#(loginURL)", cookie-name="__Host-session""#
    }
}

extension Site {
    /// A 401 with the challenge added.
    ///
    /// At `error_page 401 = @signin`, nginx adds the challenge of the answer to `auth_request` itself.
    func challenging(_ response: Response, for request: Request) throws -> Response {
        guard request.serverParameters[Action.parameter] != Action.signIn.rawValue else { return response }
        var response = response
        try response.headers.append(.wwwAuthenticate, mount.challenge)
        return response
    }
}
