package import OpenID

/// Google, and the organizations at Google (Google Workspace): everyone with a Google account can sign in unless the program
/// checks `hd`.
package enum GoogleWorkspace {
    /// Google accepts no client for web sites without a client secret, although its discovery document names PKCE.
    package static let issuer = "https://accounts.google.com"

    /// The hosts of Google's issuer and endpoints.
    package static let hosts: Set = [
        "accounts.google.com", "oauth2.googleapis.com", "openidconnect.googleapis.com", "www.googleapis.com",
    ]

    /// The claim with the organization's main domain; an account of a person does not have it, whatever its address is.
    package static let claim = "hd"

    /// Google's page for signing out; its discovery document names no end session endpoint.
    package static let signOutPage = "\(issuer)/Logout"

    /// Admits only members of organizations with these domains.
    ///
    /// The parameter of the request, which a browser can change, only chooses which accounts Google offers.
    ///
    /// - Parameters:
    ///   - domains: domains in lower case; `*` alone stands for every organization.
    ///   - options: the options to change.
    package static func admit(_ domains: [String], to options: inout ProtocolOptions) {
        guard !domains.isEmpty else { return }
        options.requiredClaims.append(ClaimRequirement(claim, in: domains == ["*"] ? [] : domains))
        options.authorizationParameters.set(claim, domains.count == 1 ? domains[0] : "*")
    }
}
