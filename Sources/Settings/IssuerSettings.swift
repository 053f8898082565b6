import HTTP
package import OpenID
import Provider
package import Sessions

/// An OpenID provider in the settings, of which only the issuer is known: its discovery document gives the rest.
package struct IssuerSettings: Sendable, Equatable {
    /// The ID of the provider in the identities of its members.
    package let id: ProviderID
    /// The issuer, byte for byte as in the settings.
    package let issuer: String
    /// The name on pages and in messages.
    package let name: String
    /// Whether the provider issued a client secret.
    package let hasSecret: Bool

    /// Reads these settings as a part of all; nil without an issuer, or with a wrong one.
    init?(_ reader: inout SettingsReader) {
        guard let issuer = reader.providerIssuer else { return nil }
        let host = WebAddress(issuer)?.host ?? issuer
        id = reader.providerID ?? ProviderID(host: host, issuer: issuer)
        self.issuer = issuer
        name = reader.providerName ?? host
        hasSecret = reader.isSet(Setting.providerClientSecret)
    }
}

extension Configuration {
    /// This configuration with what the discovery document of the provider says.
    ///
    /// Endpoints in the settings win, for a provider that this machine reaches by other addresses than browsers do.
    ///
    /// - Throws: `OpenIDError` if the program cannot use the provider in the way that the document demands.
    package func discovering(_ document: DiscoveryDocument) throws(OpenIDError) -> Configuration {
        guard let issuer else { return self }
        var configuration = self
        configuration.provider = try document.options(scopes: provider.scopes, hasSecret: issuer.hasSecret)
        configuration.provider.replaceEndpoints(settings)
        let address = configuration.provider.userinfoEndpoint ?? ""
        configuration.profile = ProfileEndpoint(product: .openid, address: address, versions: [])
        return configuration
    }
}

extension SettingsReader {
    /// Rejects settings of LinkedIn together with an issuer, and settings of the issuer's provider without one.
    mutating func rejectOtherProvider() {
        let issuer = Setting.providerIssuer
        let ofIssuer = [
            Setting.providerClientID, Setting.providerClientSecret, Setting.providerName, Setting.providerID,
        ]
        guard isSet(issuer) else {
            for setting in ofIssuer where isWritten(setting) {
                complain(setting, "has no effect without \(issuer.name): set \(issuer.name), or remove \(setting.name)")
            }
            return
        }
        let others = Setting.all.filter(\.isOfLinkedIn) + [Setting.issuers, Setting.profileEndpoint]
        for setting in others where isWritten(setting) && setting != Setting.clientSecretFile {
            complain(setting, "cannot be set together with \(issuer.name): remove one of them")
        }
        if !isSet(Setting.providerClientID) {
            complain(Setting.providerClientID, "is not set. \(Setting.providerClientID.meaning)")
        }
        if !self.scopes.isEmpty, !self.scopes.contains("openid") {
            complain(Setting.scopes, "does not contain openid, which every OpenID provider needs: add it")
        }
    }
}
