import Dispatch
import EventLog
import FastCGI
import HTTP
import HTTPClient
import OpenID
import POSIX
import Pages
import PostgreSQLStore
import Sessions
import Settings
import SignIn

import struct FoundationEssentials.Date

/// The running program, made from one configuration.
struct Program {
    private let configuration: Configuration
    let log: Log
    let measurements: Measurements
    /// Whether to replace the socket of a running process.
    private let takesOver: Bool
    let store: Vault
    /// The site to which the store belongs.
    let ownership: StoreOwnership
    /// The store, if it is a database.
    private let database: PostgreSQLStore?
    /// Keeps `store copy --finish` from moving the sessions in files; the connections of a database have their own lock.
    private let lock: StateDirectoryLock?
    /// Nil unless the server keys are in the database.
    private let sharedKeys: SharedKeysReader?
    /// Nil if the server keys are in the database.
    let keyFile: String?
    let serverKeys: ServerKeys
    let status: ServiceStatus
    let discovery: Discovery
    /// The site with the settings of the start.
    let site: ConfiguredSite

    /// - Parameters:
    ///   - configuration: All settings.
    ///   - log: Receives the events.
    ///   - measurements: What the program counts.
    ///   - takesOver: Whether to replace the socket of a running process.
    ///   - stateDirectory: The path of the state directory; nil for that of the settings.
    /// - Throws: `StartFailure` if the configuration or the system does not allow it.
    init(
        _ configuration: Configuration,
        log: Log,
        measurements: Measurements = Measurements(),
        takesOver: Bool = false,
        stateDirectory: String? = nil
    ) throws(StartFailure) {
        self.configuration = configuration
        self.log = log
        self.measurements = measurements
        self.takesOver = takesOver
        let directory = stateDirectory ?? StateDirectory.resolved(configuration.storing.directory)
        let keyFile = directory + "/" + ServerKeys.fileName
        let place = configuration.storing.database == nil ? "sessions in files" : "sessions in PostgreSQL"
        status = ServiceStatus(ServiceManager(), store: place)
        let shared = SharedKeysReader(insteadOf: keyFile, log: log)
        (store, database) = try Self.store(
            configuration.storing,
            keptTotal: configuration.keptTotal,
            directory: directory,
            log: log,
            shared: shared,
            status: status,
            counter: measurements.store,
            isService: true
        )
        let isInFiles = database == nil
        lock = try StartFailure.ofStore { () throws(StoreError) in
            isInFiles ? try StateDirectoryLock(directory, isShared: true) : nil
        }
        ownership = StoreOwnership(configuration.storing.directory, directory: directory, database: database?.site)
        try ownership.claim(configuration.mount.baseURL, of: configuration.site, log: log)
        sharedKeys = shared.isUsed ? shared : nil
        serverKeys = try StartFailure.ofStore { () throws(StoreError) in
            shared.isUsed ? shared.keys : try ServerKeys.load(file: keyFile)
        }
        self.keyFile = shared.isUsed ? nil : keyFile
        discovery = Discovery(in: directory, log: log)
        site = try ConfiguredSite(
            try discovery.complete(configuration),
            store: store,
            keys: serverKeys,
            log: log,
            status: status,
            calls: measurements.calls
        )
    }

