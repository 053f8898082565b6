package import EventLog
package import OpenID

/// All settings of the program, validated together.
package struct Configuration: Sendable {
    package struct Listening: Sendable, Equatable {
        package var listen: ListenAddress
        package var socketMode: Int
        package var socketGroup: String?
        package var allowedUsers: [String]
        /// The address for monitoring; nil if there is none.
        package var admin: ListenAddress?
        /// The number of worker threads; 0 means one for each core.
        package var workers: Int
        /// Seconds.
        package var requestTimeout: Int
        /// Seconds.
        package var stopGrace: Int
        /// Bytes.
        package var maxParameters: Int
        /// Bytes.
        package var maxBody: Int
    }

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
    }

    package struct Keeping: Sendable, Equatable {
        /// The maximum size of a kept form in bytes; 0 disables kept forms.
        package var bodyLimit: Int
        /// The maximum total size of all kept forms in bytes.
        package var total: Int
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

    package var pages: PageSettings
    package var credentials: ClientCredentials
    package var provider: Provider
    package var profile: ProfileEndpoint
    /// Seconds from sign-in to the end of the session.
    package var sessionLifetime: Int
    /// Whether guarded locations accept only sessions with an access token that can be used or renewed.
    package var requiresLiveToken: Bool
    /// Whether `POST /session` makes a session from an access token.
    package var acceptsTokens: Bool
    /// The longest life of a personal token in seconds; nil if there are none.
    package var personalTokenLife: Int?
    /// Seconds for which a fetched profile is reused.
    package var profileCache: Int
    package var listening: Listening
    package var storing: Storing
    package var keeping: Keeping
    package var calling: Calling
    package var logging: LogOptions
    /// Whether the log has the e-mail address of a member who signs in, signs out or is rejected.
    package var logsEmail: Bool
    /// The texts that these settings were read from.
    package var texts: SettingTexts
    /// The site at the places of the package and its units; nil for settings at another place.
    package var site: InstalledSite?
    /// The names of the settings whose new values only a restart makes effective.
    package var needingRestart: Set<String>

    package var mount: Mount { pages.mount }
}
