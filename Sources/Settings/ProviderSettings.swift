import OpenID
import Provider

/// The provider in the settings: LinkedIn, or a server that replaces it.
struct ProviderSettings {
    let options: ProtocolOptions
    let profile: ProfileEndpoint

    init(_ reader: inout SettingsReader, product: LinkedInProduct, issuer: IssuerSettings?) {
        if let issuer {
            let scopes = reader.scopes.isEmpty ? LinkedIn.options(for: .openid).scopes : reader.scopes
            options = .undiscovered(issuer.issuer, scopes: scopes)
            profile = ProfileEndpoint(product: .openid, address: "", versions: [])
            return
        }
        var options = LinkedIn.options(for: product)
        if !reader.scopes.isEmpty { options.scopes = reader.scopes }
        options.issuers = reader.acceptedIssuers()
        let linkedIns = options.introspectionEndpoint
        options.introspectionEndpoint = nil
        options.replaceEndpoints(reader.values)
        // Requests to both have the client secret, so LinkedIn must not receive that of another provider.
        if options.introspectionEndpoint == nil, LinkedIn.owns(tokenEndpoint: options.tokenEndpoint) {
            options.introspectionEndpoint = linkedIns
        }
        self.options = options
        profile = ProfileEndpoint(
            product: product,
            address: product == .openid
                ? options.userinfoEndpoint ?? "" : reader.profileEndpoint ?? product.profileEndpoint,
            versions: reader.linkedInVersion
        )
    }
}

extension ProtocolOptions {
    /// Uses the endpoints that the operator set in place of those that the provider has.
    mutating func replaceEndpoints(_ settings: SettingValues) {
        authorizationEndpoint = settings.authorizationEndpoint ?? authorizationEndpoint
        tokenEndpoint = settings.tokenEndpoint ?? tokenEndpoint
        userinfoEndpoint = settings.userinfoEndpoint ?? userinfoEndpoint
        introspectionEndpoint = settings.introspectionEndpoint ?? introspectionEndpoint
        jwksURI = settings.jwksURI ?? jwksURI
        revocationEndpoint = settings.revocationEndpoint ?? revocationEndpoint
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
