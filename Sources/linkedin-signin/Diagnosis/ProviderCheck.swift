import Diagnosis
import FastCGI
import HTTP
import HTTPClient
import OpenID
import Sessions
import Settings
import Synchronization

import struct FoundationEssentials.Date
import class FoundationEssentials.ProcessInfo

/// What `doctor` asks LinkedIn.
enum ProviderCheck {
    /// Asks all endpoints at the same time; blocks the calling thread, at most as long as a sign-in may wait.
    static func run(_ settings: Configuration) -> Report {
        do throws(TransportError) {
            let transport = try transport(settings.calling)
            let (found, ofDiscovery) = discovered(settings, by: transport)
            guard let configuration = found else { return ofDiscovery }
            let client = OpenIDClient(
                options: configuration.provider,
                credentials: configuration.credentials,
                redirectURI: configuration.mount.redirectURI,
                transport: transport,
                now: { Date() },
                pause: { try await Task.sleep(for: $0) }
            )
            return report { () async in
                async let endpoints = EndpointCheck(configuration, transport: transport).run()
                async let credentials = CredentialCheck(client, configuration).run()
                async let keys = CredentialCheck(client, configuration).keys()
                var report = ofDiscovery
                report += await endpoints
                report += await credentials
                report += await keys
                report += proxies(configuration)
                await transport.shutdown()
                return report
            }
        } catch {
            return Report(.notChecked, "LinkedIn", "libcurl: \(error.detail)")
        }
    }

    /// Fetches the discovery document; blocks the calling thread.
    ///
    /// - Returns: The settings with what it says; nil if it cannot be used.
    private static func discovered(_ settings: Configuration, by transport: CurlTransport) -> (Configuration?, Report) {
        guard let issuer = settings.issuer else { return (settings, Report()) }
        let found = Mutex<Configuration?>(nil)
        let report = report { () async in
            let (configuration, report) = await DiscoveryCheck.run(settings, issuer, transport: transport)
            found.withLock { $0 = configuration }
            return report
        }
        return (found.withLock(\.self), report)
    }

    /// The proxy of each host, from the environment of this command, which can differ from that of the service.
    private static func proxies(_ configuration: Configuration) -> Report {
        var report = Report()
        let environment = ProcessInfo.processInfo.environment
        let addresses = configuration.namedEndpoints.map { $0.address } + [configuration.provider.authorizationEndpoint]
        let hosts = Set(addresses.compactMap { WebAddress($0) }.filter(\.isSecure).map(\.host))
        for host in hosts.sorted() {
            let proxy = ProxyVariables.used(for: host, environment)
            report += Report(
                passed: "proxy for \(host)",
                proxy.map { "\($0), from the environment of this command" } ?? "none"
            )
        }
        return report
    }

    /// Goes through the web server; blocks the calling thread.
    static func site(
        _ site: WebAddress,
        _ configuration: Configuration,
        direct: Client.Answer?,
        proof: String?,
        guarded: [String],
        trusting caFile: String?
    ) -> Report {
        do throws(TransportError) {
            var calling = configuration.calling
            if let caFile { calling.extraCAFile = caFile }
            let transport = try transport(calling)
            let check = SiteCheck(
                site,
                configuration,
                transport: transport,
                direct: direct,
                proof: proof,
                guarded: guarded
            )
            return report { () async in
                let report = await check.run()
                await transport.shutdown()
                return report
            }
        } catch {
            return Report(.notChecked, site.origin, "libcurl: \(error.detail)")
        }
    }

    /// A transport that reports certificates.
    static func transport(_ calling: Configuration.Calling) throws(TransportError) -> CurlTransport {
        var limits = CurlTransport.Configuration(calling)
        limits.reportsCertificates = true
        limits.maximumCalls = 64
        return try CurlTransport(limits)
    }

    /// Waits on this thread for work that is asynchronous.
    static func report(_ work: @escaping @Sendable () async -> Report) -> Report {
        do throws(StoreError) {
            return try wait { () async throws(StoreError) in await work() }
        } catch {
            // The work throws no error.
            return Report()
        }
    }
}
