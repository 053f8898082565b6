import EventLog
import HTTPClient
import OpenID
import POSIX
import Sessions
import Settings
import Synchronization

import struct FoundationEssentials.Data
import struct FoundationEssentials.URL

/// The discovery documents of the providers: fetched in the background, and kept in the state directory for the next start.
final class Discovery: Sendable {
    /// What is done with a document that was fetched.
    typealias Found = @Sendable (_ id: ProviderID, _ document: DiscoveryDocument, _ bytes: [UInt8]) -> Void

    private static let interval = Duration.seconds(3600)
    /// Before another attempt; doubled after each failure.
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(60)

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
        var complete = configuration
        var problems: [ConfigurationError.Problem] = []
        complete.providers = configuration.providers.map { provider in
            do throws(ConfigurationError) {
                return try self.complete(provider)
            } catch {
                problems += error.problems
                return provider
            }
        }
        guard problems.isEmpty else { throw .misconfigured(ConfigurationError(problems: problems)) }
        return complete
    }

    private func complete(_ provider: ProviderSettings) throws(ConfigurationError) -> ProviderSettings {
        guard let issuer = provider.discovery?.issuer else {
            try keepIssuer(of: provider)
            return provider
        }
        if known.withLock({ $0[provider.id]?.issuer }) != issuer {
            let kept = try Self.kept(provider, in: directory)
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

    /// Reads the document that an earlier process kept; nil if there is none that can be used.
    ///
    /// - Throws: `ConfigurationError` if it is the document of another issuer, whose members have the same provider ID.
    static func kept(
        _ provider: ProviderSettings,
        in directory: String
    ) throws(ConfigurationError) -> DiscoveryDocument? {
        guard let issuer = provider.discovery?.issuer ?? provider.issuer else { return nil }
        let path = path(of: provider.id, in: directory)
        let bytes: [UInt8]
        do {
            bytes = try ReadableFile(path, followsLinks: false).contents(limit: DiscoveryDocument.limit)
        } catch {
            return nil
        }
        do {
            return try DiscoveryDocument(parsing: bytes, issuer: issuer)
        } catch {
            guard error.code == .discoveryIssuer else { return nil }
            let message =
                "is the ID of another issuer: in \(path), \(error.detail). Its members would become the members of "
                + "\(issuer) with the same subjects: \(provider.file.map { "rename \($0)" } ?? "set another \(Setting.providerID.name)"), "
                + "or remove this document if both are the same provider"
            let problem = ConfigurationError.Problem(
                subject: Setting.providerID.name,
                message: "\(provider.file == nil ? "" : "\(provider.id) ")\(message)",
                place: provider.file
            )
            throw ConfigurationError(problems: [problem])
        }
    }

    private static func path(of id: ProviderID, in directory: String) -> String {
        "\(directory)/provider-\(id).json"
    }

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
    private func keepIssuer(of provider: ProviderSettings) throws(ConfigurationError) {
        guard let issuer = provider.issuer else { return }
        _ = try Self.kept(provider, in: directory)
        guard (try? FileStatus(path: Self.path(of: provider.id, in: directory))) == nil else { return }
        write(Array(#"{"issuer":"\#(issuer)"}"#.utf8), of: provider.id)
    }

    private func write(_ bytes: [UInt8], of id: ProviderID) {
        let path = Self.path(of: id, in: directory)
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            log(LogEvent(.warning, .discoveryFailed, reason: "discovery-not-kept", fields: [("detail", "\(error)")]))
        }
    }

    /// Fetches the documents of a site now and then each hour, in place of those of the site before.
    func follow(_ site: ConfiguredSite, found: @escaping Found) {
        let transport = site.transport
        let next = site.configuration.providers.compactMap { provider in
            provider.discovery.map { place in
                Task { await self.fetchRepeatedly(provider, place, transport, found) }
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

    private func fetchRepeatedly(
        _ provider: ProviderSettings,
        _ place: (address: String, issuer: String),
        _ transport: CurlTransport,
        _ found: Found
    ) async {
        var failure: OpenIDError?
        var pause = Self.firstPause
        while !Task.isCancelled {
            var wait = Self.interval
            do throws(OpenIDError) {
                let (document, bytes) = try await DiscoveryDocument.fetch(
                    issuer: place.issuer,
                    at: place.address,
                    by: transport
                )
                _ = try provider.discovering(document)
                guard !Task.isCancelled else { return }
                found(provider.id, document, bytes)
                (failure, pause) = (nil, Self.firstPause)
            } catch {
                guard !Task.isCancelled else { return }
                if error != failure { report(error, of: provider) }
                (failure, wait, pause) = (error, pause, min(pause * 2, Self.longestPause))
            }
            try? await Task.sleep(for: wait)
        }
    }

    private func report(_ error: OpenIDError, of provider: ProviderSettings) {
        let fields: [LogEvent.Field] = [
            ("provider", provider.id.description), ("at", provider.discovery?.address ?? ""),
            ("detail", error.logDetail),
        ]
        log(LogEvent(.warning, .discoveryFailed, reason: error.code.rawValue, fields: fields))
    }
}
