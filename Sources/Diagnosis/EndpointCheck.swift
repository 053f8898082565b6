package import HTTP
import OpenID
package import Provider
package import Settings

package import struct FoundationEssentials.Date

/// Asks each endpoint of the provider for something harmless, all at the same time.
package struct EndpointCheck: Sendable {
    /// An endpoint, and what a request without credentials should bring.
    struct Endpoint: Sendable {
        let setting: String
        let request: ClientRequest
        /// Where the address is from.
        var origin = EndpointFailure.Origin.linkedIn
        /// Whether a status is an answer of such an endpoint.
        let isExpected: @Sendable (Int) -> Bool

        /// The same, for a version of the profile API.
        func asking(for version: String) -> Endpoint {
            var request = request
            if let name = HeaderName("LinkedIn-Version") { try? request.headers.set(name, version) }
            return Endpoint(setting: setting, request: request, isExpected: isExpected)
        }
    }

    private let endpoints: [Endpoint]
    private let transport: any Transport
    /// The versions of the profile API.
    private let versions: [String]
    private let leeway: Int
    private let units: UnitCommands

    /// - Parameters:
    ///   - settings: The provider in the settings.
    ///   - site: The installed site, for the commands that change it.
    ///   - transport: Reports certificates; its limits are those of one endpoint.
    package init(_ settings: ProviderSettings, of site: InstalledSite?, transport: any Transport) {
        let (provider, profile) = (settings.options, settings.profile)
        func endpoint(
            _ setting: Setting,
            _ url: String?,
            _ method: Method,
            _ isExpected: @escaping @Sendable (Int) -> Bool
        )
            -> Endpoint?
        {
            guard let url, !url.isEmpty else { return nil }
            var request = ClientRequest(method, url)
            // Without a body, the POST changes nothing.
            try? request.headers.set(.accept, "application/json")
            if setting == Setting.tokenEndpoint {
                // A server may fail if a request names no grant. Without a code, this one changes nothing either.
                try? request.headers.set(.contentType, "application/x-www-form-urlencoded")
                request.body = Array(FormData(["grant_type": "authorization_code"]).encoded.utf8)
            }
            let endpoint = Endpoint(
                setting: setting.name,
                request: request,
                origin: settings.issuer == nil ? .linkedIn : settings.discovery == nil ? .documentation : .discovery,
                isExpected: isExpected
            )
            guard setting == Setting.profileEndpoint, let version = profile.versions.first, profile.product == .verified
            else {
                return endpoint
            }
            return endpoint.asking(for: version)
        }
        let isPage: @Sendable (Int) -> Bool = { $0 < 500 && $0 != 404 && $0 != 410 }
        let isRefusal: @Sendable (Int) -> Bool = { (400...403).contains($0) || $0 == 405 || $0 == 415 || $0 == 429 }
        // GitHub answers 404 to a request without a client, and 200 to other requests for tokens that it refuses.
        let ofGitHub = settings.preset == .github ? [200, 404] : []
        endpoints = [
            endpoint(Setting.authorizationEndpoint, provider.authorizationEndpoint, .get) {
                isPage($0) || ofGitHub.contains($0)
            },
            endpoint(Setting.tokenEndpoint, provider.tokenEndpoint, .post) { isRefusal($0) || ofGitHub.contains($0) },
            endpoint(Setting.jwksURI, provider.jwksURI, .get) { $0 == 200 },
            endpoint(Setting.userinfoEndpoint, provider.userinfoEndpoint, .get, isRefusal),
            profile.address == provider.userinfoEndpoint
                ? nil : endpoint(Setting.profileEndpoint, profile.address, .get, isRefusal),
            endpoint(Setting.revocationEndpoint, provider.revocationEndpoint, .post, isPage),
        ].compactMap(\.self)
        versions = profile.product == .verified ? profile.versions : []
        leeway = provider.clockLeeway
        units = UnitCommands(site: site)
        self.transport = transport
    }

    /// Asks all endpoints and waits for the slowest.
    package func run() async -> Report {
        let results = await withTaskGroup(of: (Int, Outcome).self) { group in
            for (number, endpoint) in endpoints.enumerated() {
                group.addTask { [self] in (number, await ask(endpoint)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        var report = Report()
        for result in results { report += result.report }
        report += EndpointFailure.report(results.compactMap(\.failure), units)
        // The smallest difference, because a proxy may send an old Date.
        let clocks = results.compactMap(\.clock)
        if let clock = clocks.min(by: { abs($0.ahead) < abs($1.ahead) }) {
            report += clock.report(leeway: leeway, service: ClockService.installed())
        } else {
            let hosts = Set(endpoints.map { Cause.host(Self.host($0.request.url)) })
            report += Report(.notChecked, "clock", "no server of LinkedIn sent a date", explainedBy: hosts)
        }
        return report
    }

    /// What an endpoint answered.
    private struct Outcome: Sendable {
        var report = Report()
        var clock: ClockCheck?
        var failure: EndpointFailure?
    }

    private func ask(_ endpoint: Endpoint) async -> Outcome {
        let (host, before) = (Self.host(endpoint.request.url), Date())
        let subject = "\(endpoint.setting) \(host)"
        let answer: ClientResponse
        do throws(TransportError) {
            answer = try await transport.send(endpoint.request)
        } catch {
            // LinkedIn answers 999, which is not a status, to programs that open its pages.
            if error.code == .malformed, endpoint.request.method == .get, error.detail == "no status line" {
                return Outcome(report: Report(passed: subject, "is reachable"))
            }
            return Outcome(failure: EndpointFailure(error, at: endpoint))
        }
        var report = Report()
        var failure: EndpointFailure?
        if endpoint.setting == Setting.profileEndpoint.name, !versions.isEmpty, answer.rejectsVersion {
            report += await rejection(at: endpoint, status: answer.status)
        } else if endpoint.isExpected(answer.status) {
            report += Report(passed: subject, "responds (HTTP \(answer.status))")
        } else {
            failure = EndpointFailure(status: answer.status, at: endpoint)
        }
        report += Self.certificate(answer.certificateEnd, of: host, now: Date())
        if endpoint.setting == Setting.jwksURI.name { report += Self.age(of: answer, endpoint) }
        let date = HeaderName("Date").flatMap { answer.headers[$0] }
        let clock = date.flatMap { ClockCheck(server: host, date: $0, before: before, after: Date()) }
        return Outcome(report: report, clock: clock, failure: failure)
    }

    /// A finding if a certificate expires soon.
    static func certificate(_ end: Int?, of host: String, now: Date) -> Report {
        guard let end else { return Report() }
        let days = (Double(end) - now.timeIntervalSince1970) / 86_400
        guard days < 14 else { return Report() }
        let time = days < 1 ? "less than a day" : days < 2 ? "1 day" : "\(Int(days)) days"
        let remedy =
            "if the certificate is yours, renew the certificate and reload the web server; for certbot: certbot renew"
        return Report(.certificateEnding, host, "the certificate expires in \(time)", remedies: [remedy])
    }

    /// A finding if the key set comes from an old cache (RFC 9111 §5.1).
    private static func age(of answer: ClientResponse, _ endpoint: Endpoint) -> Report {
        let age = HeaderName("Age").flatMap { answer.headers[$0] }.flatMap { Int($0) } ?? 0
        guard age > 86_400 else { return Report() }
        let remedy = "empty the cache of the proxy to LinkedIn, or let \(endpoint.setting) bypass this cache"
        return Report(.keysOld, endpoint.setting, "Age: \(age) seconds", remedies: [remedy])
    }

    static func host(_ url: String) -> String {
        WebAddress(url)?.authority ?? url
    }
}

// MARK: - The version of the profile API

extension EndpointCheck {
    /// Judges a rejection of the first version by what the endpoint answers to the others, as the program tries them.
    private func rejection(at endpoint: Endpoint, status: Int) async -> Report {
        var rejected = versions.prefix(1).map { "\($0) (HTTP \(status))" }
        for (number, version) in versions.enumerated().dropFirst() {
            guard let answer = try? await transport.send(endpoint.asking(for: version).request) else { continue }
            if answer.rejectsVersion {
                rejected.append("\(version) (HTTP \(answer.status))")
            } else if endpoint.isExpected(answer.status) {
                return Report(
                    .versionRejected,
                    Setting.linkedInVersion.name,
                    "LinkedIn rejects \(rejected.joined(separator: ", ")) and accepts \(version)",
                    remedies: ["LINKEDIN_VERSION=\(versions[number...].joined(separator: ","))"]
                )
            }
        }
        let others = rejected.count < versions.count ? ", and accepts none of the others" : ""
        return Self.retired("LinkedIn rejects \(rejected.joined(separator: ", "))\(others)")
    }

    private static func retired(_ what: String) -> Report {
        let remedy = "LINKEDIN_VERSION=YYYYMM with a version of LinkedIn's release notes, first in the list"
        return Report(.versionRetired, Setting.linkedInVersion.name, what, remedies: [remedy])
    }

    /// Judges the age of the versions.
    ///
    /// - Parameters:
    ///   - profile: The endpoint with its versions.
    ///   - now: The time.
    /// - Returns: The findings.
    package static func versions(of profile: ProfileEndpoint, at now: Date) -> Report {
        let ages = profile.versionAges(at: now)
        guard let newest = ages.min(by: { $0.months < $1.months }) else { return Report() }
        let text = "\(newest.version) is \(newest.months) months old"
        switch newest.months {
        case 12...: return retired("the newest, \(text)")
        case 9...:
            let remedy = "LINKEDIN_VERSION=YYYYMM with a newer version in front"
            return Report(.versionOld, Setting.linkedInVersion.name, "the newest, \(text)", remedies: [remedy])
        default: return Report(passed: Setting.linkedInVersion.name, text)
        }
    }
}
