import ArgumentParser
import PostgreSQLStore
import Sessions
import Settings

/// `store`: prepares the database that several machines share, and moves sessions.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Prepare the database that several machines share, and move sessions.",
        subcommands: [Migrate.self, CopySessions.self, AdoptStore.self]
    )

    /// `store migrate`: brings the tables to the version that this program works with.
    struct Migrate: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Create or upgrade the tables in the database that SIGNIN_STORE names.",
            // By hand, because the library does not wrap this line.
            usage: """
                linkedin-signin store migrate [--site <site>]
                  [--settings-file <file>] [--sql]
                """,
            discussion: """
                Run store migrate as the owner of the database, before you start the new version \
                of linkedin-signin. A running old version keeps working with the new tables, but \
                exits with 78 if you restart it. store migrate needs no other settings than \
                SIGNIN_STORE and its password.

                Exits with 0 if the tables have the version that this program needs; with 69 if \
                the database cannot be used; with 78 if SIGNIN_STORE is wrong.
                """
        )

        @OptionGroup var settings: SettingsOptions

        @Flag(help: "Print the SQL statements, and change nothing.")
        var sql = false

        func perform() throws(StartFailure) {
            let (database, _, baseURL) = try settings.databasePlaces()
            var limits = DatabaseLimits()
            // An index of a large table takes time, and so does the command that this one waits for.
            limits.commit = .seconds(3_600)
            let client = try Database(database, limits: limits).client
            let found = try waitForStore { () async throws(StoreError) in try await Schema.version(in: client) }
            // Without the setting, the owner of the database names only the database.
            if let baseURL, found == Schema.version {
                try StoreOwnership("", directory: nil, database: DatabaseSite(client))
                    .require(baseURL, of: settings.installed)
            }
            if sql {
                print(Self.script(from: found))
            } else if found < Schema.version {
                Console.tellStore(of: baseURL, database, "")
                _ = try waitForStore { () async throws(StoreError) in try await Schema.migrate(client) }
                print("the tables have version \(Schema.version) now")
            } else {
                print("the tables have version \(found): nothing to do")
            }
        }

        private static func script(from version: Int) -> String {
            let statements = Schema.statements(from: version)
            guard !statements.isEmpty else { return "-- The tables have version \(version): nothing to do." }
            return (["BEGIN"] + statements + ["COMMIT"]).map { $0 + ";" }.joined(separator: "\n")
        }
    }
}
