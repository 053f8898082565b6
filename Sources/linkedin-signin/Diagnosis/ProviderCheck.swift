import Diagnosis
import FastCGI
import Guard
import HTTP
import HTTPClient
import OpenID
import Sessions
import Settings

import struct FoundationEssentials.Date

/// What `doctor` asks LinkedIn.
enum ProviderCheck {
    /// Asks all endpoints at the same time; blocks the calling thread, at most as long as a sign-in may wait.
    static func run(_ settings: Configuration) -> Report {
        ask("LinkedIn", settings.calling) { transport in
            await withTaskGroup(of: (Int, Report).self) { group in
                for (number, provider) in settings.providers.enumerated() {
                    let isOnly = settings.providers.count == 1
                    group.addTask { (number, await check(provider, isOnly: isOnly, of: settings.site, transport)) }
                }
                let reports = await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
                return settings.providers.enumerated().reduce(into: Report()) { all, provider in
                    let report = reports[provider.offset] ?? Report()
                    all +=
                        settings.providers.count > 1 ? report.about(provider: provider.element.id.description) : report
                }
            }
        }
    }

    private static func check(
        _ provider: ProviderSettings,
        isOnly: Bool,
        of site: InstalledSite?,
        _ transport: CurlTransport
    ) async -> Report {
        guard let place = provider.discovery else {
            async let origins = OriginCheck.run(provider, transport: transport)
            var report = await endpoints(provider, of: site, transport)
            report += await origins
            return report
        }
        let (found, report) = await DiscoveryCheck.run(provider, place, isOnly: isOnly, transport: transport)
        guard let found else { return report }
        var all = report
        all += await endpoints(found, of: site, transport)
        return all
    }

    private static func endpoints(
        _ provider: ProviderSettings,
        of site: InstalledSite?,
        _ transport: CurlTransport
    ) async -> Report {
        let client = OpenIDClient(
            options: provider.options,
            credentials: provider.credentials,
            redirectURI: provider.redirectURI,
            transport: transport,
            now: { Date() },
            pause: { try await Task.sleep(for: $0) }
        )
        async let endpoints = EndpointCheck(provider, of: site, transport: transport).run()
        async let credentials = CredentialCheck(client, provider, of: site).run()
        async let keys = CredentialCheck(client, provider, of: site).keys()
        var report = await endpoints
        report += await credentials
        report += await keys
        report += proxies(provider)
        return report
    }

    /// The proxy of each host, from the environment of this command or of the unit.
    private static func proxies(_ provider: ProviderSettings) -> Report {
        var report = Report()
        let addresses = provider.namedEndpoints.map { $0.address } + [provider.options.authorizationEndpoint]
        let hosts = Set(addresses.compactMap { WebAddress($0) }.filter(\.isSecure).map(\.host))
        for host in hosts.sorted() {
            let what =
                ProxyVariables.used(for: host).map { "\($0), from the environment of this command or of the unit" }
                ?? "none"
            report += Report(passed: "proxy for \(host)", what)
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
        member: String?,
        trusting caFile: String?
    ) -> Report {
        var calling = configuration.calling
        if let caFile { calling.extraCAFile = caFile }
        let claims = configuration.applicationClaims.map(ApplicationClaim.init).filter { $0 != .groups }
        let fields = ["X-Auth-Subject", "X-Auth-Email", "X-Auth-Name"] + ([.groups] + claims).map(\.header)
        // lighttpd ends the stream of a request that it rejects before its end, which libcurl 7.88 reports as a stream error.
        return ask(site.origin, calling, usingHTTP2: false) { transport in
            await SiteCheck(
                site,
                configuration,
                transport: transport,
                direct: direct,
                proof: proof,
                identityFields: fields,
                guarded: guarded,
                member: member
            ).run()
        }
    }

    /// Waits on this thread for work with a transport that reports certificates.
    private static func ask(
        _ subject: String,
        _ calling: Configuration.Calling,
        usingHTTP2: Bool = true,
        _ work: @escaping @Sendable (CurlTransport) async -> Report
    ) -> Report {
        var limits = CurlTransport.Configuration(calling)
        limits.reportsCertificates = true
        limits.maximumCalls = 64
        limits.usesHTTP2 = usingHTTP2
        let transport: CurlTransport
        do throws(TransportError) {
            transport = try CurlTransport(limits)
        } catch {
            return Report(.notChecked, subject, "libcurl: \(error.detail)")
        }
        let report = try? wait { () async throws(StoreError) in
            let report = await work(transport)
            await transport.shutdown()
            return report
        }
        // The work throws no error.
        return report ?? Report()
    }
}
