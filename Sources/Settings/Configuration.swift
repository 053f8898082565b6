package import EventLog
import OpenID
import Provider

/// All settings of the program, validated together.
///
/// It has the value of each setting under the name of its declaration in `SettingKeys`: `configuration.workers`.
@dynamicMemberLookup
package struct Configuration: Sendable {
    package struct Storing: Sendable, Equatable {
        package var directory: String
        /// The database for sessions; nil if sessions are in files.
        package var database: Database?
        /// Seconds for which a session from the database is reused.
        package var cache: Int
        /// The maximum number of sessions in files that are remembered for checks.
        package var remembered: Int
        /// Seconds without requests after which a session ends.
        package var idleLimit: Int
        /// The maximum number of used states to remember.
        package var spentStates: Int
        /// The accepted issuers of the members, the canonical one first.
        package var issuers: [String]
    }

    package struct Calling: Sendable, Equatable {
        /// Seconds.
        package var connectTimeout: Int
        /// Seconds.
        package var totalTimeout: Int
        package var concurrentCalls: Int
        package var caFile: String?
        package var extraCAFile: String?
    }

    package let settings: SettingValues
    package var pages: PageSettings
    /// The provider of the settings file, then those that files add, each with another ID.
    package var providers: [ProviderSettings]
    package var storing: Storing
    /// The texts that these settings were read from.
    package var texts: SettingTexts
    /// The site at the places of the package and its units; nil for settings at another place.
    package var site: InstalledSite?
    /// The settings file with the address of the site; nil if the environment has this address.
    package var settingsFile: String?
    /// The names of the settings whose new values only a restart makes effective.
    package var needingRestart: Set<String>

    package subscript<Value>(dynamicMember path: KeyPath<SettingKeys, SettingKey<Value>>) -> Value {
        settings[dynamicMember: path]
    }

    /// The provider of the settings file.
    package var first: ProviderSettings { providers[0] }

    package var mount: Mount { pages.mount }

    package var logging: LogOptions {
        LogOptions(least: settings.logLevel, format: settings.logFormat, writesRepeats: settings.logRepeats)
    }

    package var calling: Calling {
        Calling(
            connectTimeout: settings.connectTimeout,
            totalTimeout: settings.totalTimeout,
            concurrentCalls: settings.upstreamCalls,
            caFile: settings.caFile,
            extraCAFile: settings.extraCAFile
        )
    }
}

extension Configuration {
    /// Reads and validates every setting.
    ///
    /// - Throws: `ConfigurationError` with all problems.
    package init(_ sources: SettingSources) throws(ConfigurationError) {
        var reader = SettingsReader(sources)
        for key in Setting.keys { key.read(with: &reader) }
        reader.rejectUnused(by: reader.product)
        let first = ProviderSettings(&reader, mount: reader.baseURL)
        let others = sources.providers.map { $0.provider(mount: reader.baseURL) }
        providers = [first] + others.map(\.settings)
        if let same = providers.dropFirst().first(where: { $0.id == first.id }), !reader.isSet(Setting.providerID) {
            let message =
                "gives the ID \(first.id), which \(same.file ?? "a file") has too: remove the file, or these settings"
            reader.complain(Setting.providerIssuer, message)
        }
        pages = PageSettings(&reader, mount: reader.baseURL)
        storing = reader.storing(issuers: reader.acceptedIssuers())
        if reader.tokenSessions, first.issuer == nil, first.options.introspectionEndpoint == nil {
            reader.complain(
                Setting.tokenSessions,
                "accepts no token without \(Setting.introspectionEndpoint.name), which must be set for another provider than "
                    + "LinkedIn: set it, or remove \(Setting.tokenSessions.name)"
            )
        }
        reader.compare()
        settings = reader.values
        texts = sources.compared
        site = sources.site
        settingsFile = sources.value(Setting.baseURL)?.file
        needingRestart = Set(Setting.all.filter(sources.needsRestart).map(\.name))
        let problems = sources.problems + sources.mistakes(and: reader.problems) + others.flatMap(\.problems)
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }
}

extension Configuration {
    /// What the operator should know about providers that visitors cannot tell apart, or whose members are the same people.
    package var providerNotes: [String] {
        providers.indices.flatMap { index in
            providers[..<index].flatMap { former in notes(on: former, and: providers[index]) }
        }
    }

    private func notes(on one: ProviderSettings, and other: ProviderSettings) -> [String] {
        let both = "the providers \(one.id) and \(other.id)"
        var notes: [String] = []
        if one.name == other.name {
            notes.append(
                "\(both) have the same name “\(one.name)”, so visitors cannot tell their buttons apart: give one of them "
                    + "another name with \(Setting.providerName.name)"
            )
        }
        if let issuer = one.issuer, issuer == other.issuer, one.credentials.identifier == other.credentials.identifier {
            notes.append(
                "\(both) have the same issuer and the same client ID, so a person who uses both buttons becomes two members: "
                    + "remove one of the providers"
            )
        }
        return notes
    }
}

extension SettingSources {
    /// Reads the provider of a file that adds one.
    ///
    /// - Returns: The provider, and all problems of the file.
    fileprivate func provider(mount: Mount) -> (settings: ProviderSettings, problems: [ConfigurationError.Problem]) {
        var reader = SettingsReader(self)
        for key in Setting.keys where key.setting.isOfProvider { key.read(with: &reader) }
        let settings = ProviderSettings(&reader, mount: mount)
        return (settings, problems + mistakes(and: reader.problems))
    }
}

extension SettingsReader {
    fileprivate mutating func rejectUnused(by product: LinkedInProduct) {
        guard !hasProblem(Setting.product) else { return }
        for setting in product.unusedSettings where isSet(setting) {
            complain(
                setting,
                "has no effect with \(Setting.product.name)=\(product.rawValue): remove it, or change the product"
            )
        }
    }

    /// Compares settings that limit each other.
    fileprivate mutating func compare() {
        let lifetime = Setting.sessionLifetime
        if isSet(Setting.idleLimit) {
            let message = "is longer than \(lifetime.name), so it never ends a session: make it shorter, or remove it"
            limit(Setting.idleLimit, self.idleLimit, to: lifetime, self.sessionLifetime, message)
        }
        for (other, most) in [(Setting.maxBody, self.maxBody), (Setting.keptTotal, self.keptTotal)] {
            limit(Setting.keptBody, self.keptBody, to: other, most, "is more than \(other.name)")
        }
        let total = Setting.totalTimeout
        limit(Setting.connectTimeout, self.connectTimeout, to: total, self.totalTimeout, "is longer than \(total.name)")
    }

    mutating func storing(issuers: [String]) -> Configuration.Storing {
        Configuration.Storing(
            directory: self.stateDirectory,
            database: database(),
            cache: self.storeCache,
            remembered: self.rememberedSessions,
            idleLimit: self.idleLimit,
            spentStates: self.spentStates,
            issuers: issuers
        )
    }
}
