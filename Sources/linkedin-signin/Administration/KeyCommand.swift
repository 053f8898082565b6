import ArgumentParser
import Diagnosis
import PostgreSQLStore
import Sessions
import Settings

/// `key`: the server keys, which seal the cookies of sign-ins.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Replace the server key, which seals the cookies of sign-ins.",
        subcommands: [Rotate.self]
    )

    /// `key rotate`: makes a new server key and keeps the old one for what it sealed.
    struct Rotate: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Make a new server key; sign-ins that have begun continue.",
            discussion: """
                With SIGNIN_STORE_KEY, the server keys are in the database: all machines read \
                the new key within seconds, and use it for new sign-ins after 30 seconds. No \
                machine needs a reload or a restart.

                Without SIGNIN_STORE_KEY, the server key is in the file server-key of the state \
                directory. Run key rotate as root or as the user of serve, then send SIGHUP to \
                serve. If several machines have copies of the file server-key, copy the new file \
                to all machines before you send SIGHUP to any of them.

                The previous key still opens what it sealed. If it leaked, run key rotate a \
                second time to remove it: with SIGNIN_STORE_KEY, more than a day later; without, \
                after the first SIGHUP, and then send SIGHUP again.

                Sessions do not depend on the server key: nobody is signed out.

                Exits with 0 if there is a new key; with 69 if the database or the file cannot \
                be used; with 78 if the settings are wrong.
                """
        )

        @OptionGroup var settings: SettingsOptions

        /// Until then, each machine has read a new key several times.
        private static let delay = Duration.seconds(30)

        func perform() throws(StartFailure) {
            let (database, directory, baseURL) = try settings.read(Configuration.places)
            let opened = try database.map { database throws(StartFailure) in try Database(database) }
            if let opened, let keys = opened.sharedKeys {
                try opened.requireSchema()
                let site = DatabaseSite(opened.client)
                try StoreOwnership(directory, directory: nil, database: site)
                    .require(baseURL, of: settings.installed)
                Console.tellStore(of: baseURL, database, directory)
                try rotate(keys)
            } else {
                // The key file must stay the file of the user of serve.
                let place = try SessionsCommand.enter(directory, of: settings)
                try StoreOwnership(directory, directory: place, database: nil)
                    .require(baseURL, of: settings.installed)
                Console.tellStore(of: baseURL, nil, directory)
                try rotate(in: place)
            }
        }

        private func rotate(_ keys: SharedKeys) throws(StartFailure) {
            try waitForStore { () async throws(StoreError) in try await keys.rotate(after: Self.delay) }
            print("all machines seal with a new server key in \(Int(Self.delay / .seconds(1))) s")
        }

        private func rotate(in directory: String) throws(StartFailure) {
            let reload = UnitCommands(site: (try? settings.place())?.site).reload
            let file = directory + "/" + ServerKeys.fileName
            try StartFailure.ofStore { () throws(StoreError) in try ServerKeys.rotate(file: file) }
            print("\(file) has a new server key: to use it, \(reload)")
        }
    }
}
