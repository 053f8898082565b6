package import EventLog
package import OpenID

/// The settings of a whole program, read once and valid together.
package struct Configuration: Sendable {
    package struct Listening: Sendable, Equatable {
        package var listen: ListenAddress
        package var socketMode: Int
        package var socketGroup: String?
        package var allowedUsers: [String]
        /// 0: one a core.
        package var workers: Int
        package var requestTimeout: Int
        package var stopGrace: Int
        package var maxParameters: Int
        package var maxBody: Int
    }

    package struct Storing: Sendable, Equatable {
        package var directory: String
        /// Nil: sessions are in files.
        package var database: Database?
        /// Seconds for which a session from the database is not read again.
        package var cache: Int
        package var idleLimit: Int
        /// Marks of used states that there may be.
        package var spentStates: Int
    }

    package struct Keeping: Sendable, Equatable {
        /// Bytes of one form; 0: none is kept.
        package var bodyLimit: Int
        /// Bytes of all forms together.
        package var total: Int
    }

    package struct Calling: Sendable, Equatable {
        package var connectTimeout: Int
        package var totalTimeout: Int
        package var concurrentCalls: Int
        package var caFile: String?
    }

    package var mount: Mount
    package var credentials: ClientCredentials
    package var provider: Provider
    package var profile: ProfileEndpoint
    /// What pages call the site; never empty.
    package var siteName: String
    package var templateDirectory: String?
    package var pictureSources: PictureSources
    /// Where "Home" links and a sign-in without a return path lead.
    package var home: Place
    package var afterSignOut: Place
    /// Whom a member without access is told to ask.
    package var contact: String?
    /// Seconds from signing in to the end of a session.
    package var sessionLifetime: Int
    /// Seconds for which a profile is not fetched again.
    package var profileCache: Int
    package var listening: Listening
    package var storing: Storing
    package var keeping: Keeping
    package var calling: Calling
    package var logLevel: LogLevel
}
