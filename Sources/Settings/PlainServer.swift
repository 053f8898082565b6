import OpenID
import Provider

/// A server of plain OAuth 2.0 in the settings, which has neither a discovery document nor ID tokens.
struct PlainServer: Sendable {
    let options: ProtocolOptions
    let profiles: DocumentProfiles

    private static let paths = [
        Setting.providerSubject, Setting.providerNames, Setting.providerEmail, Setting.providerEmailVerified,
        Setting.providerPicture, Setting.providerProfile, Setting.providerAuthentication, Setting.providerPKCE,
    ]
    private static let endpoints = [Setting.authorizationEndpoint, Setting.tokenEndpoint, Setting.userinfoEndpoint]

    /// Reads the settings and notes their problems; nil for an OpenID provider, and if the issuer cannot be used.
    init?(_ reader: inout SettingsReader, issuer: String?) {
        let preset = reader.providerPreset
        let claims = KeptClaimNames(reader.providerClaims, groups: reader.providerGroups)
        switch preset {
        case .openid, .apple:
            let isPublic =
                preset == .openid && reader.providerAuthentication == ProtocolOptions.ClientAuthentication.none
                && !reader.isSet(Setting.providerClientSecret)
            let message = "has no effect without \(Setting.providerPreset.name)=oauth2: remove it"
            let paths = Self.paths.filter { !isPublic || $0 != Setting.providerAuthentication }
            reader.complain(aboutWritten: paths, message)
            return nil
        case .github:
            Self.checkIDToken(&reader, others: Self.paths + [Setting.providerKeyID])
            Self.checkGitHub(&reader)
            guard let server = issuer.flatMap(GitHub.Server.init) else { return nil }
            options = GitHub.options(of: server, keeping: claims)
            profiles = GitHub.profiles(keeping: claims)
        case .oauth2:
            Self.checkIDToken(&reader)
            Self.checkPaths(&reader)
            options = Self.options(&reader, issuer: issuer ?? "")
            profiles = DocumentProfiles(ClaimPaths(&reader))
        }
    }

    /// Rejects what only an ID token has.
    private static func checkIDToken(_ reader: inout SettingsReader, others: [Setting] = []) {
        let without = "with \(Setting.providerPreset.name)=\(reader.providerPreset.rawValue)"
        let ofIDToken = [Setting.providerTenants, Setting.providerHostedDomains, Setting.jwksURI]
        reader.complain(aboutWritten: ofIDToken + others, "has no effect \(without): remove it")
        if reader.authorizationParameters.maximumAge != nil {
            let message = "contains max_age, which has no effect \(without): remove it"
            reader.complain(Setting.authorizationParameters, message)
        }
        let names = reader.providerClaims + [reader.providerGroups].compactMap(\.self)
        if let name = names.first(where: MemberClaims.isAboutSignIn) {
            let message = "contains \(name), which only an ID token has, and there is none \(without): remove it"
            reader.complain(reader.providerGroups == name ? Setting.providerGroups : Setting.providerClaims, message)
        }
    }

    private static func checkGitHub(_ reader: inout SettingsReader) {
        if let issuer = reader.providerIssuer, GitHub.Server(issuer: issuer) == nil {
            let message =
                "is not an issuer of GitHub: set https://github.com/login/oauth, or that path at your own server"
            reader.complain(Setting.providerIssuer, message)
        }
        if !reader.isSet(Setting.providerClientSecret) {
            let message = "is not set, and GitHub accepts no client without a client secret: create one there"
            reader.complain(Setting.providerClientSecret, message)
        }
        if let address = reader.userinfoEndpoint, address.contains("?") {
            let message = "has a query, to which the program cannot add the paths of GitHub's lists: remove the query"
            reader.complain(Setting.userinfoEndpoint, message)
        }
        let claim = GitHub.groupsClaim
        guard let groups = reader.providerGroups ?? reader.providerClaims.first(where: { $0 == claim }) else { return }
        if groups != claim {
            let message = "is not \(claim), the claim with the organizations and teams of GitHub: set \(claim)"
            reader.complain(Setting.providerGroups, message)
        }
        let scopes = ["read:org", "write:org", "admin:org"]
        if !reader.scopes.isEmpty, !reader.scopes.contains(where: scopes.contains) {
            let message = "does not contain read:org, which organizations and teams need: add it, or remove the setting"
            reader.complain(Setting.scopes, message)
        }
    }

    private static func checkPaths(_ reader: inout SettingsReader) {
        for setting in endpoints + [Setting.providerSubject] where !reader.isSet(setting) {
            let message = "is not set, and \(Setting.providerPreset.name)=oauth2 needs it: "
            reader.complain(setting, "\(message)the documentation of the server has it")
        }
        let (address, flag) = (Setting.providerEmail, Setting.providerEmailVerified)
        if reader.isSet(flag), !reader.isSet(address) {
            reader.complain(flag, "has no effect without \(address.name): set \(address.name), or remove \(flag.name)")
        }
        if reader.providerTrustsEmail, !reader.isSet(flag) {
            let message = "is yes, but no address is verified without \(flag.name): set \(flag.name), or remove "
            reader.complain(Setting.providerTrustsEmail, message + Setting.providerTrustsEmail.name)
        }
    }

    private static func options(_ reader: inout SettingsReader, issuer: String) -> ProtocolOptions {
        // The endpoints of the settings replace these.
        var options = ProtocolOptions(issuers: [issuer], authorizationEndpoint: "", tokenEndpoint: "", scopes: [])
        options.usesNonce = false
        options.issuesIDToken = false
        options.usesPKCE = reader.providerPKCE
        let isKey = reader.providerClientSecret.map(ClientKey.isPEM) ?? false
        let fitting: [ProtocolOptions.ClientAuthentication] =
            isKey ? [.privateKey] : reader.isSet(Setting.providerClientSecret) ? [.basic, .post] : [.none]
        options.clientAuthentication = fitting[0]
        let setting = Setting.providerAuthentication
        if let method = reader.providerAuthentication { options.clientAuthentication = method }
        if !fitting.contains(options.clientAuthentication) {
            let values = fitting.map(\.rawValue).joined(separator: " or ")
            reader.complain(setting, "does not fit \(Setting.providerClientSecret.name): set \(values), or remove it")
        }
        if fitting == [.none], !options.usesPKCE {
            let message = "is no, but a client without a client secret needs PKCE: set yes, or set a client secret"
            reader.complain(Setting.providerPKCE, message)
        }
        return options
    }
}

extension ClaimPaths {
    /// The names of claims in the settings.
    fileprivate init(_ reader: inout SettingsReader) {
        self.init(subject: reader.providerSubject ?? "")
        names = reader.providerNames
        (email, emailVerified) = (reader.providerEmail, reader.providerEmailVerified)
        (picture, profile) = (reader.providerPicture, reader.providerProfile)
    }
}

extension SettingsReader {
    /// Adds a problem with each of these settings that has a value and no problem yet.
    mutating func complain(aboutWritten settings: [Setting], _ message: String) {
        for setting in settings where isSet(setting) && !hasProblem(setting) { complain(setting, message) }
    }
}
