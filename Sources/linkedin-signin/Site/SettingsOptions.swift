import ArgumentParser
import Encoding
import POSIX
import Settings
import SignIn
import WebServerConfiguration

/// The name of a site: of the instance of its units and of its folder in `/etc/linkedin-signin`, or the host in its address.
struct SiteName {
    let site: InstalledSite
    /// What the operator wrote.
    let text: String

    /// - Throws: `ValidationError` for a text that cannot be a name, such as an address.
    init(argument: String) throws {
        guard let named = InstalledSite(named: argument) else {
            let host = WebURL(argument).map { "write only the host of the address: --site \($0.host)" }
            throw ValidationError(host ?? "write the name of a site, such as example.org")
        }
        text = argument
        // An operator may name the site of linkedin-signin.service as the other sites are named.
        let byHost = named.exists ? nil : InstalledSite.first(except: nil) { $0.host == argument.lowercased() }
        site = byHost ?? named
    }

    /// The option, in front of a space.
    var option: String { " --site \(text)" }
}

/// Which site a command is about: the sources of its settings.
struct SettingsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The site with this name or host; without --site and --settings-file, the site of linkedin-signin.service.",
            valueName: "site"
        ),
        transform: SiteName.init(argument:)
    )
    var site: SiteName?

    @Option(
        help: ArgumentHelp("A file of NAME=value lines, in the format of EnvironmentFile=.", valueName: "file"),
        completion: .file()
    )
    var settingsFile: String?

    func validate() throws {
        guard site == nil || settingsFile == nil else {
            throw ValidationError("Write one of --site and --settings-file.")
        }
    }

    /// Whether the command line says which site is meant.
    var areGiven: Bool { site != nil || settingsFile != nil }

    /// The installed site that is meant; nil for settings at another place.
    var installed: InstalledSite? { (try? place())?.site }

    /// Where the settings are, and what this machine knows about the service.
    ///
    /// - Parameter isService: Whether this process is the service itself.
    /// - Returns: The place.
    /// - Throws: `ConfigurationError` if there is no such site.
    func place(isService: Bool = false) throws(ConfigurationError) -> SettingsPlace {
        try SettingsPlace(site: site, file: settingsFile, isService: isService)
    }

    /// Collects the values of all sources, before any check.
    ///
    /// - Parameter readSecret: Reads the file that a `…_FILE` setting names; a command that needs no secrets reads none.
    /// - Returns: The values.
    /// - Throws: `ConfigurationError` if there is no such site, or its settings file cannot be used.
    func sources(
        readSecret: SettingSources.SecretReader = SecretFile.read
    ) throws(ConfigurationError) -> SettingSources {
        try place().sources(readSecret: readSecret)
    }

    /// Reads a part of the settings for a command.
    ///
    /// - Throws: `StartFailure` if they are wrong.
    func read<Part>(_ part: (SettingSources) throws(ConfigurationError) -> Part) throws(StartFailure) -> Part {
        do throws(ConfigurationError) {
            return try part(sources())
        } catch {
            throw .misconfigured(error)
        }
    }

    /// Reads where the sessions are and to which site they belong, for a command that needs the database.
    ///
    /// - Throws: `StartFailure` if one of these settings is wrong, or if they name no database.
    func databasePlaces() throws(StartFailure) -> (
        database: Configuration.Database, directory: String, baseURL: String?
    ) {
        let places = try read(Configuration.places)
        guard let database = places.database else {
            throw .misconfigured("\(Setting.store.name) is empty: set it to the address of the database")
        }
        return (database, places.directory, places.baseURL)
    }

    /// The options as words of a command line, after a space; nothing without options.
    var words: String {
        let words = [site.map { "--site=\($0.text)" }, settingsFile.map { "--settings-file=" + $0 }]
        return words.compactMap(\.self).map { " " + ShellWord.quoted($0) }.joined()
    }

    /// The settings for which rules are reviewed, or their defaults; without values if the settings cannot be read.
    var ofRules: RuleSettings {
        do throws(ConfigurationError) {
            var settings = try sources(readSecret: { _ in "" }).ofRules
            settings.service = try place().service
            return settings
        } catch {
            return RuleSettings()
        }
    }
}

extension SettingsOptions {
    /// Rules, and those in the include files of the site in the directories of Debian.
    ///
    /// - Parameter named: The rules that the operator names.
    /// - Returns: All rules; only the named ones for a command of another user than root, as whom the package checks settings
    ///   before it restarts the program: a list does not keep the program from starting.
    func rules(besides named: [String]) -> [String] {
        guard ActingUser.isRoot, (try? place())?.service != nil,
            let sources = try? sources(readSecret: { _ in "" }),
            let front = try? FrontEnd(sources, locations: [], rules: ["member"])
        else { return named }
        return named + front.writtenRules.filter { !named.contains($0) }
    }
}

extension ExitCode {
    /// `EX_CONFIG` of sysexits.h: the configuration is missing or invalid.
    static let misconfigured = ExitCode(78)
    /// `EX_IOERR` of sysexits.h: the output could not be written.
    static let outputFailed = ExitCode(74)
    /// `EX_DATAERR` of sysexits.h: the input is wrong.
    static let badInput = ExitCode(65)
    /// `EX_CANTCREAT` of sysexits.h: an output file cannot be created.
    static let cannotCreate = ExitCode(73)
    /// `EX_UNAVAILABLE` of sysexits.h: a resource that the program needs is not available.
    static let unavailable = ExitCode(69)
}
