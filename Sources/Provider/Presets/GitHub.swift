package import OpenID

import struct HTTP.WebAddress

/// GitHub's endpoints, and where it differs from the standards: OAuth 2.0 without OpenID Connect.
package enum GitHub {
    private static let path = "/login/oauth"

    /// The addresses of a GitHub server.
    package struct Server: Sendable, Equatable {
        /// The value of `iss` in callbacks: `https://github.com/login/oauth`, or the same path at another host.
        package let issuer: String
        /// The address of the REST API.
        package let api: String

        /// - Parameter issuer: the issuer; nil unless it ends in `/login/oauth`.
        package init?(issuer: String) {
            guard issuer.hasSuffix(path), let host = WebAddress(issuer)?.host else { return nil }
            self.issuer = issuer
            // GitHub Enterprise Server has its API below its own host; GitHub and Enterprise Cloud at a host for it.
            let isCloud = host == "github.com" || host.hasSuffix(".ghe.com")
            api = isCloud ? "https://api.\(host)" : "\(issuer.dropLast(path.count))/api/v3"
        }
    }

    /// GitHub's options for an OAuth App or a GitHub App.
    package static func options(of server: Server) -> ProtocolOptions {
        var options = ProtocolOptions(
            issuers: [server.issuer],
            authorizationEndpoint: "\(server.issuer)/authorize",
            tokenEndpoint: "\(server.issuer)/access_token",
            scopes: ["user:email"]
        )
        options.clientAuthentication = .post
        options.usesNonce = false
        options.issuesIDToken = false
        options.dialect = dialect
        return options
    }

    private static let dialect: Dialect = {
        var dialect = Dialect()
        dialect.scopeSeparators = [",", " "]
        dialect.authorizationErrors = [
            "application_suspended": .invalidRequest, "redirect_uri_mismatch": .invalidRequest,
        ]
        dialect.tokenRefusal = { error, _ in
            switch error {
            case "incorrect_client_credentials", "redirect_uri_mismatch": .client
            case "bad_verification_code": .code
            case "bad_refresh_token": .grant
            default: nil
            }
        }
        return dialect
    }()
}
