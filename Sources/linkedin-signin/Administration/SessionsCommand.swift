import ArgumentParser
import EventLog
import POSIX
import PostgreSQLStore
import Sessions
import Settings
import SignIn

import var Glibc.EACCES

/// `sessions`: administers the sessions in the store, while `serve` runs.
struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "Administer the sessions in the store, while serve runs.",
        subcommands: [
            ListSessions.self, ShowSession.self, CountSessions.self, RevokeSessions.self, ForgetMember.self,
            SweepSessions.self, ImportSession.self,
        ]
    )

    /// Opens the store of `serve`; needs only the settings of the store.
    ///
    /// - Parameters:
    ///   - options: Which site is meant.
    ///   - isChange: Whether the command changes the store, and so says first which one.
    /// - Returns: The store.
    /// - Throws: `StartFailure` if the settings are wrong, or if the store cannot be used or belongs to another site.
    static func store(
        _ options: SettingsOptions,
        toChange isChange: Bool = false
    ) throws(StartFailure) -> OpenedStore {
        let settings = try options.read { sources throws(ConfigurationError) in try StoreSettings(sources) }
        let sink = LogSink()
        defer { sink.flush() }
        let directory = try enter(settings.storing.directory, of: options)
        let log = Log(least: .warning, write: sink.write)
        let (store, database) = try Program.store(settings.storing, directory: directory, log: log)
        let ownership = StoreOwnership(settings.storing.directory, directory: directory, database: database?.site)
        try ownership.require(settings.baseURL, of: options.installed)
        if isChange { Console.tellStore(of: settings.baseURL, settings.storing.database, settings.storing.directory) }
        let issuer = settings.storing.issuers.first ?? ""
        return OpenedStore(store: store, issuer: issuer, revokesTokens: settings.revokesTokens)
    }

    /// Lets a command of root work as the user of `serve`, to whom the files of the store belong.
    ///
    /// - Parameters:
    ///   - path: The state directory, as in the settings.
    ///   - options: Which site is meant.
    /// - Returns: The state directory without links.
    /// - Throws: `StartFailure` if root finds no state directory, or one that does not belong to the user of the service.
    static func enter(_ path: String, of options: SettingsOptions) throws(StartFailure) -> String {
        let resolved = StateDirectory.resolved(path)
        let service = (try? options.place())?.service
        if let advice = service?.messageAboutLostLink(to: path) { throw .unavailable("\(advice)") }
        // Another owner than root may be the user that systemd chose for a service that runs.
        if (try? FileStatus(path: resolved))?.owner == 0,
            let advice = StoreCheck.foreignOwner(of: path, for: service?.user)
        {
            throw .unavailable("\(Setting.stateDirectory.name) “\(path)”: \(advice)")
        }
        do throws(SystemError) {
            if User.current.id != 0 { _ = try FileStatus(path: path) }
            if try ActingUser.becomeOwner(of: resolved) { FileSystem.enter(resolved) }
            return resolved
        } catch {
            let remedy =
                error.number == EACCES
                ? "\(User.current.described) cannot enter it; run the command as root"
                : "\(error); start serve first: it creates the state directory"
            throw .unavailable("\(Setting.stateDirectory.name) “\(path)”: \(remedy)")
        }
    }
}

/// The store of a site, opened by a command.
struct OpenedStore {
    let store: Vault
    /// The issuer of members who are not in the store.
    let issuer: String
    /// Whether signing out revokes the tokens of the session at the provider.
    let revokesTokens: Bool
}
