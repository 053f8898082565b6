import EventLog
import HTTP
import HTTPClient
import OpenID
import POSIX
import Provider
import Sessions
import Settings
import Synchronization

import var Glibc.ENOENT

/// The discovery documents of the providers: fetched in the background, and kept in the state directory for the next start.
final class Discovery: Sendable {
    /// What is done with a document that was fetched.
    typealias Found = @Sendable (_ id: ProviderID, _ document: DiscoveryDocument, _ bytes: [UInt8]) -> Void

    private let directory: String
    private let log: Log
    private let known = Mutex<[ProviderID: DiscoveryDocument]>([:])
    private let fetching = Mutex<[Task<Void, Never>]>([])

    /// - Parameters:
    ///   - directory: The path of the state directory.
    ///   - log: Receives the events.
    init(in directory: String, log: Log) {
        (self.directory, self.log) = (directory, log)
    }

    /// A configuration with what the last known documents say; a provider without a document that it can use is unchanged.
    ///
    /// - Throws: `StartFailure` with each provider whose ID belongs to another issuer.
    func complete(_ configuration: Configuration) throws(StartFailure) -> Configuration {
        let problems = Self.problems(configuration, in: directory)
        guard problems.isEmpty else { throw .misconfigured(ConfigurationError(problems: problems)) }
        var complete = configuration
        complete.providers = configuration.providers.map(self.complete)
        return complete
    }

    private func complete(_ provider: ProviderSettings) -> ProviderSettings {
        guard let issuer = provider.discovery?.issuer else {
            keepIssuer(of: provider)
            return provider
        }
        if known.withLock({ $0[provider.id]?.issuer }) != issuer {
            let kept = Self.bytes(of: provider.id, in: directory)
                .flatMap { try? DiscoveryDocument(parsing: $0, issuer: issuer) }
            known.withLock { $0[provider.id] = kept }
        }
        guard let document = known.withLock({ $0[provider.id] }) else { return provider }
        do {
            return try provider.discovering(document)
        } catch {
            report(error, of: provider)
            return provider
        }
    }

    /// Finds providers whose ID belongs to another issuer: their members would become the members of another provider.
    ///
    /// - Parameters:
    ///   - configuration: The providers, with the issuers in the settings.
    ///   - directory: The state directory, which has the document that each issuer sent last.
    /// - Returns: One problem for each of these providers, with the command for a provider that only changed its issuer.
    static func problems(_ configuration: Configuration, in directory: String) -> [ConfigurationError.Problem] {
        configuration.providers.compactMap { provider in
            guard let issuer = provider.announcedIssuer, let owner = keptIssuer(of: provider.id, in: directory),
                !owner.isIdentical(to: issuer)
            else { return nil }
            let command = StoreOwnership.adoption(
                from: owner,
                provider: provider.id,
                of: configuration.site,
                file: configuration.settingsFile
            )
            let other = provider.file.map { "rename \($0)" } ?? "set another \(Setting.providerID.name)"
            // What to do first, because the log shortens long values.
            let isSlash = owner + "/" == issuer || issuer + "/" == owner
            let slash = isSlash ? " \(owner.hasSuffix("/") ? "with" : "without") the slash at the end" : ""
            let message =
                "\(provider.id) is the ID of \(owner): after a mistake, write that issuer\(slash); if the provider changed its "
                + "issuer, run: \(command). If this is another provider, \(other): members of \(issuer) would become the members of \(owner) with the same subjects"
            return .init(subject: Setting.providerIssuer.name, message: message, place: provider.file)
        }
    }

    /// The issuer of the document that an earlier process kept.
    ///
    /// - Parameters:
    ///   - id: The ID of the provider.
    ///   - directory: The state directory.
    /// - Returns: Nil if there is no document that can be read.
    static func keptIssuer(of id: ProviderID, in directory: String) -> String? {
        bytes(of: id, in: directory).flatMap { JSON(parsing: $0)?["issuer"]?.stringValue }
    }

