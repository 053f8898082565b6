extension Configuration {
    /// A PostgreSQL database that several machines share; it prints without its password.
    package struct Database: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
        /// `postgresql://…`, without a password.
        package var address: String
        package var password: String?
        /// The key that opens the server keys in the database; nil if each machine has them in its state directory.
        package var key: String?

        package var description: String { address }
        package var customMirror: Mirror { Mirror(self, children: []) }
    }
}

extension Configuration {
    /// Reads only where sessions and server keys are and to which site they belong, for commands that need no other
    /// settings.
    ///
    /// - Returns: the database, if there is one, the state directory, and the address of the site if it is set.
    /// - Throws: `ConfigurationError` if one of these settings is wrong.
    package static func places(
        _ sources: SettingSources
    ) throws(ConfigurationError) -> (database: Database?, directory: String, baseURL: String?) {
        var reader = SettingsReader(sources)
        let (database, directory) = (reader.database(), reader.stateDirectory)
        let baseURL = reader.siteAddress()
        guard reader.problems.isEmpty else { throw ConfigurationError(problems: reader.problems) }
        return (database, directory, baseURL)
    }
}

extension SettingsReader {
    /// Returns the address of the site, for a command that can do without; nil if it is not set.
    mutating func siteAddress() -> String? { isSet(Setting.baseURL) ? self.baseURL.baseURL : nil }

    /// The database that sessions are in; nil if they are in files.
    mutating func database() -> Configuration.Database? {
        guard let address = self.store else {
            for setting in [Setting.storePassword, Setting.storeKey] where isSet(setting) {
                complain(setting, "has no effect without \(Setting.store.name)")
            }
            return nil
        }
        // Neither message repeats the address: it may contain a password.
        if Setting.holdsPassword(address) {
            let remedy = "put it into the file that \(Setting.storePasswordFile.name) names"
            complain(Setting.store, "contains a password: \(remedy)")
        } else if !address.hasPrefix("postgresql://") {
            complain(Setting.store, "is not an address such as postgresql://signin@db1.example,db2.example/signin")
        } else if let relative = Setting.relativeFile(in: address) {
            complain(Setting.store, "“\(relative)” is not an absolute path")
        }
        return Configuration.Database(address: address, password: self.storePassword, key: self.storeKey)
    }
}

extension Setting {
    /// A value as it may be shown.
    ///
    /// - Parameter text: the value of this setting.
    /// - Returns: the text, unless it is secret or an address with a password.
    package func shown(_ text: String) -> String {
        isSecret || (name == Setting.store.name && Self.holdsPassword(text)) ? "<redacted>" : text
    }

    /// A file that an address of a database names by a relative path, as `name=path`; nil if there is none.
    fileprivate static func relativeFile(in address: String) -> String? {
        let names = ["sslcert", "sslkey", "sslrootcert", "sslcrl", "sslcrldir", "passfile"]
        let query = address.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return query.split(separator: "&").map(String.init).first { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, names.contains(String(parts[0])) else { return false }
            // libpq decodes %2F, and understands the word for the authorities of the system.
            return !parts[1].hasPrefix("/") && !parts[1].lowercased().hasPrefix("%2f") && parts[1] != "system"
        }
    }

    /// Whether an address of a database contains a password, in front of the host or as a parameter.
    fileprivate static func holdsPassword(_ address: String) -> Bool {
        if address.lowercased().contains("password") { return true }
        let user = address.split(separator: "@").first.map(String.init) ?? ""
        guard address.contains("@"), let scheme = user.firstRange(of: "://") else { return address.contains("@") }
        return user[scheme.upperBound...].contains(":")
    }
}
