import EventLog
import HTTPClient
import OpenID
import POSIX
import Settings
import Synchronization

import struct FoundationEssentials.Data
import struct FoundationEssentials.URL

/// The discovery document of the provider: fetched in the background, and kept in the state directory for the next start.
final class Discovery: Sendable {
    /// What is done with a document that was fetched.
    typealias Found = @Sendable (_ document: DiscoveryDocument, _ bytes: [UInt8]) -> Void

    private static let interval = Duration.seconds(3600)
    /// Before another attempt; doubled after each failure.
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(60)

    private let directory: String
    private let log: Log
    private let known = Mutex<DiscoveryDocument?>(nil)
    private let fetching = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - directory: The path of the state directory.
    ///   - log: Receives the events.
    init(in directory: String, log: Log) {
        (self.directory, self.log) = (directory, log)
    }

    /// A configuration with what the last known document says; unchanged if there is none that it can use.
    ///
    /// - Throws: `StartFailure` if the ID of the provider belongs to another issuer.
    func complete(_ configuration: Configuration) throws(StartFailure) -> Configuration {
        guard let issuer = configuration.issuer else { return configuration }
        do {
            if known.withLock({ $0?.issuer }) != issuer.issuer {
                let kept = try Self.kept(issuer, in: directory)
                known.withLock { $0 = kept }
            }
        } catch {
            throw .misconfigured(error)
        }
        guard let document = known.withLock(\.self) else { return configuration }
        do {
            return try configuration.discovering(document)
        } catch {
            report(error, of: issuer)
            return configuration
        }
    }

    /// Reads the document that an earlier process kept; nil if there is none that can be used.
    ///
    /// - Throws: `ConfigurationError` if it is the document of another issuer, whose members have the same provider ID.
    static func kept(_ issuer: IssuerSettings, in directory: String) throws(ConfigurationError) -> DiscoveryDocument? {
        let path = path(of: issuer, in: directory)
        let bytes: [UInt8]
        do {
            bytes = try ReadableFile(path, followsLinks: false).contents(limit: DiscoveryDocument.limit)
        } catch {
            return nil
        }
        do {
            return try DiscoveryDocument(parsing: bytes, issuer: issuer.issuer)
        } catch {
            guard error.code == .discoveryIssuer else { return nil }
            let message =
                "is the ID of another issuer: in \(path), \(error.detail). Its members would become the members of "
                + "\(issuer.issuer) with the same subjects: set another \(Setting.providerID.name), or remove this file if both "
                + "are the same provider"
            throw ConfigurationError(problems: [.init(subject: Setting.providerID.name, message: message)])
        }
    }

    private static func path(of issuer: IssuerSettings, in directory: String) -> String {
        "\(directory)/provider-\(issuer.id).json"
    }

    /// Remembers a document and keeps it for the next start.
    ///
    /// - Returns: Whether it differs from the last one.
    func keep(_ document: DiscoveryDocument, _ bytes: [UInt8], of issuer: IssuerSettings) -> Bool {
        let isNew = known.withLock { known in
            defer { known = document }
            return known != document
        }
        guard isNew else { return false }
        let path = Self.path(of: issuer, in: directory)
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            log(LogEvent(.warning, .discoveryFailed, reason: "discovery-not-kept", fields: [("detail", "\(error)")]))
        }
        return true
    }

    /// Fetches the document of a site now and then each hour, in place of that of the site before.
    func follow(_ site: ConfiguredSite, found: @escaping Found) {
        let (configuration, transport) = (site.configuration, site.transport)
        let next = configuration.issuer.map { issuer in
            Task { await self.fetchRepeatedly(configuration, issuer, transport, found) }
        }
        fetching.withLock { current in
            current?.cancel()
            current = next
        }
    }

    func stop() {
        fetching.withLock { $0?.cancel() }
    }

    private func fetchRepeatedly(
        _ configuration: Configuration,
        _ issuer: IssuerSettings,
        _ transport: CurlTransport,
        _ found: Found
    ) async {
        var failure: OpenIDError?
        var pause = Self.firstPause
        while !Task.isCancelled {
            var wait = Self.interval
            do throws(OpenIDError) {
                let (document, bytes) = try await DiscoveryDocument.fetch(issuer: issuer.issuer, by: transport)
                _ = try configuration.discovering(document)
                guard !Task.isCancelled else { return }
                found(document, bytes)
                (failure, pause) = (nil, Self.firstPause)
            } catch {
                guard !Task.isCancelled else { return }
                if error != failure { report(error, of: issuer) }
                (failure, wait, pause) = (error, pause, min(pause * 2, Self.longestPause))
            }
            try? await Task.sleep(for: wait)
        }
    }

    private func report(_ error: OpenIDError, of issuer: IssuerSettings) {
        let fields: [LogEvent.Field] = [
            ("at", DiscoveryDocument.address(of: issuer.issuer)), ("detail", error.logDetail),
        ]
        log(LogEvent(.warning, .discoveryFailed, reason: error.code.rawValue, fields: fields))
    }
}
