import ArgumentParser
import PostgreSQLStore
import Sessions
import Settings

import struct FoundationEssentials.Date

/// `store copy`: moves sessions from files to the database, or back.
struct CopySessions: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Move sessions from the state directory to the database, or back.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin store copy --to <to> [--site <site>]
              [--settings-file <file>] [--finish]
            """,
        discussion: """
            store copy signs nobody out. To move to the database in SIGNIN_STORE:

              1. Run "store copy --to database" while serve runs without SIGNIN_STORE.
                 The first copy takes most of the time, and you can repeat it.
              2. Stop serve, and run "store copy --to database --finish". It copies
                 new and changed sessions, removes the sessions that ended after
                 step 1 from the database, and removes the files.
              3. Start serve with SIGNIN_STORE.

            Personal tokens move with --finish. With --finish, store copy does not start \
            while serve uses the state directory or, on any machine, the database; and serve \
            does not start while store copy runs.

            To move back, stop serve on all machines, run "store copy --to files --finish", \
            and start serve without SIGNIN_STORE. If root runs store copy, it acts as the \
            owner of the state directory; any other user must be the user of serve.

            Exits with 0 if all sessions are copied. Exits with 69 if not: then run store \
            copy again.
            """
    )

    enum Target: String, ExpressibleByArgument, CaseIterable {
        case database
        case files
    }

    @OptionGroup var settings: SettingsOptions

    @Option(help: "Where the sessions go: database or files.")
    var to: Target

    @Flag(help: "Copy the rest, and remove the copied sessions from the old place; serve must not run.")
    var finish = false

    func validate() throws {
        guard to == .database || finish else {
            throw ValidationError("Moving back needs --finish, and serve must not run on any machine.")
        }
    }

    func perform() throws(StartFailure) {
        let (address, database, files, directory) = try stores()
        let (source, target): (any Records, any Records) = to == .database ? (files, database) : (database, files)
        let locking = finish ? try Database(address, limits: ServiceLock.limits).client : nil
        let lock = try StartFailure.ofStore { () throws(StoreError) in
            finish ? try StateDirectoryLock(directory, isShared: false) : nil
        }
        let counts = try waitForStore { () async throws(StoreError) in
            try await Self.copy(from: source, to: target, locking: locking)
        }
        withExtendedLifetime(lock) {}
        print("\(counts.copied) sessions are in the \(to == .database ? "database" : "state directory")")
        if counts.unknown > 0 {
            print("\(counts.unknown) records are damaged or of a newer version, and stay where they are")
        }
    }

    /// The settings of the database, the database, the files, and the path of their directory.
    private func stores() throws(StartFailure) -> (Configuration.Database, PostgreSQLStore, FileStore, String) {
        let (places, installed) = (try settings.databasePlaces(), settings.installed)
        // First: PostgreSQL may know the user of the service by its name.
        let directory = try SessionsCommand.enter(places.directory, of: settings)
        let database = try Database(places.database)
        try database.requireSchema()
        let site = DatabaseSite(database.client)
        try StoreOwnership(places.directory, directory: directory, database: site)
            .require(places.baseURL, of: installed)
        Console.tellStore(of: places.baseURL, places.database, places.directory)
        let files = try StartFailure.ofStore { () throws(StoreError) in try FileStore(directory: directory) }
        return (places.database, PostgreSQLStore(database.client), files, directory)
    }

    /// Copies all sessions; the last copy locks the database, through a client of its own.
    private static func copy(
        from source: any Records,
        to target: any Records,
        locking client: DatabaseClient?
    ) async throws(StoreError) -> (copied: Int, unknown: Int) {
        var counts = (copied: 0, unknown: 0)
        let lock = if let client { try await ServiceLock(client) } else { ServiceLock?.none }
        for shard in 0..<RecordName.shardCount {
            // Ended sessions are copied too, and the other store removes them.
            let found = StoredRecords(try await source.read(.shard(shard, headersOnly: false)))
            _ = try await target.put(.sessions(found.records, .copy(shard: shard, isComplete: lock != nil)))
            if let lock, !found.records.isEmpty {
                try await lock.requireHeld()
                _ = try await source.remove(.sessions(.ids(found.records.map(\.id))))
            }
            counts.copied += found.records.count
            counts.unknown += found.unreadable.count
        }
        // Only at the end: a token that is revoked between two copies must not come back.
        guard let lock else { return counts }
        let (tokens, owners) = (try await source.tokens(of: nil), try await source.owners(nil))
        _ = try await target.put(.tokens(tokens, owners: owners))
        try await lock.requireHeld()
        _ = try await source.remove(.tokens(.ids(Set(tokens.map(\.id)))))
        return counts
    }
}
