package import POSIX
package import Provider
package import Sessions

/// What rules can know about the members of a provider.
package struct RuleProvider: Sendable {
    package let id: ProviderID
    package let keptClaims: KeptClaimNames
    package let trustsEmail: Bool
    package let preset: ProviderPreset
    /// Whether anybody can make a group at the provider, with any name that is free.
    package let hasOpenGroups: Bool

    package init(
        _ id: ProviderID,
        keptClaims: KeptClaimNames = KeptClaimNames(),
        trustsEmail: Bool = true,
        preset: ProviderPreset = .openid,
        hasOpenGroups: Bool = false
    ) {
        (self.id, self.keptClaims, self.trustsEmail, self.preset) = (id, keptClaims, trustsEmail, preset)
        self.hasOpenGroups = hasOpenGroups
    }

    init(of provider: ProviderSettings) {
        let open = ["https://github.com/login/oauth", "https://gitlab.com"]
        self.init(
            provider.id,
            keptClaims: provider.keptClaims,
            trustsEmail: provider.trustsEmail,
            preset: provider.preset,
            hasOpenGroups: open.contains(provider.issuer ?? "")
        )
    }
}

/// The settings that change what rules and guards mean; nil for a setting that is invalid or not known.
package struct RuleSettings: Sendable {
    /// Whether members sign in at LinkedIn, or at LinkedIn and other providers; false if this is not known.
    package let usesLinkedIn: Bool
    /// The product that members sign in with.
    package let product: LinkedInProduct?
    /// The providers of the site; nil if they are not known.
    package let providers: [RuleProvider]?
    /// The claims that applications get.
    package let applicationClaims: [String]
    /// Seconds after which every session ends.
    package let sessionLifetime: Int?

    /// Whether guarded locations accept personal tokens; false if the setting is not known.
    package let acceptsPersonalTokens: Bool
    /// Whether files are read with the rights of the user that the program runs as, so that readable means readable for it.
    package var readsAsService = false
    /// The service that reads the lists; nil if it is not known.
    package var service: SiteService?
    /// Whether the rule is that of another site, about whose program nothing is known.
    package var isOfOtherSite = false
    /// The address where the program accepts connections.
    package var listen: ListenAddress?
    /// The users in `SIGNIN_ALLOWED_USERS`.
    package var allowedUsers: [String] = []
    /// The address of the site; nil if it is not known.
    package var mount: Mount?

    /// What is known about the rules of the other sites of this machine.
    package var ofOtherSites: RuleSettings {
        var settings = RuleSettings()
        (settings.readsAsService, settings.isOfOtherSite) = (readsAsService, true)
        return settings
    }

    package init(
        usesLinkedIn: Bool = false,
        product: LinkedInProduct? = nil,
        providers: [RuleProvider]? = nil,
        applicationClaims: [String] = [],
        sessionLifetime: Int? = nil,
        acceptsPersonalTokens: Bool = false,
        listen: ListenAddress? = nil,
        mount: Mount? = nil
    ) {
        self.usesLinkedIn = usesLinkedIn
        self.product = product
        self.providers = providers
        self.applicationClaims = applicationClaims
        self.sessionLifetime = sessionLifetime
        self.acceptsPersonalTokens = acceptsPersonalTokens
        self.listen = listen
        self.mount = mount
    }

    /// The message about a web server whose connections the program closes; nil if its user may connect, and if this machine
    /// does not know the user, or a user in `SIGNIN_ALLOWED_USERS`.
    package func messageAboutRefused(user name: String) -> String? {
        guard allowedUsers.allSatisfy({ User($0) != nil }), let user = User(name),
            let line = Setting.line(allowing: user, after: allowedUsers)
        else { return nil }
        return
            "the web server runs as user \(name), and \(Setting.allowedUsers.name) lacks this user, so the program closes each "
            + "connection of the web server: write \(line)"
    }
}

extension Setting {
    /// The line that allows one more user to connect; nil if the users who may connect include this user already.
    package static func line(allowing user: User, after names: [String]) -> String? {
        let known = names.compactMap { name in User(name).map { (name, $0) } }
        guard !names.isEmpty, !known.contains(where: { $0.1 == user }) else { return nil }
        return "\(Setting.allowedUsers.name)=" + (known.map(\.0) + [user.name]).joined(separator: ",")
    }
}

extension SettingSources {
    /// The settings for which rules and guards are reviewed.
    package var ofRules: RuleSettings {
        var reader = SettingsReader(self)
        var settings = RuleSettings(
            usesLinkedIn: !reader.isSet(Setting.providerIssuer)
                && (reader.valid(\.tokenEndpoint).map { $0.map(LinkedIn.owns) ?? true } ?? false),
            product: reader.valid(\.product),
            providers: ruleProviders,
            applicationClaims: reader.applicationClaims,
            sessionLifetime: reader.valid(\.sessionLifetime),
            acceptsPersonalTokens: reader.personalTokens != nil,
            listen: reader.valid(\.listen),
            mount: reader.baseURL
        )
        settings.allowedUsers = reader.allowedUsers
        return settings
    }

    /// Nil if the issuer of one is wrong.
    private var ruleProviders: [RuleProvider]? {
        let all = ([self] + providers).map { source -> RuleProvider? in
            var reader = SettingsReader(source)
            guard !reader.isSet(Setting.providerIssuer) || reader.providerIssuer != nil else { return nil }
            return RuleProvider(of: ProviderSettings(&reader, mount: reader.baseURL))
        }
        return all.contains { $0 == nil } ? nil : all.compactMap(\.self)
    }
}
