package import OpenID
package import Settings

/// Asks LinkedIn whether it knows this application, without a member.
package struct CredentialCheck: Sendable {
    private let client: OpenIDClient
    private let host: String
    private let provider: ProviderSettings
    private let site: InstalledSite?

    /// - Parameters:
    ///   - client: The client with the credentials of the settings.
    ///   - provider: The provider in the settings.
    ///   - site: The installed site, for the commands that change it.
    package init(_ client: OpenIDClient, _ provider: ProviderSettings, of site: InstalledSite?) {
        (self.client, self.provider, self.site) = (client, provider, site)
        host = EndpointCheck.host(client.options.introspectionEndpoint ?? "")
    }

    /// Asks whether LinkedIn accepts the client secret.
    package func run() async -> Report {
        let subject = "client ID and secret"
        if provider.issuer != nil, !provider.hasSecret || client.options.introspectionEndpoint == nil {
            let what = provider.hasSecret ? "the provider has no introspection endpoint" : "the settings have no secret"
            return Report(.notChecked, subject, what)
        }
        guard client.options.introspectionEndpoint != nil else {
            let what = "\(Setting.tokenEndpoint.name) is at another origin than LinkedIn's"
            let remedy = "\(Setting.introspectionEndpoint.name) with the introspection endpoint of the same provider"
            return Report(.notChecked, subject, what, remedies: [remedy])
        }
        do throws(OpenIDError) {
            try await client.checkCredentials(askingAbout: "linkedin-signin-doctor")
            return Report(passed: subject, "accepted by \(host)")
        } catch {
            guard error.code == .clientRefused else {
                return Report(
                    .notChecked,
                    subject,
                    "\(host) does not say whether it accepts the client ID and secret: \(error.logDetail)",
                    explainedBy: error.transport == nil ? [] : [.host(host)]
                )
            }
            return Report(
                .clientRefused,
                subject,
                "\(host): \(error.detail)",
                remedies: ["copy the client ID and secret from the \(Self.registration(provider))"] + remediesOfSecret,
                restarts: provider.secretNeedsRestart,
                causing: [.refused(provider.secretName), .refused(Setting.clientID.name)]
            )
        }
    }

    /// The place where the operator registered the redirect URL and got the client ID.
    package static func registration(_ provider: ProviderSettings) -> String {
        let ofIssuer = provider.issuer.map { _ in "registration of this client at \(provider.name)" }
        return ofIssuer ?? "Auth tab of the application at https://www.linkedin.com/developers/apps"
    }

    /// What the operator can do about the place of the secret.
    private var remediesOfSecret: [String] {
        let name = (provider.issuer == nil ? Setting.clientSecret : Setting.providerClientSecret).name
        guard provider.secretNeedsRestart else {
            return ["\(name), or the file that \(name)_FILE names, contains only the secret"]
        }
        let credential = name.lowercased().replacing("_", with: "-")
        let path = site.flatMap { SiteService($0).credentials[credential] }
        let file = "\(path ?? "the file") of the systemd credential \(credential) contains only the secret"
        return [file, "after a change of the file, " + UnitCommands(site: site).restart]
    }

    static func remedies(forKeysAt address: String) -> [String] {
        guard EndpointFailure.isLinkedIn(address) else {
            return ["correct \(Setting.jwksURI.name), or remove it to use LinkedIn's own key set"]
        }
        return [
            "look at the response of LinkedIn: curl -sS -m 10 \(address)",
            "if this response has no keys, wait for LinkedIn; if it has keys, a proxy between this machine and LinkedIn changes it",
        ]
    }

    /// Fetches the key set and looks for a key that can verify ID tokens.
    package func keys() async -> Report {
        guard client.options.issuesIDToken else { return Report() }
        do throws(OpenIDError) {
            try await client.requireKeys()
            return Report(passed: "key set", "has a key that can verify ID tokens")
        } catch {
            return Report(
                .keysUnusable,
                "key set",
                error.detail,
                remedies: Self.remedies(forKeysAt: client.options.jwksURI ?? ""),
                explainedBy: [.setting(Setting.jwksURI.name)]
            )
        }
    }
}
