package import HTTP
import OpenID
package import Settings

/// Fetches the discovery document of the provider, as the program does.
package enum DiscoveryCheck {
    /// Fetches and checks the document.
    ///
    /// - Parameters:
    ///   - provider: The provider in the settings.
    ///   - place: The address of the document, and the issuer that the document must have.
    ///   - isOnly: Whether the site has no other provider.
    ///   - transport: Sends the request.
    /// - Returns: The provider with what the document says, or nil if it cannot be used; and the findings.
    package static func run(
        _ provider: ProviderSettings,
        _ place: (address: String, issuer: String),
        isOnly: Bool,
        transport: any Transport
    ) async -> (ProviderSettings?, Report) {
        let (setting, address) = (Setting.providerIssuer.name, place.address)
        do throws(OpenIDError) {
            let document = try await DiscoveryDocument.fetch(issuer: place.issuer, at: address, by: transport).document
            let complete = try provider.discovering(document)
            var logout = ""
            if document.announcesLogoutTokens, complete.options.sendsLogoutTokens {
                logout = "; to receive logout tokens, register \(provider.redirectURI) as back-channel logout URL"
            }
            var report = Report(
                passed: "\(setting) \(provider.issuer ?? "")",
                "its discovery document can be used\(logout)"
            )
            report += OriginCheck.run(complete, against: document)
            return (complete, report)
        } catch {
            let isInvalid = [.discoveryMalformed, .discoveryIssuer].contains(error.code)
            let report = Report(
                isInvalid ? .discoveryInvalid : .discoveryUnavailable,
                setting,
                "\(address): \(error.logDetail)\(proxy(address, error))"
                    + (isOnly ? "" : "; sign-ins with the other providers still work"),
                remedies: remedies(for: error, address),
                // Without the document, the program does not know the address of the keys.
                causing: [.host(EndpointCheck.host(address)), .setting(Setting.jwksURI.name)]
            )
            return (nil, report)
        }
    }

    /// The proxy that the request went through, for a message.
    private static func proxy(_ address: String, _ error: OpenIDError) -> String {
        let host = WebAddress(address)?.host ?? ""
        guard error.transport != nil, let proxy = ProxyVariables.used(for: host) else { return "" }
        return ", through the proxy \(proxy)"
    }

    private static func remedies(for error: OpenIDError, _ address: String) -> [String] {
        let look = "look at the document: curl -sS -i -m 10 \(address)"
        let setting = Setting.providerIssuer.name
        if error.code == .discoveryIssuer {
            return ["copy the issuer of the document to \(setting), with or without its final slash", look]
        }
        if error.code == .discoveryMalformed { return [look] }
        let trust = error.transport == .untrusted ? EndpointFailure.trust(error.transportError?.trustFault) : []
        return trust + ["compare \(setting) with the documentation of the provider", look]
    }
}
