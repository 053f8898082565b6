import ArgumentParser
import OpenID
import PostgreSQLStore
import Sessions
import Settings

/// `store adopt`: lets a site with a new address keep its sessions, and a provider with a new issuer its members.
struct AdoptStore: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract: "Let a site keep its sessions after a change of its address or of an issuer.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin store adopt --from <url> [--provider <id>]
              [--site <site>] [--settings-file <file>]
            """,
        discussion: """
            The state directory and the database remember the SIGNIN_BASE_URL of their site. \
            serve and all commands reject settings with another SIGNIN_BASE_URL, because \
            they would change the sessions of the wrong site. If you have changed the \
            address of your site, run store adopt once, then reload or restart serve.

            The state directory also remembers the issuer of each provider, because members \
            of another issuer would get the sessions and rights of members with the same \
            subjects. With --provider, name the previous issuer in --from: after store \
            adopt, the ID of the provider belongs to the issuer in the settings. Run store \
            adopt on each machine of the site.

            Exits with 0 if the store belongs to the SIGNIN_BASE_URL in the settings or, \
            with --provider, if the ID belongs to the issuer in the settings; with 65 if the \
            store or the ID does not belong to the URL in --from, or if the store belongs to \
            another site of this machine; with 69 if the store cannot be used; with 78 if \
            the settings are wrong.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Option(help: ArgumentHelp("The previous SIGNIN_BASE_URL or issuer, as serve names it.", valueName: "url"))
    var from: String

    @Option(help: ArgumentHelp("The provider whose issuer has changed.", valueName: "id"))
    var provider: String?

    func perform() throws(StartFailure) {
        let installed = settings.installed
        let (database, path, address) = try settings.read(Configuration.places)
        guard let baseURL = address else { throw .misconfigured("\(Setting.baseURL.name): is not set") }
        try requireUnused(path, baseURL, database != nil, by: installed)
        if let provider { return try adopt(provider, path, baseURL) }
        let opened = try database.map { database throws(StartFailure) in try Database(database) }
        try opened?.requireSchema()
        let directory = try SessionsCommand.enter(path, of: settings)
        let site = opened.map { DatabaseSite($0.client) }
        Console.tellStore(of: baseURL, database, path)
        do throws(StoreError) {
            let ownership = StoreOwnership(path, directory: directory, database: site)
            let places = try ownership.change(from: from, to: baseURL)
            for place in places { print("the \(place) belongs to \(baseURL) now") }
            if places.isEmpty { print("the store belongs to \(baseURL): nothing to do") }
        } catch {
            guard error.code == .unusable else { throw .unavailable(error) }
            throw .badInput("--from: \(error)")
        }
    }

    /// Makes the ID of a provider belong to the issuer in the settings.
    private func adopt(_ id: String, _ path: String, _ baseURL: String) throws(StartFailure) {
        let providers = try settings.read(Configuration.init).providers
        let found = providers.first { $0.id.description == id }
        guard let provider = found, let issuer = provider.announcedIssuer else {
            let others = providers.filter { $0.issuer != nil }.map(\.id.description).joined(separator: ", ")
            throw .badInput("--provider: no provider with an issuer has the ID “\(id)”; IDs in the settings: \(others)")
        }
        let directory = try SessionsCommand.enter(path, of: settings)
        try StoreOwnership(path, directory: directory, database: nil).require(baseURL, of: settings.installed)
        let owner = Discovery.keptIssuer(of: provider.id, in: directory)
        guard let owner, owner.isIdentical(to: from), !owner.isIdentical(to: issuer) else {
            let already = owner?.isIdentical(to: issuer) == true ? " already: nothing to do" : ", not to \(from)"
            throw .badInput("--from: the ID \(id) belongs to \(owner ?? "no issuer")\(already)")
        }
        Console.tellStore(of: baseURL, nil, path)
        do {
            try Discovery.write(Discovery.stub(issuer), of: provider.id, in: directory)
        } catch {
            throw .unavailable("\(Setting.stateDirectory.name) “\(path)”: \(error)")
        }
        print("the ID \(id) belongs to \(issuer) now")
    }

    /// Refuses the store and the address of another site of this machine.
    private func requireUnused(
        _ directory: String,
        _ baseURL: String,
        _ isInDatabase: Bool,
        by installed: InstalledSite?
    ) throws(StartFailure) {
        if let installed, let other = InstalledSite.first(except: installed, where: { $0.baseURL == baseURL }) {
            throw .badInput(
                "SIGNIN_BASE_URL: is \(baseURL) in \(installed.settingsFile) and in \(other.settingsFile): give each site an "
                    + "address of its own"
            )
        }
        let resolved = StateDirectory.resolved(directory)
        let other = InstalledSite.first(except: installed) { sources in
            let its = sources.value(Setting.stateDirectory).map { StateDirectory.resolved($0.text) }
            return provider == nil && isInDatabase && sources.baseURL == from || its == resolved
        }
        guard let other else { return }
        let file = other.settingsFile
        throw .badInput(
            "--from: the site of \(file) has this address, or the state directory \(directory), so its store does not change"
        )
    }
}
