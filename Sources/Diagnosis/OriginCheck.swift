package import HTTP
package import OpenID
import Provider
package import Settings

/// Compares the addresses that the settings name for one provider with each other and with what its issuer announces: after a
/// change of only some of them, every sign-in fails.
package enum OriginCheck {
    /// Compares the addresses without a request.
    ///
    /// A provider can have endpoints at several hosts, and this machine can reach a provider at another host than browsers do.
    package static func run(_ provider: ProviderSettings) -> Report {
        let other = issuers(of: provider)
        guard other.findings.isEmpty else { return other }
        let named = addresses(of: provider)
        let hosts = Set(named.map(\.host))
        guard provider.issuer != nil || !hosts.isSubset(of: GoogleWorkspace.hosts) else { return Report() }
        for host in hosts.sorted() {
            let here = named.filter { $0.host == host }
            // The token endpoint decides between two origins with equally many addresses.
            let weight = { (origin: String) in
                here.filter { $0.origin == origin }.reduce(0) {
                    $0 + ($1.setting == Setting.tokenEndpoint.name ? 3 : 2)
                }
            }
            let usual = Set(here.map(\.origin)).sorted().max { weight($0) < weight($1) }
            let odd = here.filter { $0.origin != usual }
            if !odd.isEmpty { return report(odd, besides: here.filter { $0.origin == usual }) }
        }
        guard provider.issuer == nil else { return Report() }
        let others = named.filter { [Setting.tokenEndpoint.name, Setting.issuers.name].contains($0.setting) }
        let usual = Set(others.map(\.host) + provider.options.issuers.compactMap { Address(Setting.issuers, $0)?.host })
        let odd = named.filter { address in
            [Setting.authorizationEndpoint.name, Setting.jwksURI.name].contains(address.setting)
                && !usual.contains(address.host)
        }
        return odd.isEmpty ? Report() : report(odd, besides: others)
    }

    /// The address of an endpoint or an issuer.
    private struct Address {
        let setting: String
        let url: WebAddress

        init?(_ setting: Setting, _ text: String?) {
            guard let url = text.flatMap({ WebAddress($0) }) else { return nil }
            (self.setting, self.url) = (setting.name, url)
        }

        /// All names of this machine are the same host.
        var host: String { url.isLoopback ? "localhost" : url.host }
        var origin: String { "\(host):\(url.port ?? (url.isSecure ? 443 : 80))" }
        var path: Substring { url.rest.prefix { $0 != "?" } }

        /// Whether the address leads to another program, or to another part of it.
        func differs(from announced: Address) -> Bool {
            path != announced.path || host == announced.host && origin != announced.origin
        }
    }

    /// The addresses that the program uses, or those of the settings if a discovery document has the others.
    private static func addresses(of provider: ProviderSettings) -> [Address] {
        let options = provider.options
        if let issuer = provider.issuer {
            let issuers = [Address(Setting.providerIssuer, issuer)].compactMap(\.self)
            return issuers + provider.namedAddresses.compactMap { Address($0, $1) }
        }
        let token = Address(Setting.tokenEndpoint, options.tokenEndpoint)
        let endpoints = [
            Address(Setting.authorizationEndpoint, options.authorizationEndpoint), token,
            Address(Setting.userinfoEndpoint, options.userinfoEndpoint),
        ]
        guard options.issuesIDToken else { return endpoints.compactMap(\.self) }
        // The list can have former issuers too.
        let issuers = options.issuers.map { Address(Setting.issuers, $0) }
        let issuer = issuers.first { $0?.origin == token?.origin } ?? issuers.first ?? nil
        return (endpoints + [Address(Setting.jwksURI, options.jwksURI), issuer]).compactMap(\.self)
    }

    private static func report(_ odd: [Address], besides others: [Address]) -> Report {
        let list = { (addresses: [Address]) in
            addresses.map { "\($0.setting) is at \($0.url.origin)" }.joined(separator: ", ")
        }
        let causes = Set(odd.map { Cause.setting($0.setting) })
        return Report(
            .endpointOther,
            odd.map(\.setting).joined(separator: ", "),
            "\(list(odd)), and \(list(others))",
            remedies: ["correct the settings that do not belong to this provider"],
            explainedBy: causes == [.setting(Setting.issuers.name)] ? [.setting(Setting.tokenEndpoint.name)] : causes
        )
    }
}

// MARK: - The issuers

