import EventLog
import HTTPClient
import OpenID
import POSIX
import Pages
import Provider
import Sessions
import Settings
import SignIn

import struct FoundationEssentials.Date

/// The site, with everything that is made from the settings and can be replaced while the program serves.
struct ConfiguredSite: Sendable {
    let configuration: Configuration
    let site: Site
    private let pages: PageRenderer
    /// The files of certificate authorities, before the transports read them; nil for one that cannot be read.
    private let authorities: [FileStatus?]
    /// Sends requests to the provider.
    let transport: CurlTransport
    /// Sends kept forms to the site; nil if the settings disable them.
    private let formTransport: CurlTransport?

    /// Makes the site of a configuration; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - configuration: All settings.
    ///   - store: The open store.
    ///   - keys: The server keys.
    ///   - log: Receives the events.
    ///   - status: Knows how the threads do.
    ///   - calls: Counts the calls to the provider.
    ///   - predecessor: The site that this one replaces.
    /// - Throws: `StartFailure` if the configuration or the system does not allow it.
    init(
        _ configuration: Configuration,
        store: Vault,
        keys: ServerKeys,
        log: Log,
        status: ServiceStatus,
        calls: CallCounter,
        continuing predecessor: ConfiguredSite? = nil
    ) throws(StartFailure) {
        self.configuration = configuration
        let calling = configuration.calling
        // A transport keeps the authorities that it has read, and connections that it made with them.
        let files = [calling.caFile ?? CurlTransport.Configuration.systemAuthorityFile, calling.extraCAFile]
        authorities = files.compactMap(\.self).map { try? FileStatus(path: $0) }
        let count = configuration.providers.count
        let isSame =
            calling == predecessor?.configuration.calling && authorities == predecessor?.authorities
            && count == predecessor?.configuration.providers.count
        let same = isSame ? predecessor : nil
        let predecessor = predecessor?.site
        do {
            transport =
                try same?.transport ?? CurlTransport(.init(calling, providers: count), observer: { log(LogEvent($0)) })
            let keepsForms = configuration.keptBody > 0
            formTransport = keepsForms ? try same?.formTransport ?? CurlTransport(.forms(calling)) : nil
        } catch {
            throw .unavailable(error)
        }
        let providers = configuration.providers.map { [transport] settings in
            let known = predecessor?.providers[settings.id]
            return Provider(
                id: settings.id,
                client: Self.client(settings, transport, calls: calls, continuing: known?.client),
                profiles: settings.profiles,
                keptClaims: settings.keptClaims,
                trustsEmail: settings.trustsEmail,
                concurrentCalls: configuration.upstreamCalls,
                log: log,
                continuing: known
            )
        }
        do {
            pages = try PageRenderer(configuration)
            site = Site(
                configuration,
                providers: Providers(providers[0], providers.dropFirst()),
                store: store,
                sealer: keys,
                pages: pages,
                log: log,
                now: { Date() },
                formTransport: formTransport,
                hungThreads: { status.hungThreads },
                continuing: predecessor
            )
        } catch {
            throw .misconfigured(error)
        }
    }

    private static func client(
        _ provider: ProviderSettings,
        _ transport: CurlTransport,
        calls: CallCounter,
        continuing predecessor: OpenIDClient?
    ) -> OpenIDClient {
        OpenIDClient(
            options: provider.options,
            credentials: provider.credentials,
            redirectURI: provider.redirectURI,
            transport: MeasuredTransport(
                transport,
                to: provider.id.description,
                endpoints: provider.namedEndpoints,
                counter: calls
            ),
            now: { Date() },
            pause: { try await Task.sleep(for: $0) },
            continuing: predecessor
        )
    }

    /// What an operator should know about these settings.
    var notes: [LogEvent] {
        configuration.providers.filter { $0.issuer == nil }.compactMap { LogEvent(aboutLinkOf: $0.profile) }
            + pages.notes.map { LogEvent(.warning, .textsMissing, fields: [("detail", $0)]) }
    }
}