    /// Opens the store, in files or in a database with the right tables.
    ///
    /// - Parameters:
    ///   - storing: The settings of the store.
    ///   - keptTotal: The maximum size of all kept forms, in bytes.
    ///   - directory: The path of the state directory.
    ///   - log: Receives the events of the database.
    ///   - shared: Gets the server keys of the database; nil for a command that needs none.
    ///   - status: Is told whether the database answers.
    ///   - counter: Counts and times what is done with the store.
    ///   - isService: Whether `store copy --finish` must not move the sessions in the database meanwhile.
    /// - Returns: The store, and the same if it is a database.
    /// - Throws: `StartFailure` if the store cannot be used.
    static func store(
        _ storing: Configuration.Storing,
        keptTotal: Int = 64 << 20,
        directory: String,
        log: Log,
        shared: SharedKeysReader? = nil,
        status: ServiceStatus? = nil,
        counter: StoreCounter = StoreCounter(),
        isService: Bool = false
    ) throws(StartFailure) -> (Vault, PostgreSQLStore?) {
        func vault(
            _ records: any Records,
            _ message: @escaping @Sendable () -> String? = { nil }
        ) -> Vault {
            Vault(
                in: records,
                idleLimit: .seconds(storing.idleLimit),
                keptTotal: keptTotal,
                spentStates: storing.spentStates,
                issuers: FormerIssuers(storing.issuers),
                counter: counter,
                messageAboutForeignRecords: message
            )
        }
        if let database = try database(storing, log: log, shared, status, isService) {
            return (vault(database), database)
        }
        let files = try StartFailure.ofStore { () throws(StoreError) in
            try FileStore(directory: directory, remembered: storing.remembered)
        }
        return (vault(files) { files.messageAboutForeignRecords }, nil)
    }

    private static func database(
        _ storing: Configuration.Storing,
        log: Log,
        _ shared: SharedKeysReader?,
        _ status: ServiceStatus?,
        _ isService: Bool
    ) throws(StartFailure) -> PostgreSQLStore? {
        guard let settings = storing.database else { return nil }
        let seconds = storing.cache
        let cache = seconds > 0 ? NearCache(limit: .seconds(seconds)) : nil
        var notices: DatabaseClient.Listener?
        if cache != nil || settings.key != nil {
            notices = {
                cache?.receive($0)
                if SharedKeys.isChange($0) { shared?.read() }
            }
        }
        let observer: DatabaseClient.Observer = {
            log(LogEvent($0))
            status?.note($0)
            // Another machine may have made a key meanwhile.
            if case .reachable = $0 { shared?.read() }
        }
        let database = try Database(settings, observer: observer, notices: notices, isService: isService)
        try database.requireSchema()
        if isService { try database.requireNoMove() }
        if let keys = database.sharedKeys { try shared?.use(keys) }
        return PostgreSQLStore(
            database.client,
            proofLimit: .seconds(max(1, seconds)),
            cache: cache,
            issuers: FormerIssuers(storing.issuers)
        )
    }

    /// Writes what the store has only in memory to the database.
    func closeStore() {
        guard let database else { return }
        try? wait { () async throws(StoreError) in await database.shutdown() }
    }

    /// Serves until a signal arrives; blocks the calling thread.
    ///
    /// - Parameters:
    ///   - signals: The signals that stop the program or reload its settings.
    ///   - sources: The values of the settings that the program was made from.
    ///   - read: Reads the values of the settings again.
    /// - Throws: `StartFailure` if the system does not allow it.
    func serve(
        until signals: StopSignals,
        with sources: SettingSources,
        rereading read: @escaping Reloader.Reading
    ) throws(StartFailure) {
        let (log, status) = (log, status)
        let reloader = Reloader(self, sources, read)
        do {
            if case .unix = configuration.settings.adminListen { try requireGroup() }
            // Before the sockets of a running process are replaced, so that a wrong address leaves it as it is.
            let monitoring = try StartFailure.naming(Setting.adminListen) { () throws(FastCGIError) in
                try Monitoring.start(
                    configuration.settings,
                    takesOver: takesOver,
                    status: status,
                    site: { reloader.site },
                    metrics: { [measurements, store, database] in
                        measurements.families(
                            server: reloader.server?.figures,
                            site: reloader.site,
                            store: store,
                            database: database,
                            status: status
                        )
                    }
                )
            }
            defer { monitoring?.stop() }
            let listeners = try listeners()
            let server = try Server(
                options: ServerOptions(configuration),
                listeners: listeners,
                notes: measurements.notes,
                responder: site.site,
                events: { event in
                    log(LogEvent(event))
                    if case .stopping = event { status.stopping() }
                    guard case .reloadRequested = event else { return }
                    status.reloading()
                    reloader.request()
                }
            )
            reloader.attach(server)
            reloader.followDiscovery()
            let sweeping = store.sweepRepeatedly(log: log, status: status)
            let reading = sharedKeys?.readRepeatedly()
            defer {
                reloader.detach()
                sweeping.cancel()
                reading?.cancel()
                closeStore()
            }
            let names = listeners.map(\.name).joined(separator: " ")
            log(LogEvent(.info, .listening, fields: [("at", names), ("callback", configuration.mount.redirectURI)]))
            for process in listeners.compactMap({ $0.stopPredecessor() }) {
                log(LogEvent(.info, .predecessorStopping, fields: [("pid", String(process))]))
            }
            for note in site.notes { log(note) }
            status.ready()
            let unusedCode = UnusedCode()
            let check = PulseCheck(every: status.interval) { pulse in
                status.report(pulse)
                unusedCode.noteLook()
            }
            try server.run(until: signals, checking: check)
        } catch let failure as StartFailure {
            throw failure
        } catch {
            throw .unavailable(error)
        }
    }