extension OriginCheck {
    /// A finding if no accepted issuer of ID tokens is LinkedIn's, or at the host of another token endpoint.
    ///
    /// After a change of only one of the two settings, every sign-in fails. But a proxy of LinkedIn can have a host of its own.
    private static func issuers(of provider: ProviderSettings) -> Report {
        let (options, name) = (provider.options, Setting.issuers.name)
        guard provider.issuer == nil, options.issuesIDToken, let endpoint = WebAddress(options.tokenEndpoint) else {
            return Report()
        }
        let isOwn = options.issuers.contains { issuer in
            guard !provider.usesLinkedIn else { return LinkedIn.issuers.contains(issuer) }
            guard let address = WebAddress(issuer) else { return false }
            return address.host == endpoint.host || address.isLoopback && endpoint.isLoopback
                || GoogleWorkspace.hosts.isSuperset(of: [address.host, endpoint.host])
        }
        guard !isOwn else { return Report() }
        let remedy =
            provider.usesLinkedIn
            ? "remove \(name): without it, the program accepts LinkedIn's two issuers"
            : "write the issuer of \(endpoint.host) into \(name), or remove \(Setting.tokenEndpoint.name) to use LinkedIn's own address"
        let what =
            "the token endpoint is at \(endpoint.host), and the program accepts ID tokens only of "
            + options.issuers.joined(separator: ", ")
        // An address that is wrong altogether explains the difference.
        return Report(.issuerOther, name, what, remedies: [remedy], explainedBy: [.setting(Setting.tokenEndpoint.name)])
    }
}

// MARK: - The discovery document

extension OriginCheck {
    /// Compares the addresses with the discovery document of the issuer of a server that replaces LinkedIn, if it has one.
    package static func run(_ provider: ProviderSettings, transport: any Transport) async -> Report {
        guard provider.issuer == nil, !provider.usesLinkedIn, provider.options.issuesIDToken,
            let issuer = provider.options.issuers.first, WebAddress(issuer) != nil
        else { return run(provider) }
        do throws(OpenIDError) {
            return run(provider, against: try await DiscoveryDocument.fetch(issuer: issuer, by: transport).document)
        } catch {
            guard error.code == .discoveryIssuer else { return run(provider) }
            let what = "\(DiscoveryDocument.address(of: issuer)): \(error.detail), and the settings have \(issuer)"
            let remedy = "copy the issuer of the document to \(Setting.issuers.name), with or without its final slash"
            return Report(.issuerOther, Setting.issuers.name, what, remedies: [remedy])
        }
    }

    /// Compares the addresses with a discovery document.
    ///
    /// - Parameters:
    ///   - provider: The provider with the addresses that the program uses.
    ///   - document: What the issuer announces.
    /// - Returns: A finding for each address of another program.
    package static func run(_ provider: ProviderSettings, against document: DiscoveryDocument) -> Report {
        let (used, announced) = (provider.options, document.endpoints)
        let pairs = [
            (Setting.authorizationEndpoint, used.authorizationEndpoint, announced.authorization),
            (Setting.tokenEndpoint, used.tokenEndpoint, announced.token),
            (Setting.jwksURI, used.jwksURI ?? "", announced.keys),
        ]
        guard pairs.contains(where: { $1 != $2 }) else { return Report() }
        let different = pairs.filter { setting, used, announced in
            guard let used = Address(setting, used), let announced = Address(setting, announced) else { return false }
            return used.differs(from: announced)
        }
        guard !different.isEmpty else { return run(provider) }
        let issuer = provider.issuer == nil ? Setting.issuers : Setting.providerIssuer
        var report = Report()
        if different.count == pairs.count {
            let list = different.map { "\($0.0.name)=\($0.1)" }.joined(separator: ", ")
            let what =
                "is \(document.issuer), whose discovery document has other endpoints than the settings \(list)"
            let remedies = ["correct \(issuer.name), or the endpoints, so that all are of one provider"]
            let explanations = Set(different.map { Cause.setting($0.0.name) })
            return Report(.endpointOther, issuer.name, what, remedies: remedies, explainedBy: explanations)
        }
        for (setting, used, announced) in different {
            let what = "is \(used), and the discovery document of \(document.issuer) has \(announced)"
            let (name, remedies) = (setting.name, ["\(setting.name)=\(announced)"])
            report += Report(.endpointOther, name, what, remedies: remedies, explainedBy: [.setting(name)])
        }
        return report
    }
}
