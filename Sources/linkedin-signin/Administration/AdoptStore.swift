import ArgumentParser
import PostgreSQLStore
import Sessions
import Settings

/// `store adopt`: lets a site with a new address keep its sessions.
struct AdoptStore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract: "Let a site whose address has changed keep its sessions.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin store adopt --from <url> [--site <site>]
              [--settings-file <file>]
            """,
        discussion: """
            The state directory and the database remember the SIGNIN_BASE_URL that they \
            belong to. serve and all commands refuse settings with another one, because \
            they would act on the sessions of the wrong site. After an honest change of \
            SIGNIN_BASE_URL, run this command once, then reload or restart serve.

            Exits with 0 if the store belongs to the SIGNIN_BASE_URL of the settings, \
            with 65 if it does not belong to the URL in --from or belongs to another site of \
            this machine, with 69 if it cannot be used, with 78 if the settings are wrong.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Option(help: ArgumentHelp("The SIGNIN_BASE_URL until now, as the refusal names it.", valueName: "url"))
    var from: String

    func run() throws {
        try Console.perform { () throws(StartFailure) in
            let installed = settings.installed
            let (database, path, baseURL) = try settings.read(Self.places)
            try requireUnused(path, by: installed)
            let opened = try database.map { database throws(StartFailure) in try Database(database) }
            try opened?.requireSchema()
            let directory = try SessionsCommand.enter(path)
            let site = opened.map { DatabaseSite($0.client) }
            Console.tellStore(of: baseURL, database, path)
            do throws(StoreError) {
                let ownership = StoreOwnership(path, directory: directory, database: site)
                let places = try ownership.change(from: from, to: baseURL)
                for place in places { print("the \(place) belongs to \(baseURL) now") }
                if places.isEmpty { print("the store belongs to \(baseURL): nothing to do") }
            } catch {
                guard error.code == .unusable else { throw .unavailable(error) }
                throw StartFailure(description: "--from: \(error)", exitCode: .badInput)
            }
        }
    }

    /// Refuses the store of another site of this machine.
    private func requireUnused(_ directory: String, by installed: InstalledSite?) throws(StartFailure) {
        let resolved = StateDirectory.resolved(directory)
        let other = InstalledSite.first(except: installed) { sources in
            let its = sources.value(Setting.stateDirectory).map { StateDirectory.resolved($0.text) }
            return sources.baseURL == from || its == resolved
        }
        guard let other else { return }
        let file = other.settingsFile
        let message =
            "--from: the site of \(file) has this address or the state directory \(directory): its store stays its own"
        throw StartFailure(description: message, exitCode: .badInput)
    }

    private static func places(
        _ sources: SettingSources
    ) throws(ConfigurationError) -> (database: Configuration.Database?, directory: String, baseURL: String) {
        let (database, directory, baseURL) = try Configuration.places(sources)
        if let baseURL { return (database, directory, baseURL) }
        throw ConfigurationError(problems: [.init(subject: Setting.baseURL.name, message: "is not set")])
    }
}
