package import EventLog

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
