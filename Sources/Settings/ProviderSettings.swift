import OpenID
import Provider

/// The provider in the settings: LinkedIn, or a server that replaces it.
struct ProviderSettings {
    let options: ProtocolOptions
    let profile: ProfileEndpoint

    init(_ reader: inout SettingsReader, product: LinkedInProduct) {
        var options = LinkedIn.options(for: product)
        if !reader.scopes.isEmpty { options.scopes = reader.scopes }
        options.issuers = reader.acceptedIssuers()
        options.userinfoEndpoint = reader.userinfoEndpoint ?? options.userinfoEndpoint
        options.authorizationEndpoint = reader.authorizationEndpoint ?? options.authorizationEndpoint
        options.tokenEndpoint = reader.tokenEndpoint ?? options.tokenEndpoint
        // Requests to both have the client secret, so LinkedIn must not receive that of another provider.
        let isLinkedIn = LinkedIn.owns(tokenEndpoint: options.tokenEndpoint)
        options.introspectionEndpoint =
            reader.introspectionEndpoint ?? (isLinkedIn ? options.introspectionEndpoint : nil)
        options.jwksURI = reader.jwksURI ?? options.jwksURI
        options.revocationEndpoint = reader.revocationEndpoint
        self.options = options
        profile = ProfileEndpoint(
            product: product,
            address: product == .openid
                ? options.userinfoEndpoint ?? "" : reader.profileEndpoint ?? product.profileEndpoint,
            versions: reader.linkedInVersion
        )
    }
}

extension Configuration {
    /// Whether members sign in at LinkedIn, and not at a provider that replaces it.
    package var usesLinkedIn: Bool { LinkedIn.owns(tokenEndpoint: provider.tokenEndpoint) }
}

extension LinkedInProduct {
    /// Settings that have no effect with this product; the reader rejects them.
    var unusedSettings: [Setting] {
        switch self {
        case .openid: [Setting.linkedInVersion, Setting.profileEndpoint]
        case .verified: []
        case .basicProfile, .v1: [Setting.linkedInVersion, Setting.userinfoEndpoint, Setting.jwksURI]
        }
    }
}

extension SettingsReader {
    /// Returns the accepted issuers, the canonical one first.
    mutating func acceptedIssuers() -> [String] {
        self.issuers.isEmpty ? LinkedIn.issuers : self.issuers
    }
}
