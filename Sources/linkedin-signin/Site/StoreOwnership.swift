import Encoding
import EventLog
import PostgreSQLStore
import Sessions
import Settings
import SignIn

/// The site to which a store belongs: the state directory and the database, if there is one, remember its base URL.
struct StoreOwnership: Sendable {
    private let directory: StoreSite?
    /// The state directory, for messages.
    private let path: String
    private let database: DatabaseSite?

    /// A part of the store that belongs to another site than that of the settings.
    struct Difference {
        /// The state directory, as in the settings; nil for the database.
        let directory: String?
        /// The base URL of the other site.
        let owner: String

        /// The part, for messages.
        var place: String { directory.map { "state directory \($0)" } ?? "database" }
    }

    /// - Parameters:
    ///   - path: The state directory, as in the settings.
    ///   - directory: The path under which this process finds the state directory; nil if it does not matter.
    ///   - database: The database; nil if sessions are in files.
    init(_ path: String, directory: String?, database: DatabaseSite?) {
        self.path = path
        self.directory = directory.map { StoreSite(directory: $0) }
        self.database = database
    }

    /// Compares the remembered base URLs with that of the settings.
    ///
    /// - Parameter baseURL: The base URL in the settings; nil if they have none.
    /// - Returns: The parts of the store that belong to another site.
    /// - Throws: `StoreError` if they cannot be read.
    func differences(from baseURL: String?) throws(StoreError) -> [Difference] {
        let database = database
        let inDatabase = try database.flatMap { database throws(StoreError) in
            try wait { () async throws(StoreError) in try await database.read() }
        }
        let found = [(path, try directory?.read()), (nil, inDatabase)]
        return found.compactMap { path, owner in
            owner.flatMap { $0 == baseURL ? nil : Difference(directory: path, owner: $0) }
        }
    }

    /// Checks that the store belongs to the site of the settings, or remembers no site yet.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL in the settings; nil if they have none.
    ///   - site: The site of the settings; nil for settings at another place.
    /// - Throws: `StartFailure` if it belongs to another site, or if this cannot be read.
    func require(_ baseURL: String?, of site: InstalledSite?) throws(StartFailure) {
        let found = try StartFailure.ofStore { () throws(StoreError) in try differences(from: baseURL) }
        guard !found.isEmpty else { return }
        let problems = found.map {
            ConfigurationError.Problem(subject: Setting.baseURL.name, message: $0.problem(baseURL, of: site))
        }
        throw .misconfigured(ConfigurationError(problems: problems))
    }

    /// Returns the command line that keeps the sessions, for the message that refuses a start.
    static func adoption(
        from old: String,
        provider: ProviderID? = nil,
        of site: InstalledSite?,
        file: String? = nil
    ) -> String {
        let named = (provider.map { " --provider \($0)" } ?? "") + " --from \(ShellWord.quoted(old))"
        let option = site?.option ?? " --settings-file \(file.map(ShellWord.quoted) ?? "FILE")"
        return "linkedin-signin store adopt\(named)\(option)"
    }

    /// Makes a store that remembers no site belong to that of the settings.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL in the settings.
    ///   - site: The site of the settings; nil for settings at another place.
    ///   - log: Receives what has changed.
    /// - Throws: `StartFailure` if the store belongs to another site.
    func claim(_ baseURL: String, of site: InstalledSite?, log: Log) throws(StartFailure) {
        let database = database
        do throws(StoreError) {
            if let directory, try directory.read() == nil, try directory.claim(baseURL) {
                log(LogEvent(.info, .storeClaimed, fields: [("store", path), ("site", baseURL)]))
            }
            if let database {
                let isNew = try wait { () async throws(StoreError) in
                    guard try await database.read() == nil else { return false }
                    return try await database.claim(baseURL)
                }
                if isNew { log(LogEvent(.info, .storeClaimed, fields: [("store", "database"), ("site", baseURL)])) }
            }
        } catch {
            // A full disk or an unreachable database does not stop the site; what is remembered is compared all the same.
            log(LogEvent(error, while: .storeClaimFailed))
            if error.code == .unreachable { return }
        }
        try require(baseURL, of: site)
    }

    /// Makes the store of a site that has a new base URL belong to it.
    ///
    /// - Parameters:
    ///   - old: The base URL that the operator expects to be replaced.
    ///   - baseURL: The new base URL.
    /// - Returns: What was changed, for people.
    /// - Throws: `StoreError`; `.unusable` if a part of the store belongs to a third site, or if the whole store belongs to
    ///   the new base URL already. Nothing has changed then.
    func change(from old: String, to baseURL: String) throws(StoreError) -> [String] {
        let differences = try differences(from: baseURL)
        if differences.isEmpty, old != baseURL, let place = try self.differences(from: nil).first?.place {
            throw StoreError(
                .unusable,
                detail:
                    "the \(place) belongs to \(baseURL) already, not to \(old): for another site of this machine, add --site "
                    + "with its name"
            )
        }
        if let other = differences.first(where: { $0.owner != old }) {
            throw StoreError(.unusable, detail: "the \(other.place) belongs to \(other.owner), not to \(old)")
        }
        let database = database
        if let directory, try directory.read() != nil { try directory.change(to: baseURL) }
        if let database { try wait { () async throws(StoreError) in try await database.change(to: baseURL) } }
        return differences.map(\.place)
    }
}

extension StoreOwnership.Difference {
    /// What is wrong, and what to do.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL in the settings; nil if they have none.
    ///   - site: The site of the settings; nil for settings at another place.
    /// - Returns: The message for an operator.
    func problem(_ baseURL: String?, of site: InstalledSite?) -> String {
        let advice = "name the settings of \(owner) with --site or --settings-file"
        guard let baseURL else { return "is not set, and the \(place) belongs to \(owner); \(advice)" }
        if let site, let other = InstalledSite.first(except: site, where: { $0.baseURL == baseURL }) {
            let files = [(site: site, source: site.settingsFile), (other, other.settingsFile)]
            return
                "is \(baseURL) in \(site.settingsFile) and in \(other.settingsFile), and the \(place) belongs to \(owner): "
                + InstalledSite.advice(onAddress: baseURL, of: files)
        }
        if let site, let other = InstalledSite.first(except: site, where: { $0.baseURL == owner }) {
            let isDatabase = directory == nil
            let setting = isDatabase ? Setting.store : Setting.stateDirectory
            let service = SiteService(site)
            let isUsual = directory == site.stateDirectory
            let isOfUnit = !isUsual && service.stateDirectories.contains { $0 == directory }
            let restore =
                "the files of that site were restored here: empty this directory, and restore the backup of this site"
            let remedy =
                (isOfUnit ? service.directoryRemoval : nil)
                ?? (isUsual ? restore : nil)
                ?? "give this site a \(isDatabase ? "database" : "state directory") of its own (\(setting.name))"
            return
                "is \(baseURL), and the \(place) belongs to \(owner), the site of \(other.settingsFile): \(remedy)"
        }
        // The command first, because the log shortens long values.
        let command = StoreOwnership.adoption(from: owner, of: site)
        return
            "is \(baseURL); if this site had the address \(owner) before, run: \(command). Otherwise, the \(place) belongs "
            + "to \(owner): \(advice)"
    }
}
