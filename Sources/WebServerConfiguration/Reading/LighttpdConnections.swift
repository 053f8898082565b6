extension LighttpdReview {
    /// Finds settings of lighttpd about connections with which browsers cannot connect to the pages of linkedin-signin.
    func checkConnections(_ review: inout ServerReview) {
        guard !routes.isEmpty else { return }
        checkProxies(&review)
        checkCertificates(&review)
        checkVersions(&review)
        checkSizes(&review)
    }

    /// Finds versions of TLS, which lighttpd sets for each socket.
    private func checkVersions(_ review: inout ServerReview) {
        let sockets = scopes.filter { $0.block.setting("ssl.engine")?.value.text == "enable" }
        for route in routes {
            let near = sockets.filter { scope in
                scope.mayApply(with: route)
                    && route.conditions.allSatisfy { !$0.isSocket || scope.conditions.contains($0) }
            }
            let faults = near.map(outdated)
            // Another socket may be for old devices.
            guard !faults.contains(where: \.isEmpty) else { continue }
            for (place, text) in faults.joined() {
                review.complain(place, "ssl.openssl.ssl-conf-cmd with \(text) \(TLSVersions.exclusion)")
            }
        }
    }

    /// The commands of a socket with which no current browser can connect to it.
    private func outdated(_ socket: LighttpdScope) -> [(place: SourcePlace, text: String)] {
        guard let setting = socket.effective("ssl.openssl.ssl-conf-cmd") else { return [] }
        return setting.value.members.compactMap { member in
            guard let name = member.key, let value = member.value.text, TLSVersions.excludesCurrent(name, value)
            else { return nil }
            return (setting.place, "\"\(name)\" => \"\(value)\"")
        }
    }

    /// Finds a limit for the header of a request, which lighttpd has for all hosts.
    private func checkSizes(_ review: inout ServerReview) {
        for (_, setting) in scopes.having("server.max-request-field-size") {
            guard let text = setting.value.text, let size = Int(text) else { continue }
            let remedy = "Write server.max-request-field-size = 8192, or remove this line"
            let accepted = RequestSizes(address: size, header: size)
            accepted.check("\(setting.name) = \(text)", at: setting.place, remedy: remedy, &review)
        }
    }

    /// Finds connections from which lighttpd expects the PROXY protocol, which browsers do not speak.
    private func checkProxies(_ review: inout ServerReview) {
        for (scope, setting) in scopes.having("extforward.hap-PROXY") where setting.value.text == "enable" {
            let trusted = scope.effective("extforward.forwarder")?.value.members.filter { $0.value.text == "trust" }
            guard let names = trusted?.compactMap(\.key), !names.isEmpty else { continue }
            let text =
                "extforward.hap-PROXY makes lighttpd reject each request from \(names.joined(separator: ", ")) "
                + "(extforward.forwarder) without the PROXY protocol"
            // Other names are those of the proxies, from which no browser connects.
            guard names.contains(where: { $0 == "all" || $0.hasSuffix("/0") }) else {
                review.note(setting.place, text + ", so HAProxy must connect from there with send-proxy")
                continue
            }
            let remedy = "Name only the addresses of HAProxy in extforward.forwarder, or remove this line"
            review.warn(setting.place, "\(text), so no browser can connect. \(remedy)")
        }
    }

    /// Finds connections for which lighttpd requires a certificate of the client.
    private func checkCertificates(_ review: inout ServerReview) {
        guard scopes.contains(where: { $0.block.setting("ssl.engine")?.value.text == "enable" }) else { return }
        for (scope, setting) in scopes.having("ssl.verifyclient.activate") {
            guard setting.value.text == "enable", routes.contains(where: scope.mayApply),
                // Without this setting, lighttpd requires a certificate.
                scope.effective("ssl.verifyclient.enforce")?.value.text != "disable"
            else { continue }
            review.warn(
                setting.place,
                "ssl.verifyclient.activate = \"enable\" is in force for the pages of linkedin-signin, so only browsers with a "
                    + "client certificate can sign in. If others should sign in too, write next to this line "
                    + "ssl.verifyclient.enforce = \"disable\", and check SSL_CLIENT_VERIFY in the applications that need a certificate"
            )
        }
    }
}
