import EventLog
import HTTPClient
import OpenID
import Pages
import Sessions
import Settings
import SignIn

import struct FoundationEssentials.Date

/// The site, with everything that is made from the settings and can be replaced while the program serves.
struct ConfiguredSite: Sendable {
    let configuration: Configuration
    let site: Site
    private let pages: PageRenderer

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
        store: MeasuredStore,
        keys: ServerKeys,
        log: Log,
        status: ServiceStatus,
        calls: CallCounter,
        continuing predecessor: ConfiguredSite? = nil
    ) throws(StartFailure) {
        self.configuration = configuration
        let predecessor = predecessor?.site
        let client = try Self.client(configuration, log: log, calls: calls, continuing: predecessor?.client)
        let keptForms = try Self.keptForms(configuration, store: store, continuing: predecessor?.keptForms)
        do {
            pages = try PageRenderer(configuration)
            site = Site(
                mount: configuration.mount,
                client: client,
                profileSource: ProfileSource(configuration.profile),
                sessions: store,
                reader: store.reader,
                spentStates: store,
                sealer: keys,
                pages: pages,
                log: log,
                now: { Date() },
                sessionLifetime: configuration.sessionLifetime,
                profileCache: configuration.profileCache,
                requiresLiveToken: configuration.requiresLiveToken,
                acceptsTokens: configuration.acceptsTokens,
                personalTokens: PersonalTokens(
                    store: store,
                    maximumLife: configuration.personalTokenLife,
                    continuing: predecessor?.personalTokens
                ),
                home: configuration.home,
                afterSignOut: configuration.afterSignOut,
                contact: configuration.contact,
                keptForms: keptForms,
                concurrentCalls: configuration.calling.concurrentCalls,
                logsEmail: configuration.logsEmail,
                hungThreads: { status.hungThreads },
                continuing: predecessor
            )
        } catch {
            throw .misconfigured(error)
        }
    }

    private static func client(
        _ configuration: Configuration,
        log: Log,
        calls: CallCounter,
        continuing predecessor: OpenIDClient?
    ) throws(StartFailure) -> OpenIDClient {
        do {
            return OpenIDClient(
                provider: configuration.provider,
                credentials: configuration.credentials,
                redirectURI: configuration.mount.redirectURI,
                transport: MeasuredTransport(
                    try CurlTransport(.init(configuration.calling), observer: { log(LogEvent($0)) }),
                    endpoints: configuration.namedEndpoints,
                    counter: calls
                ),
                now: { Date() },
                pause: { try await Task.sleep(for: $0) },
                continuing: predecessor
            )
        } catch {
            throw .unavailable(error)
        }
    }

    /// The keeper of forms during a sign-in; nil if the settings disable it.
    private static func keptForms(
        _ configuration: Configuration,
        store: MeasuredStore,
        continuing predecessor: KeptForms?
    ) throws(StartFailure) -> KeptForms? {
        guard configuration.keeping.bodyLimit > 0 else { return nil }
        do {
            let transport = try CurlTransport(.forms(configuration.calling))
            let limit = configuration.keeping.bodyLimit
            return KeptForms(limit: limit, store: store, transport: transport, continuing: predecessor)
        } catch {
            throw .unavailable(error)
        }
    }

    /// What an operator should know about these settings.
    var notes: [LogEvent] {
        [LogEvent(aboutLinkOf: configuration.profile)].compactMap(\.self)
            + pages.notes.map { LogEvent(.warning, "texts-missing", fields: [("detail", $0)]) }
    }
}