    /// Answers the one request of a CGI process.
    func answerOnce() {
        let done = DispatchSemaphore(value: 0)
        let (site, log) = (site.site, log)
        // The other limits do not apply, because there is no socket and no peer.
        var options = ServerOptions()
        options.bodyLimit = configuration.maxBody
        options.authorizationPath = configuration.authorizationPath
        options.describedPath = configuration.describedPath
        Task { [options] in
            await CGI.answer(options: options, handler: site.respond, events: { log(LogEvent($0)) })
            done.signal()
        }
        done.wait()
        closeStore()
    }

    /// Does work of the site for a command; blocks the calling thread.
    ///
    /// - Throws: What the work throws.
    func perform<Success: Sendable>(_ work: @escaping @Sendable (Site) async throws -> Success) throws -> Success {
        let site = site.site
        return try wait { () async throws(StoreError) -> Result<Success, any Error> in
            do {
                return .success(try await work(site))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    private func listeners() throws(StartFailure) -> [Listener] {
        switch configuration.listen {
        case .automatic:
            let inherited = try inherited()
            return inherited.isEmpty ? [try unixListener(at: ListenAddress.defaultPath)] : inherited
        case .inherited:
            let inherited = try inherited()
            guard !inherited.isEmpty else { throw StartFailure.nothingInherited }
            return inherited
        case .unix(let path):
            let inherited = try inherited()
            guard let other = inherited.first(where: { $0.inheritedPath != path }) else {
                return inherited.isEmpty ? [try unixListener(at: path)] : inherited
            }
            // The program would not accept the connections to the other socket.
            throw StartFailure.inheritedElsewhere(other.inheritedPath ?? other.name, named: path)
        case .loopback(let host, let port):
            return try StartFailure.naming(Setting.listen) { () throws(FastCGIError) in
                [try Listener.tcp(host: host, port: UInt16(port))]
            }
        }
    }

    private func inherited() throws(StartFailure) -> [Listener] {
        try StartFailure.naming(Setting.listen) { () throws(FastCGIError) in try Listener.inherited() }
    }

    private func unixListener(at path: String) throws(StartFailure) -> Listener {
        try requireGroup()
        return try StartFailure.naming(Setting.listen) { () throws(FastCGIError) in
            try Listener.unix(
                path: path,
                mode: UInt32(configuration.socketMode),
                group: configuration.socketGroup,
                takesOver: takesOver
            )
        }
    }

    private func requireGroup() throws(StartFailure) {
        guard let group = configuration.socketGroup else { return }
        _ = try StartFailure.naming(Setting.socketGroup) { () throws(FastCGIError) in try Listener.groupID(group) }
    }
}
