import HTTP
package import OpenID
package import Provider
package import Sessions

/// A provider in the settings: LinkedIn, a server that replaces it, or an OpenID provider that is known by its issuer.
package struct ProviderSettings: Sendable {
    /// The ID of the provider in the identities of its members.
    package let id: ProviderID
    /// The name on pages and in messages.
    package let name: String
    /// The mark on the button that starts a sign-in; nil for a neutral one.
    package let logo: Logo?
    /// The issuer, byte for byte as in the settings; nil for LinkedIn, or a server that replaces it.
    package let issuer: String?
    package let credentials: ClientCredentials
    /// Whether the provider issued a client secret.
    package let hasSecret: Bool
    /// How the program speaks with the provider.
    package let preset: ProviderPreset
    /// Whether only a restart of the service makes a new client secret effective.
    package let secretNeedsRestart: Bool
    /// The absolute URI of the callback, byte for byte as it is registered at the provider.
    package let redirectURI: String
    /// The file that adds this provider; nil for the provider of the settings file.
    package let file: String?
    /// The claims that sessions keep for rules and applications.
    package let keptClaims: KeptClaimNames
    /// Whether rules and applications trust an e-mail address that the provider says is verified.
    package let trustsEmail: Bool
    package var options: ProtocolOptions
    package var profile: ProfileEndpoint
    private let values: SettingValues
    private let additions: ProviderAdditions

    /// The name of the setting with the client secret, as in `Configuration.texts`.
    package var secretName: String {
        let setting = issuer == nil && file == nil ? Setting.clientSecret : Setting.providerClientSecret
        return setting.name + (file.map { " in \($0)" } ?? "")
    }

    /// Reads a provider from the settings, or from a file of `SIGNIN_PROVIDERS`, whose reader knows the ID.
    ///
    /// - Parameters:
    ///   - reader: The settings; it notes their problems.
    ///   - mount: The address of the site.
    init(_ reader: inout SettingsReader, mount: Mount) {
        let isFirst = reader.sources.providerFile == nil
        if isFirst { reader.rejectOtherProvider() } else { reader.requireProvider() }
        let issuer = reader.providerIssuer
        self.issuer = issuer
        id = Self.id(&reader)
        name = Self.name(&reader)
        logo = reader.providerLogo
        file = reader.sources.providerFile?.path
        keptClaims = KeptClaimNames(reader.providerClaims, groups: reader.providerGroups)
        // The addresses of LinkedIn, or of a server that replaces it, are trusted.
        trustsEmail = issuer == nil && isFirst || reader.providerTrustsEmail
        redirectURI = mount.origin + mount.path(isFirst ? SitePath.callback.rawValue : SitePath.callback(of: id))
        let secret = issuer == nil && isFirst ? Setting.clientSecret : Setting.providerClientSecret
        secretNeedsRestart = reader.sources.needsRestart(secret)
        preset = reader.providerPreset
        if issuer != nil || !isFirst {
            hasSecret = reader.isSet(secret)
            credentials = ClientCredentials(&reader)
            additions = ProviderAdditions(&reader, issuer: issuer)
            let usual = reader.providerPreset == .apple ? Apple.scopes : LinkedIn.options(for: .openid).scopes
            options = additions.plain?.options ?? .undiscovered(issuer ?? "", scopes: usual)
            if !reader.scopes.isEmpty { options.scopes = reader.scopes }
            additions.apply(to: &options)
            // A discovery document gives the endpoints later.
            if additions.plain != nil { options.replaceEndpoints(reader.values) }
            profile = ProfileEndpoint(product: .openid, address: "", versions: [])
        } else {
            hasSecret = true
            credentials = ClientCredentials(identifier: reader.clientID, secret: reader.clientSecret)
            additions = ProviderAdditions(&reader, issuer: nil)
            (options, profile) = Self.linkedIn(&reader, product: reader.product)
        }
        values = reader.values
    }

    /// The ID of the provider: that of its file or of the settings, one made from the issuer, or LinkedIn's.
    static func id(_ reader: inout SettingsReader) -> ProviderID {
        if let file = reader.sources.providerFile { return file.id }
        guard let issuer = reader.providerIssuer else { return .linkedIn }
        return reader.providerID ?? ProviderID(host: WebAddress(issuer)?.host ?? issuer, issuer: issuer)
    }

    /// The name of the provider on pages: that of the settings, the host of the issuer, or LinkedIn.
    static func name(_ reader: inout SettingsReader) -> String {
        guard let issuer = reader.providerIssuer else { return "LinkedIn" }
        return reader.providerName ?? WebAddress(issuer)?.host ?? issuer
    }

    private static func linkedIn(
        _ reader: inout SettingsReader,
        product: LinkedInProduct
    ) -> (ProtocolOptions, ProfileEndpoint) {
        var options = LinkedIn.options(for: product)
        if !reader.scopes.isEmpty { options.scopes = reader.scopes }
        options.issuers = reader.acceptedIssuers()
        let linkedIns = options.introspectionEndpoint
        options.introspectionEndpoint = nil
        options.replaceEndpoints(reader.values)
        if options.authorizationEndpoint != LinkedIn.authorizationEndpoint { options.signOutPage = nil }
        // Requests to both have the client secret, so LinkedIn must not receive that of another provider.
        if options.introspectionEndpoint == nil, LinkedIn.owns(tokenEndpoint: options.tokenEndpoint) {
            options.introspectionEndpoint = linkedIns
        }
        let profile = ProfileEndpoint(
            product: product,
            address: product == .openid
                ? options.userinfoEndpoint ?? "" : reader.profileEndpoint ?? product.profileEndpoint,
            versions: reader.linkedInVersion
        )
        return (options, profile)
    }

    /// Whether members sign in at LinkedIn, and not at a provider that replaces it.
    package var usesLinkedIn: Bool { issuer == nil && LinkedIn.owns(tokenEndpoint: options.tokenEndpoint) }

    /// The endpoints that the settings name, except those that only some programs of a provider serve.
    package var namedAddresses: [(setting: Setting, address: String?)] {
        [
            (Setting.authorizationEndpoint, values.authorizationEndpoint),
            (Setting.tokenEndpoint, values.tokenEndpoint),
            (Setting.userinfoEndpoint, values.userinfoEndpoint),
            (Setting.jwksURI, values.jwksURI),
        ]
    }

    /// The address of the discovery document, and the issuer that the document must have; nil for a provider without one.
    package var discovery: (address: String, issuer: String)? {
        guard let issuer, [.openid, .apple].contains(preset) else { return nil }
        return (DiscoveryDocument.address(of: issuer), additions.template ?? issuer)
    }

    /// The issuer that the provider names itself; nil for LinkedIn, or a server that replaces it.
    package var announcedIssuer: String? { discovery?.issuer ?? issuer }

    /// Reads the profiles of members.
    package var profiles: any ProfileSource {
        if let plain = additions.plain { return plain.profiles }
        return issuer == nil ? LinkedInProfiles(profile) : UserInfoProfiles()
    }

    /// These settings with what the discovery document of the provider says.
    ///
    /// Endpoints in the settings win, for a provider that this machine reaches by other addresses than browsers do.
    ///
    /// - Throws: `OpenIDError` if the program cannot use the provider in the way that the document demands.
    package func discovering(_ document: DiscoveryDocument) throws(OpenIDError) -> ProviderSettings {
        var provider = self
        provider.options = try document.options(
            scopes: options.scopes,
            hasSecret: hasSecret,
            key: credentials.team == nil ? credentials.key : nil
        )
        additions.apply(to: &provider.options)
        provider.options.replaceEndpoints(values)
        let address = provider.options.userinfoEndpoint ?? ""
        provider.profile = ProfileEndpoint(product: .openid, address: address, versions: [])
        return provider
    }
}

