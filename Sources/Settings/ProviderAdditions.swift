import OpenID
import Provider

/// How the program speaks with a provider.
package enum ProviderPreset: String, Sendable, CaseIterable {
    /// OpenID Connect with a discovery document.
    case openid
    case github
    /// OAuth 2.0 without OpenID Connect, with endpoints and names of claims in the settings.
    case oauth2
    case apple
}

/// What an operator sets about an OpenID provider beside its issuer and its client.
struct ProviderAdditions: Sendable {
    /// A server that has no discovery document; nil for an OpenID provider.
    let plain: PlainServer?
    /// The issuer in the discovery document of a provider with several tenants; nil for other providers.
    let template: String?
    private let isApple: Bool
    private let tenants: [String]
    private let domains: [String]
    private let parameters: AuthorizationParameters
    private let clockLeeway: Int
    private let signOutPage: String?

    /// Reads these settings and notes their problems.
    init(_ reader: inout SettingsReader, issuer: String?) {
        let isPlain = [.github, .oauth2].contains(reader.providerPreset)
        isApple = reader.providerPreset == .apple
        plain = PlainServer(&reader, issuer: issuer)
        template = isPlain ? nil : issuer.flatMap(Entra.template)
        tenants = reader.providerTenants.map { $0.lowercased() }
        domains = reader.providerHostedDomains.map { $0.lowercased() }
        (parameters, clockLeeway) = (reader.authorizationParameters, reader.providerClockLeeway)
        signOutPage = reader.providerSignOutPage
        if !isPlain { checkTenants(&reader, issuer) }
        if isApple {
            checkApple(&reader)
        } else {
            let message = "has no effect without \(Setting.providerPreset.name)=apple: remove it"
            reader.complain(aboutWritten: [Setting.providerTeamID], message)
        }
        let areDomains = domains == ["*"] || domains.allSatisfy { WebURL("https://\($0)")?.origin == "https://\($0)" }
        if !areDomains {
            reader.complain(Setting.providerHostedDomains, "is not a list of domains such as example.com, or * alone")
        }
    }

    private func checkApple(_ reader: inout SettingsReader) {
        for setting in [Setting.providerTeamID, Setting.providerKeyID] where !reader.isSet(setting) {
            let message = "is not set, and Apple requires it: copy it from your account at developer.apple.com"
            reader.complain(setting, message)
        }
        let message = "has no effect with \(Setting.providerPreset.name)=apple: remove it"
        reader.complain(aboutWritten: [Setting.providerHostedDomains], message)
    }

    private func checkTenants(_ reader: inout SettingsReader, _ issuer: String?) {
        if let wrong = tenants.first(where: { !Entra.isTenant($0) }) {
            reader.complain(Setting.providerTenants, "contains “\(wrong)”, which is not the ID of a tenant")
        }
        guard let issuer, reader.isSet(Setting.providerTenants) == (template == nil) else { return }
        let name = Setting.providerTenants.name
        if template == nil {
            let message = "has no effect with the issuer \(issuer): remove it, or set the issuer for several tenants"
            reader.complain(Setting.providerTenants, message)
        } else {
            let message = "admits members of every tenant: set \(name) too, or set the issuer of your tenant"
            reader.complain(Setting.providerIssuer, message)
        }
    }

    /// Changes the options of the provider as the operator wants them.
    func apply(to options: inout ProtocolOptions) {
        options.authorizationParameters = parameters
        options.clockLeeway = clockLeeway
        GoogleWorkspace.admit(domains, to: &options)
        if options.issuers == [GoogleWorkspace.issuer] { options.signOutPage = GoogleWorkspace.signOutPage }
        if let signOutPage { (options.signOutPage, options.endSessionEndpoint) = (signOutPage, nil) }
        if let template { Entra.admit(tenants, template: template, to: &options) }
        if isApple { Apple.adapt(&options) }
    }
}

extension ClientCredentials {
    /// The client at an OpenID provider; a secret that is a PEM file is a private key.
    init(_ reader: inout SettingsReader) {
        let (identifier, secret) = (reader.providerClientID ?? "", reader.providerClientSecret ?? "")
        let isKey = ClientKey.isPEM(secret)
        let key = isKey ? ClientKey(pem: secret, identifier: reader.providerKeyID) : nil
        let isEntra = reader.providerIssuer.map(Entra.isIssuer) ?? false
        switch reader.providerPreset {
        case .github where isKey:
            reader.complain(Setting.providerClientSecret, "is a key, but GitHub accepts a client secret only")
        case .apple where key?.algorithm != .es256:
            let message = "is not the private key of Sign in with Apple: use the text of your file AuthKey_….p8"
            reader.complain(Setting.providerClientSecret, message)
        case .openid where isKey && isEntra:
            let message =
                "is a key, which Microsoft Entra accepts only with a certificate: create a client secret there"
            reader.complain(Setting.providerClientSecret, message)
        case .openid where isKey && key == nil, .oauth2 where isKey && key == nil:
            let message =
                "is not a private key that can be used. Make one with: openssl genpkey -algorithm EC -pkeyopt "
            reader.complain(Setting.providerClientSecret, "\(message)ec_paramgen_curve:P-256")
        case .openid where !isKey && reader.isSet(Setting.providerKeyID),
            .oauth2 where !isKey && reader.isSet(Setting.providerKeyID):
            let message = "has no effect without a private key in \(Setting.providerClientSecret.name): remove it"
            reader.complain(Setting.providerKeyID, message)
        case .openid, .oauth2, .github, .apple: break
        }
        let team = reader.providerPreset == .apple ? reader.providerTeamID : nil
        self.init(identifier: identifier, secret: isKey ? "" : secret, key: key, team: team)
    }
}
