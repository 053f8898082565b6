import Dispatch
import EventLog
import FastCGI
import Guard
import HTTPClient
import OpenID
import Sessions
import Settings
import SignIn
import Synchronization

/// Reads the settings again while the program serves, and replaces the site if they have no error.
final class Reloader: Sendable {
    typealias Reading = @Sendable () throws(ConfigurationError) -> SettingSources

    private struct State {
        /// The values that the program uses.
        var sources: SettingSources
        var site: ConfiguredSite
        /// Nil before the server is made, and after it has stopped.
        var server: Server?
    }

    /// The program as it was started.
    private let program: Program
    private let read: Reading
    private let state: Mutex<State>
    /// Reads files and may ask the system for users, so the threads that serve do not do it.
    private let queue = DispatchQueue(label: "reload")

    /// - Parameters:
    ///   - program: The program as it was started.
    ///   - sources: The values of its settings.
    ///   - read: Reads the values of the settings again.
    init(_ program: Program, _ sources: SettingSources, _ read: @escaping Reading) {
        self.program = program
        self.read = read
        state = Mutex(State(sources: sources, site: program.site))
    }

    func attach(_ server: Server) {
        state.withLock { $0.server = server }
    }

    /// Lets go of the server.
    func detach() {
        state.withLock { $0.server = nil }
        program.discovery.stop()
    }

    /// Fetches the discovery documents of the present site's providers in the background, and replaces the site if one changed.
    func followDiscovery() {
        let site = state.withLock(\.site)
        program.discovery.follow(site) { [weak self] id, document, bytes in
            guard let self else { return }
            queue.async { self.adopt(document, bytes, of: id) }
        }
    }

    /// Replaces the site by one with the same settings and a new discovery document.
    private func adopt(_ document: DiscoveryDocument, _ bytes: [UInt8], of id: ProviderID) {
        let (running, site, server) = state.withLock { ($0.sources, $0.site, $0.server) }
        // A reload may have removed the provider meanwhile.
        let isUsed = site.configuration.providers.contains { $0.id == id && $0.discovery?.issuer == document.issuer }
        guard let server, isUsed, program.discovery.keep(document, bytes, of: id) else { return }
        do {
            let next = try replacement(for: site, try Configuration(running))
            try server.replace(options: try ServerOptions(next.configuration), responder: next.site)
            state.withLock { $0.site = next }
            let fields: [LogEvent.Field] = [("provider", id.description), ("issuer", document.issuer)]
            program.log(LogEvent(.info, .discoveryRead, fields: fields))
        } catch {
            program.discovery.forget(id)
            refuse(error)
        }
    }

    private func replacement(
        for site: ConfiguredSite,
        _ configuration: Configuration
    ) throws(StartFailure) -> ConfiguredSite {
        try ConfiguredSite(
            try program.discovery.complete(configuration),
            store: program.store,
            keys: program.serverKeys,
            log: program.log,
            status: program.status,
            calls: program.measurements.calls,
            continuing: site
        )
    }

    /// The site with the present settings.
    var site: Site { state.withLock { $0.site.site } }

    /// Nil before the server is made, and after it has stopped.
    var server: Server? { state.withLock(\.server) }

    /// Reads the settings soon, on a thread of its own.
    func request() {
        queue.async { self.reload() }
    }

    /// Replaces the site, or logs every reason why the present one stays.
    private func reload() {
        let (running, site, server) = state.withLock { ($0.sources, $0.site, $0.server) }
        guard let server else { return }
        // Also if a setting has an error: the lists do not depend on the settings.
        site.site.readListsAgain()
        do {
            let wanted = try read()
            // So that a mistake in a setting that needs a restart is reported now, not at the restart.
            let all = try Configuration(wanted)
            let sources = wanted.retainingUnreloadable(from: running)
            try program.ownership.require(all.mount.baseURL, of: all.site)
            let options = try ServerOptions(all)
            let next = try replacement(for: site, try Self.configuration(sources, wanted))
            let keys = try program.keyFile.map { try ServerKeys.load(file: $0) }
            try server.replace(options: options, responder: next.site)
            if let keys { program.serverKeys.adopt(keys) }
            state.withLock { state in
                state.sources = sources
                state.site = next
            }
            report(next, wanted, sources, running)
            followDiscovery()
            program.status.reloaded(false)
        } catch {
            refuse(error)
            program.status.reloaded(true)
        }
    }

    /// Checks the values that a reload would use.
    ///
    /// - Throws: `StartFailure` if they are right only together with the new values that need a restart.
    private static func configuration(
        _ sources: SettingSources,
        _ wanted: SettingSources
    ) throws(StartFailure) -> Configuration {
        do throws(ConfigurationError) {
            return try Configuration(sources)
        } catch {
            let names = wanted.changes(from: sources).map(\.name).joined(separator: " ")
            let restart = sources.site.map { "run: systemctl restart \($0.service)" } ?? "restart the program"
            let remedy = "; the new settings are valid, but only a restart applies \(names): \(restart)"
            let problems = error.problems.map {
                ConfigurationError.Problem(subject: $0.subject, message: $0.message + remedy, place: $0.place)
            }
            throw .misconfigured(ConfigurationError(problems: problems))
        }
    }

    private func report(
        _ site: ConfiguredSite,
        _ wanted: SettingSources,
        _ sources: SettingSources,
        _ running: SettingSources
    ) {
        program.log.use(site.configuration.logging)
        let waiting = wanted.changes(from: sources)
        if !waiting.isEmpty {
            let names = waiting.map(\.name).joined(separator: " ")
            program.log(LogEvent(.warning, .restartNeeded, reason: "not-reloadable", fields: [("settings", names)]))
        }
        for note in site.notes { program.log(note) }
        let names = sources.changes(from: running).map(\.name).joined(separator: " ")
        let providers = sources.changedProviders(from: running).joined(separator: " ")
        program.log(LogEvent(.info, .reloaded, fields: [("changed", names), ("providers", providers)]))
    }

    private func refuse(_ error: any Error) {
        switch error {
        case let error as ConfigurationError: refuse(error.problems)
        case let failure as StartFailure where !failure.problems.isEmpty: refuse(failure.problems)
        case let error as StoreError: program.log(LogEvent(error, while: .reloadRefused))
        default:
            program.log(LogEvent(.error, .reloadRefused, reason: "system", fields: [("detail", "\(error)")]))
        }
    }

    private func refuse(_ problems: [ConfigurationError.Problem]) {
        for problem in problems {
            let fields: [LogEvent.Field] = [
                ("setting", problem.subject), ("place", problem.place ?? ""), ("detail", problem.message),
            ]
            program.log(LogEvent(.error, .reloadRefused, reason: "setting-invalid", fields: fields))
        }
    }
}
