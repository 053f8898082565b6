import Encoding
import POSIX
import Settings
import SignIn

import class FoundationEssentials.FileManager
import class FoundationEssentials.ProcessInfo
import struct FoundationEssentials.URL

/// Where a command finds the settings of a site, and what this machine knows about the service of that site.
struct SettingsPlace: Sendable {
    /// The site, if its settings are where the package and the units have them.
    let site: InstalledSite?
    /// Nil in the service itself, for settings at another place, and on a machine without the unit.
    let service: SiteService?
    /// The settings file; nil if the settings are in the environment only.
    let file: String?
    private let environment: [String: String]

    /// Chooses the settings: of the named site, of the named file, of the environment, or of the only site without a name.
    ///
    /// - Parameters:
    ///   - name: The instance that `--site` names.
    ///   - file: The file that `--settings-file` names.
    ///   - isService: Whether this process is the service, to which systemd gives everything in the environment.
    /// - Throws: `ConfigurationError` if the site does not exist, or if it is not clear which site is meant.
    init(site name: SiteName?, file: String?, isService: Bool) throws(ConfigurationError) {
        let inherited = ProcessInfo.processInfo.environment
        let chosen = try Self.site(name, file: file, inherited)
        site = chosen
        self.file = file ?? chosen?.settingsFile
        let service = isService ? nil : chosen.map { SiteService($0) }
        self.service = service.flatMap { $0.isInstalled ? $0 : nil }
        // Without an option, the environment has no settings. Only the caller who names a file may replace some of them.
        let own = isService || file != nil || chosen == nil ? inherited : [:]
        environment = (service?.environment ?? [:]).merging(own) { $1 }
    }

    private static func site(
        _ name: SiteName?,
        file: String?,
        _ environment: [String: String]
    ) throws(ConfigurationError) -> InstalledSite? {
        if let file { return InstalledSite(settingsFile: URL(fileURLWithPath: file).path) }
        let setting = environment.keys.sorted().first { variable in
            Setting.all.contains { $0.name == variable }
        }
        if let name {
            if let setting {
                let message = "is set in the environment, and\(name.option) has its own settings: unset it"
                throw ConfigurationError(problems: [.init(subject: setting, message: message)])
            }
            guard name.site.exists else { throw missing(name.site) }
            return name.site
        }
        guard setting == nil, let first = InstalledSite.all.first else { return nil }
        guard first == .unnamed else { throw missing(.unnamed) }
        return first
    }

    private static func missing(_ site: InstalledSite) -> ConfigurationError {
        let file = site.settingsFile
        let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: file)).map {
            " (it is a link to \($0))"
        }
        let (names, remains, unnamed) = (InstalledSite.all.compactMap(\.name), site.remains, InstalledSite.unnamed)
        let sites =
            names.isEmpty
            ? "this machine has no site with a name"
            : "the sites of this machine: " + names.map { "--site \($0)" }.joined(separator: ", ")
        let lost =
            "restore this file, because this machine still has \(remains.joined(separator: " and ")) of this site"
        // Without the option, a command would act on another site than the one that lost its settings.
        let other = unnamed.exists ? "; without the option: the site of \(unnamed.service)" : ""
        let message =
            "\(file) does not exist\(target ?? ""); " + (remains.isEmpty ? sites + other : "\(lost); \(sites)")
        return ConfigurationError(problems: [.init(subject: "--site", message: message)])
    }

    /// Collects the values of all sources, before any check.
    ///
    /// - Parameter readSecret: Reads the file that a `…_FILE` setting names; a command that needs no secrets reads none.
    /// - Returns: The values.
    /// - Throws: `ConfigurationError` if the settings file cannot be read, or contains a secret and is readable for every
    ///   user.
    func sources(
        readSecret: SettingSources.SecretReader = SecretFile.read
    ) throws(ConfigurationError) -> SettingSources {
        SettingSources(
            environment: environment,
            file: try file.map { path throws(ConfigurationError) in try SettingsFile(reading: path) },
            of: site,
            service: service,
            readSecret: readSecret
        )
    }
}

// Root sees more files than the service: what a command of root says about settings must be true for the service.

extension SettingsPlace {
    /// The user as whom a command of root reads the files of the settings; nil for a command of another user, for a service
    /// that runs as root, and without a unit.
    var user: ProcessUser? {
        ActingUser.isRoot ? service?.user : nil
    }

    /// The same user; without a unit, the owner of the state directory, as whom the program then has to run.
    var userOrOwner: ProcessUser? {
        guard ActingUser.isRoot, service == nil else { return user }
        guard let sources = try? sources(readSecret: { _ in "" }),
            let path = sources.value(Setting.stateDirectory)?.text ?? Setting.stateDirectory.defaultText,
            let status = try? FileStatus(path: StateDirectory.resolved(path)), status.owner != 0
        else { return nil }
        let owner = User(id: status.owner)
        return ProcessUser(owner, groups: owner.groups.isEmpty ? [status.group] : owner.groups)
    }
}
