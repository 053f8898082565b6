import HTTP
package import OpenID
import Sessions

import struct FoundationEssentials.Date

/// GitHub's endpoints, and where it differs from the standards: OAuth 2.0 without OpenID Connect.
package enum GitHub {
    private static let path = "/login/oauth"
    /// The claim with the organizations and teams of a member, which no document of GitHub has.
    package static let groupsClaim = "groups"

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

    /// Reads the profiles of members.
    ///
    /// A member is known by the number of the account. The login can be changed, and then another person can take it.
    ///
    /// - Parameter claims: The claims that sessions keep; organizations and teams are asked for only if they are among them.
    /// - Returns: The source of profiles.
    package static func profiles(keeping claims: KeptClaimNames) -> DocumentProfiles {
        var paths = ClaimPaths(subject: "id")
        paths.numbersMembers = true
        paths.names = ["name", "login"]
        (paths.picture, paths.profile) = ("avatar_url", "html_url")
        return DocumentProfiles(paths) { member, call throws(OpenIDError) in
            let lists = GitHubLists(call)
            member.email = try await lists.address()
            member.emailVerified = member.email != nil
            // Claims are those of the sign-in.
            let isWanted = call.identity == nil && claims.contains(.named(groupsClaim))
            member.set(isWanted ? try await lists.groups() : nil, of: groupsClaim)
        }
    }

    /// GitHub's options for an OAuth App or a GitHub App.
    ///
    /// - Parameters:
    ///   - server: The GitHub server.
    ///   - claims: The claims that sessions keep; organizations and teams need one more scope.
    /// - Returns: The options.
    package static func options(of server: Server, keeping claims: KeptClaimNames) -> ProtocolOptions {
        var options = ProtocolOptions(
            issuers: [server.issuer],
            authorizationEndpoint: "\(server.issuer)/authorize",
            tokenEndpoint: "\(server.issuer)/access_token",
            scopes: ["user:email"] + (claims.contains(.named(groupsClaim)) ? ["read:org"] : [])
        )
        options.userinfoEndpoint = "\(server.api)/user"
        options.signOutPage = "\(server.issuer.dropLast(path.count))/logout"
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
        dialect.resourceFields = [(.accept, "application/vnd.github+json")]
        if let name = HeaderName("X-GitHub-Api-Version") { dialect.resourceFields.append((name, "2022-11-28")) }
        dialect.hidesDenials = true
        dialect.wait = { response, now in
            if let seconds = Throttle.retryAfter(of: response) { return seconds }
            let field = { (name: String) in HeaderName(name).flatMap { response.headers[$0] } }
            if field("X-RateLimit-Remaining") == "0" {
                // Seconds since 1970.
                let reset = field("X-RateLimit-Reset").flatMap(UInt32.init)
                let seconds = reset.map { Double($0) - now.timeIntervalSince1970 } ?? 60
                return Int(min(max(seconds, 1), 86_400))
            }
            let message = JSON(parsing: response.body)?["message"]?.stringValue?.lowercased() ?? ""
            return message.contains("rate limit") ? 60 : nil
        }
        return dialect
    }()
}