extension ProtocolOptions {
    /// Uses the endpoints that the operator set in place of those that the provider has.
    fileprivate mutating func replaceEndpoints(_ settings: SettingValues) {
        authorizationEndpoint = settings.authorizationEndpoint ?? authorizationEndpoint
        tokenEndpoint = settings.tokenEndpoint ?? tokenEndpoint
        userinfoEndpoint = settings.userinfoEndpoint ?? userinfoEndpoint
        introspectionEndpoint = settings.introspectionEndpoint ?? introspectionEndpoint
        jwksURI = settings.jwksURI ?? jwksURI
        revocationEndpoint = settings.revocationEndpoint ?? revocationEndpoint
    }
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

    /// Rejects settings of LinkedIn together with an issuer, and settings of the issuer's provider without one.
    fileprivate mutating func rejectOtherProvider() {
        let issuer = Setting.providerIssuer
        guard !isSet(issuer) else {
            let others = Setting.all.filter(\.isOfLinkedIn) + [Setting.issuers, Setting.profileEndpoint]
            for setting in others where isWritten(setting) && setting != Setting.clientSecretFile {
                complain(setting, "cannot be set together with \(issuer.name): remove one of them")
            }
            return requireProvider()
        }
        let ofIssuer = Setting.all.filter { setting in
            setting.name.hasPrefix("PROVIDER_") && ![issuer, Setting.providerClientSecretFile].contains(setting)
        }
        for setting in ofIssuer where isWritten(setting) {
            complain(setting, "has no effect without \(issuer.name): set \(issuer.name), or remove \(setting.name)")
        }
    }

    /// Requires what a sign-in at an OpenID provider needs.
    fileprivate mutating func requireProvider() {
        for setting in [Setting.providerIssuer, Setting.providerClientID] where !isSet(setting) {
            let isOfFile = setting == Setting.providerIssuer && sources.providerFile != nil
            let meaning = isOfFile ? "The issuer of this provider, such as \(GoogleWorkspace.issuer)." : setting.meaning
            complain(setting, "is not set. \(meaning)")
        }
        if self.providerPreset == .openid, !self.scopes.isEmpty, !self.scopes.contains("openid") {
            complain(Setting.scopes, "does not contain openid, which every OpenID provider needs: add it")
        }
    }
}
