import FastCGI
import HTTPClient
import OpenID
import Pages
import Provider
import Settings
import SignIn

extension ServerOptions {
    /// The limits of the server, from the settings.
    ///
    /// - Throws: `StartFailure` for a user in `SIGNIN_ALLOWED_USERS` that the system does not know.
    init(_ configuration: Configuration) throws(StartFailure) {
        self.init()
        let settings = configuration.settings
        if settings.workers > 0 { workers = settings.workers }
        parameterLimit = settings.maxParameters
        bodyLimit = settings.maxBody
        asksWithoutBody = true
        authorizationPath = configuration.authorizationPath
        describedPath = configuration.describedPath
        requestTimeout = .seconds(settings.requestTimeout)
        answerTimeout = .seconds(settings.requestTimeout)
        // Longer than anything that the program waits for takes; a worker waits for none of it.
        hangLimit = .seconds(max(settings.requestTimeout, configuration.totalTimeout))
        grace = .seconds(settings.stopGrace)
        if !settings.allowedUsers.isEmpty {
            peers = try StartFailure.naming(Setting.allowedUsers) { () throws(FastCGIError) in
                try PeerPolicy(users: settings.allowedUsers)
            }
        }
    }
}

extension Configuration {
    /// The path whose POST requests the program describes to `doctor`.
    var describedPath: String { mount.path(SitePath.login.rawValue) }

    /// The path whose POST requests have the field `Authorization`; nil if the site accepts no access tokens.
    var authorizationPath: String? { self.tokenSessions ? mount.path(SitePath.session.rawValue) : nil }
}

extension ProviderSettings {
    /// The names of the provider's endpoints in the metrics.
    var namedEndpoints: [(address: String, name: String)] {
        let endpoints: [(String?, String)] = [
            (options.tokenEndpoint, "token"), (options.jwksURI, "keys"), (options.userinfoEndpoint, "userinfo"),
            (options.introspectionEndpoint, "introspection"), (options.revocationEndpoint, "revocation"),
            (profile.address, "profile"),
        ]
        return endpoints.compactMap { address, name in address.map { ($0, name) } }
    }
}

extension CurlTransport.Configuration {
    /// - Parameters:
    ///   - calling: The settings.
    ///   - providers: The number of providers, each of which has its own limit of calls.
    init(_ calling: Configuration.Calling, providers: Int = 1) {
        self.init()
        connectTimeout = .seconds(calling.connectTimeout)
        totalTimeout = .seconds(calling.totalTimeout)
        // The site allows no more calls at a time. One more, because the request for a key set continues after the sign-in
        // that needed it was cancelled; the next sign-in must not fail after it has used its code.
        maximumCalls = (calling.concurrentCalls + 1 + Revocations.limit) * providers
        authorityFile = calling.caFile
        extraAuthorityFile = calling.extraCAFile
    }

    /// The limits for sending a kept form to the site's own application.
    ///
    /// 60 s is nginx's default timeout for an application. The answer is one page; the configurations that this program
    /// prints give nginx a header buffer of 32 KiB.
    static func forms(_ calling: Configuration.Calling) -> Self {
        var configuration = Self(calling)
        configuration.totalTimeout = .seconds(60)
        configuration.maximumCalls = 16
        configuration.maximumBodyBytes = 8 << 20
        configuration.maximumHeaderBytes = 30 << 10
        return configuration
    }
}

extension ProviderLabel {
    init(_ provider: PageSettings.ShownProvider) {
        self.init(id: provider.id, name: provider.name, logo: provider.logo, color: provider.color)
    }
}

extension PageRenderer {
    /// Makes the pages of a configuration; an error in a template is an error of the configuration.
    init(_ configuration: Configuration) throws(ConfigurationError) {
        try self.init(configuration.pages)
    }

    /// Makes the pages of a site; an error in a template is an error of the configuration.
    ///
    /// - Parameters:
    ///   - settings: The settings of the pages.
    ///   - theme: The only theme, for a preview; nil for the one that the browser prefers.
    /// - Throws: `ConfigurationError` with every problem.
    init(_ settings: PageSettings, theme: Theme? = nil) throws(ConfigurationError) {
        do {
            try self.init(
                templateDirectory: settings.templateDirectory,
                paths: Paths(settings.mount, home: settings.home),
                provider: ProviderLabel(settings.providers[0]),
                others: settings.providers.dropFirst().map(ProviderLabel.init),
                siteName: settings.siteName,
                appearance: settings.appearance,
                pictureSources: settings.pictureSources,
                formTargets: [settings.afterSignOut.origin].compactMap(\.self),
                theme: theme
            )
        } catch {
            let directory = settings.templateDirectory ?? ""
            let problems = error.faults.map { fault in
                let message = fault.file == directory ? fault.description : "\(directory)/\(fault)"
                return ConfigurationError.Problem(subject: "SIGNIN_TEMPLATES", message: message)
            }
            throw ConfigurationError(problems: problems)
        }
    }
}