    /// A command of root reads the document as root: systemd lets only the service enter the parent of its state directory.
    private static func bytes(of id: ProviderID, in directory: String) -> [UInt8]? {
        ActingUser.performAsRoot {
            try? ReadableFile(path(of: id, in: directory), followsLinks: false).contents(limit: DiscoveryDocument.limit)
        }
    }

    private static func path(of id: ProviderID, in directory: String) -> String {
        "\(directory)/\(fileName(of: id))"
    }

    private static func fileName(of id: ProviderID) -> String { "provider-\(id).json" }

    /// Remembers a document and keeps it for the next start.
    ///
    /// - Returns: Whether it differs from the last one.
    func keep(_ document: DiscoveryDocument, _ bytes: [UInt8], of id: ProviderID) -> Bool {
        let isNew = known.withLock { known in
            defer { known[id] = document }
            return known[id] != document
        }
        if isNew { write(bytes, of: id) }
        return isNew
    }

    /// Forgets a document that the site could not use, so that it counts as new when it is fetched again.
    func forget(_ id: ProviderID) {
        known.withLock { $0[id] = nil }
    }

    /// Keeps the issuer of a provider that has no document, so that its ID is not given to another issuer.
    private func keepIssuer(of provider: ProviderSettings) {
        guard let issuer = provider.issuer, Self.keptIssuer(of: provider.id, in: directory) == nil else { return }
        write(Self.stub(issuer), of: provider.id)
    }

    /// Returns a document of which only the issuer is known.
    static func stub(_ issuer: String) -> [UInt8] { Array(#"{"issuer":"\#(issuer)"}"#.utf8) }

    /// Whether the program never fetched the document of a provider; false also if the state directory cannot be read.
    static func isMissing(_ id: ProviderID, in directory: String) -> Bool {
        ActingUser.performAsRoot {
            do throws(SystemError) {
                _ = try FileStatus(path: path(of: id, in: directory))
                return false
            } catch {
                return error.number == ENOENT
            }
        }
    }

    /// Replaces the document of a provider in the state directory.
    static func write(_ bytes: [UInt8], of id: ProviderID, in directory: String) throws(SystemError) {
        try FileSystem().overwrite(fileName(of: id), with: bytes, inDirectory: directory)
    }

    private func write(_ bytes: [UInt8], of id: ProviderID) {
        do {
            try Self.write(bytes, of: id, in: directory)
        } catch {
            let detail = "\(Self.path(of: id, in: directory)): \(error)"
            log(LogEvent(.warning, .discoveryFailed, reason: "discovery-not-kept", fields: [("detail", detail)]))
        }
    }

    /// Fetches the documents of a site now and then each hour, in place of those of the site before.
    func follow(_ site: ConfiguredSite, found: @escaping Found) {
        let transport = site.transport
        let next = site.configuration.providers.compactMap { provider in
            provider.discovery.map { place in
                let refresh = DiscoveryRefresh(issuer: place.issuer, address: place.address, transport: transport)
                return Task {
                    await refresh.run { document, bytes throws(OpenIDError) in
                        _ = try provider.discovering(document)
                        if !Task.isCancelled { found(provider.id, document, bytes) }
                    } failed: { error in
                        self.report(error, of: provider)
                    }
                }
            }
        }
        fetching.withLock { current in
            for task in current { task.cancel() }
            current = next
        }
    }

    func stop() {
        fetching.withLock { for task in $0 { task.cancel() } }
    }

    private func report(_ error: OpenIDError, of provider: ProviderSettings) {
        let fields: [LogEvent.Field] = [
            ("provider", provider.id.description), ("at", provider.discovery?.address ?? ""),
            ("detail", error.logDetail),
        ]
        log(LogEvent(.warning, .discoveryFailed, reason: error.code.rawValue, fields: fields))
    }
}
