import Encoding
import POSIX
import Sessions

/// The values of settings and their sources, in order of precedence: environment, secret file, settings file.
package struct SettingSources: Sendable {
    package struct Value: Sendable, Equatable {
        package let text: String
        /// `environment`, or the path of a file, for messages.
        package let source: String
        /// The line of the settings file.
        package var line: Int?
        /// The source and the line, for messages.
        package var place: String { line.map { "\(source):\($0)" } ?? source }

        /// The file that contains the value; nil for other sources.
        package fileprivate(set) var file: String?
        /// Whether systemd copies the file at the start of the service, so that only a restart makes a change effective.
        package fileprivate(set) var isCredential = false
    }

    private static let environment = "environment"

    /// Reads and checks a file that contains a secret.
    package typealias SecretReader = (_ path: String) throws -> String

    private var values: [String: Value] = [:]
    /// The secrets whose file cannot be used.
    private(set) var unreadable: Set<String> = []
    /// The secrets whose systemd credential is empty.
    private var emptyCredentials: Set<String> = []
    /// The installed site whose settings these are; nil for settings at another place.
    package let site: InstalledSite?
    /// The service that has these settings, if a command knows it.
    let service: SiteService?
    /// The file of a provider that these are the settings of, and the ID in its name; nil for the settings of the site.
    let providerFile: (id: ProviderID, path: String)?
    /// The settings of the providers that files add, in the order of their names.
    package private(set) var providers: [SettingSources] = []
    package private(set) var problems: [ConfigurationError.Problem] = []

    /// - Parameters:
    ///   - environment: The environment variables of the process.
    ///   - file: The parsed settings file, if there is one.
    ///   - site: The installed site whose settings these are; nil for settings at another place.
    ///   - service: The service of this site, for a command that is not the service itself.
    ///   - readSecret: Reads a file named by a `…_FILE` variable or a systemd credential.
    package init(
        environment: [String: String],
        file: SettingsFile?,
        of site: InstalledSite? = nil,
        service: SiteService? = nil,
        readSecret: SecretReader
    ) {
        (self.site, self.service, providerFile) = (site, service, nil)
        problems = file?.problems ?? []
        let known = Set(Setting.all.map(\.name))
        for (name, text) in file?.values ?? [:] {
            guard known.contains(name) else {
                problems.append(Self.unknown(name, place: file?.place(of: name)))
                continue
            }
            values[name] = Value(text: text, source: file?.path ?? "", line: file?.lines[name], file: file?.path)
        }
        for (name, text) in environment where known.contains(name) {
            let isOfUnit = service?.environment[name] == text
            values[name] = Value(text: text, source: isOfUnit ? service?.placeInUnit(of: name) ?? "" : Self.environment)
        }
        for name in environment.keys where name.hasPrefix("SIGNIN_") && !known.contains(name) {
            problems.append(Self.unknown(name, place: nil))
        }
        for name in environment.keys where name.hasPrefix("LINKEDIN_") && !known.contains(name) {
            // Other programs may use this prefix: report a name only if the required setting it resembles is missing.
            guard let near = Setting.nearest(to: name), values[near.name] == nil, near.defaultText == nil else {
                continue
            }
            problems.append(Self.unknown(name, place: nil))
        }
        if values[Setting.stateDirectory.name] == nil, let directory = environment["STATE_DIRECTORY"] {
            values[Setting.stateDirectory.name] = Value(text: directory, source: "\(Self.environment) STATE_DIRECTORY")
            if directory.contains(":") {
                let message = SiteService.messageAboutDirectories(directory.split(separator: ":").map(String.init))
                problems.append(.init(subject: Setting.stateDirectory.name, message: message))
            }
        }
        if let site { useDefaults(of: site) }
        let credentials = environment["CREDENTIALS_DIRECTORY"]
        for setting in Setting.all where setting.isSecret {
            readFile(of: setting, credentials: credentials, readSecret)
        }
        reportInvisibleCharacters()
        addProviders(besides: file?.path, credentials: credentials, readSecret)
        problems.sort { ($0.subject, $0.message) < ($1.subject, $1.message) }
    }

    /// The settings of a provider that a file adds.
    private init(
        of id: ProviderID,
        _ file: SettingsFile,
        service: SiteService?,
        credentials: String?,
        _ readSecret: SecretReader
    ) {
        (site, self.service, providerFile) = (nil, service, (id, file.path))
        problems = file.problems
        let known = Setting.all.filter(\.isOfProvider).map(\.name)
        for (name, text) in file.values {
            guard name != Setting.providerID.name else {
                let message = "remove this line: the ID of this provider is \(id), the name of the file"
                problems.append(.init(subject: name, message: message, place: file.place(of: name)))
                continue
            }
            guard known.contains(name) else {
                let isOfSite = Setting.all.contains { $0.name == name }
                let message = "is not a setting of one provider: move this line to the settings file of the site"
                let problem = ConfigurationError.Problem(subject: name, message: message, place: file.place(of: name))
                problems.append(isOfSite ? problem : Self.unknown(name, place: file.place(of: name)))
                continue
            }
            values[name] = Value(text: text, source: file.path, line: file.lines[name], file: file.path)
        }
        readFile(of: Setting.providerClientSecret, credentials: credentials, readSecret)
        reportInvisibleCharacters()
        problems = problems.map { $0.at(file.path) }
    }

    /// Reads the files that each add a provider.
    private mutating func addProviders(besides file: String?, credentials: String?, _ readSecret: SecretReader) {
        let setting = Setting.providerDirectory
        if values[setting.name] == nil, let file {
            let usual = ProviderFiles.usualDirectory(besides: file)
            guard (try? FileStatus(path: usual)) != nil else { return }
            values[setting.name] = Value(text: usual, source: file)
        }
        // The setting itself is checked with the others.
        guard let directory = value(setting)?.text, directory.hasPrefix("/") else { return }
        let found = ProviderFiles(directory: directory)
        problems += found.problems
        for (id, file) in found.files {
            if let first = value(Setting.providerID), first.text == id.description {
                let message = "is the ID of the provider in \(file.path) too: rename that file, or set another ID"
                problems.append(.init(subject: Setting.providerID.name, message: message, place: first.place))
            }
            providers.append(
                SettingSources(of: id, file, service: service, credentials: credentials, readSecret)
            )
        }
    }

    /// Gives an instance its own state directory and socket, so that two sites share neither.
    private mutating func useDefaults(of site: InstalledSite) {
        if value(Setting.stateDirectory) == nil {
            let directory = service?.stateDirectory ?? site.stateDirectory
            values[Setting.stateDirectory.name] = Value(text: directory, source: site.service)
        }
        if value(Setting.listen) == nil, let socket = service?.socket ?? (site.name == nil ? nil : site.socket) {
            values[Setting.listen.name] = Value(text: "unix:\(socket)", source: site.socketUnit)
        }
    }

    /// Returns the value of a setting; nil if it is not set or empty.
    package func value(_ setting: Setting) -> Value? {
        values[setting.name].flatMap { $0.text.isEmpty ? nil : $0 }
    }

    /// These values, but with the values of other sources for the settings that only a restart changes.
    package func retainingUnreloadable(from other: SettingSources) -> SettingSources {
        var sources = self
        for setting in Setting.all where setting.needsRestart {
            sources.values[setting.name] = other.values[setting.name]
        }
        return sources
    }

    /// The settings of the site that have other values here than in other sources, in the order of the documentation.
    package func changes(from other: SettingSources) -> [Setting] {
        Setting.all.filter { text($0) != other.text($0) }
    }

    /// The IDs of the providers whose files were added, changed or removed.
    package func changedProviders(from other: SettingSources) -> [String] {
        let (own, others) = (providersByID, other.providersByID)
        let all = Set(own.keys).union(others.keys).map(\.description).sorted()
        return all.filter { name in
            guard let id = ProviderID(name), let new = own[id], let old = others[id] else { return true }
            return !new.changes(from: old).isEmpty
        }
    }

    /// The redirect paths of the providers that files add, below the mount.
    package var redirectPaths: [String] {
        providers.compactMap { $0.providerFile.map { SitePath.callback(of: $0.id) } }
    }

    private var providersByID: [ProviderID: SettingSources] {
        Dictionary(
            providers.compactMap { provider in provider.providerFile.map { ($0.id, provider) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Whether only a restart of the service makes a new value of a setting effective.
    package func needsRestart(_ setting: Setting) -> Bool {
        setting.needsRestart || value(setting)?.isCredential == true
    }

    /// Returns the file and line that set a value, the file of a secret, or the file of the provider; nil for another source.
    package func place(of setting: Setting) -> String? {
        if let place = service?.placeInUnit(of: setting.name), value(setting)?.source == place { return place }
        return value(setting).flatMap { $0.line == nil ? $0.file : $0.place } ?? providerFile?.path
    }

    private static func unknown(_ name: String, place: String?) -> ConfigurationError.Problem {
        .init(subject: name, message: "is not a setting of this program\(Setting.suggestion(for: name))", place: place)
    }

    /// Reports invisible characters, which copied text often contains.
    private mutating func reportInvisibleCharacters() {
        for setting in Setting.all where setting.use != .words {
            // Several lines of a secret are another mistake.
            guard let value = value(setting), !setting.isSecret || !value.text.contains(where: \.isNewline),
                let name = VisibleText.firstInvisible(in: Self.line(value.text, of: setting))
            else { continue }
            let shown = setting.shown(value.text) == value.text ? ": “\(value.text)”" : ""
            let advice = Advice("contains an invisible character (\(name))\(shown)", "remove it")
            problems.append(.init(subject: setting.name, advice, place: place(of: setting)))
        }
    }

    private mutating func readFile(of setting: Setting, credentials: String?, _ readSecret: SecretReader) {
        let named = values[setting.name + "_FILE"]?.text
        if named != nil, value(setting) != nil {
            let message = "is set, and \(setting.name)_FILE is set too: keep only one"
            problems.append(.init(subject: setting.name, message: message))
            return
        }
        let name = credentialName(setting)
        // An operator may name the file of the credential, to which the service needs no access.
        let original = service?.fileOfCredential(name)
        let isOriginal = original != nil && named == original && service?.environment[setting.name + "_FILE"] == nil
        if let named, !isOriginal || values[setting.name + "_FILE"]?.source != Self.environment {
            guard named.hasPrefix("/") else {
                problems.append(.init(subject: setting.name + "_FILE", message: "“\(named)” is not an absolute path"))
                unreadable.insert(setting.name)
                return
            }
            do {
                values[setting.name] = Value(text: try readSecret(named), source: named, file: named)
            } catch {
                let fault = error as? SecretFile.Unusable
                var advice = fault?.advice ?? "\(error)"
                let isDenied = fault?.isDenied == true
                if isDenied, let way = credentialInstead(of: setting) {
                    advice = "\(named) is not readable by \(User.current.described): \(way)"
                }
                problems.append(.init(subject: setting.name + "_FILE", advice, isDenied: isDenied))
                unreadable.insert(setting.name)
            }
            return
        }
        guard value(setting) == nil, let path = credentials.map({ "\($0)/\(name)" }) ?? original else { return }
        readCredential(path, of: setting, isOriginal: credentials == nil, readSecret)
    }

    /// Reads the credential of a service, or the file that systemd copies to it.
    private mutating func readCredential(
        _ path: String,
        of setting: Setting,
        isOriginal: Bool,
        _ readSecret: SecretReader
    ) {
        do {
            // systemd reads the file as root.
            let text = isOriginal ? try Self.original(path, readSecret) : try readSecret(path)
            values[setting.name] = Value(text: text, source: path, file: path, isCredential: true)
        } catch {
            let isMissing = isOriginal && (try? FileStatus(path: path)) == nil
            let fault = error as? SecretFile.Unusable
            if isMissing || fault?.isEmpty == true {
                // The units have an empty credential if there is no file. Only a required one must have a value.
                emptyCredentials.insert(setting.name)
            } else if isOriginal {
                let isDenied = fault?.isDenied == true
                let denial = "\(path) is not readable by \(User.current.described); run this command with sudo"
                let advice = isDenied ? Advice(denial) : fault?.advice ?? "\(error)"
                problems.append(.init(subject: setting.name, advice, isDenied: isDenied))
                unreadable.insert(setting.name)
            }
        }
    }

    /// Reads as root, as systemd does, the file that systemd copies for the service; its mode does not matter then.
    private static func original(_ path: String, _ readSecret: SecretReader) throws -> String {
        try ActingUser.performAsRoot {
            do {
                return try readSecret(path)
            } catch let error as SecretFile.Unusable where error.isPublic {
                return try SecretFile.original(path)
            }
        }
    }

    /// How systemd passes a secret to the service, so that only root can read its file; nil if no unit is known.
    package func credentialInstead(of setting: Setting) -> String? {
        guard let service, let value = values[setting.name + "_FILE"] ?? values[setting.name] else { return nil }
        let (unit, credential) = (service.site.service, credentialName(setting))
        let inUnit = "remove the setting from the environment of the unit"
        let removal = value.line.map { "remove line \($0) of \(value.source)" } ?? inUnit
        guard let file = service.fileOfCredential(credential) else {
            let line = "LoadCredential=\(credential):\(values[setting.name + "_FILE"]?.text ?? "FILE")"
            return "\(removal), then run: systemctl edit \(unit), and write these lines: [Service], \(line)"
        }
        guard file != value.text else {
            return "\(removal), because systemd passes this file to \(unit) as the credential \(credential)"
        }
        return "write the secret into \(file), which systemd passes to \(unit) as the credential \(credential), and "
            + removal
    }

    /// What to do about a required setting without a value; nil if another message says it already.
    func absence(of setting: Setting) -> Advice? {
        guard !unreadable.contains(setting.name) else { return nil }
        let credential = credentialName(setting)
        let restart = site.map { "run: systemctl restart \($0.service)" } ?? "restart the service"
        guard emptyCredentials.contains(setting.name) else {
            guard setting.isSecret else { return "is not set. \(setting.meaning)" }
            let what =
                "is not set: name the file that contains it in \(setting.name)_FILE, or give the service the systemd "
                + "credential \(credential), then \(restart)"
            return Advice(what, restarts: site != nil)
        }
        if let service, let file = service.fileOfCredential(credential) {
            let site = service.site
            let change = service.hasStarted ? "restart" : "enable --now \(site.socketUnit)"
            let what = "is not set: write the value into \(file), then run: systemctl \(change) \(site.service)"
            return Advice(what, restarts: service.hasStarted)
        }
        return Advice(
            "is not set: the systemd credential \(credential) is empty",
            "write the value into the file that LoadCredential=\(credential) in the unit names, then \(restart)",
            restarts: site != nil
        )
    }

    /// Returns the name of the systemd credential: `linkedin-client-secret` for `LINKEDIN_CLIENT_SECRET`.
    ///
    /// systemd names the credentials of a directory so: `provider-secrets_google` for the provider that a file google adds.
    func credentialName(_ setting: Setting) -> String {
        if let providerFile { return "\(SiteService.providerSecrets)_\(providerFile.id)" }
        return String(setting.name.lowercased().map { $0 == "_" ? "-" : $0 })
    }

    /// The address of the site; nil if it is not set or wrong.
    package var baseURL: String? {
        var reader = SettingsReader(self)
        let url = reader.siteAddress()
        return reader.problems.isEmpty ? url : nil
    }

    /// The host of the site; nil if its address is not set or wrong.
    package var host: String? { baseURL.flatMap { WebURL($0)?.host } }

    /// The files and directories that the service opens, each with the name of the setting that names it.
    package var files: [(name: String, path: String)] {
        let settings = Set(values.values.compactMap { $0.line == nil ? nil : $0.file }).map { ($0, $0) }
        let named = Setting.all.filter { $0.use == .file }
        let own = settings + named.compactMap { setting in value(setting).map { (setting.name, $0.text) } }
        return own + providers.flatMap(\.files)
    }

    /// What another process with the same settings has too.
    ///
    /// Without the paths of secrets, whose values are there, and without the places that systemd gives the program.
    package var compared: SettingTexts {
        let paths = Setting.all.filter(\.isSecret).map { $0.name + "_FILE" }
        let omitted = Set(paths + [Setting.listen.name, Setting.stateDirectory.name])
        let names = Setting.all.filter { !omitted.contains($0.name) && (providerFile == nil || $0.isOfProvider) }
        let own = names.map { ($0.name, text($0)) }
        let others = providers.flatMap { provider in
            provider.compared.texts.map { ("\($0) in \(provider.providerFile?.path ?? "")", $1) }
        }
        return SettingTexts(Dictionary(own + others, uniquingKeysWith: { first, _ in first }))
    }

    func text(_ setting: Setting) -> String { value(setting)?.text ?? setting.defaultText ?? "" }
}
