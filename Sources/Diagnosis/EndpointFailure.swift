import HTTP
import Settings

/// Why an endpoint of the provider cannot be used.
struct EndpointFailure: Sendable {
    private enum Kind: Equatable {
        case unresolved, unreachable, unexpected
        case untrusted(TransportError.TrustFault?)
    }

    /// Where an operator finds the address of an endpoint, if the settings do not have it.
    enum Origin: Sendable {
        case linkedIn, discovery, documentation
    }

    private let kind: Kind
    private let detail: String
    private let setting: String
    private let url: String
    private let origin: Origin
    /// The status of an answer; nil without an answer.
    private let status: Int?
    /// The proxy that a call without an answer went through.
    private let proxy: String?

    init(_ error: TransportError, at endpoint: EndpointCheck.Endpoint) {
        kind =
            switch error.code {
            case .untrusted: .untrusted(error.trustFault)
            case .malformed, .tooLarge: .unexpected
            case .refusedURL, .unreachable, .timedOut, .busy, .cancelled:
                error.isUnresolved ? .unresolved : .unreachable
            }
        detail = error.detail
        setting = endpoint.setting
        url = endpoint.request.url
        origin = endpoint.origin
        status = nil
        let address = WebAddress(endpoint.request.url)
        proxy = address?.isSecure == true ? ProxyVariables.used(for: address?.host ?? "") : nil
    }

    /// An answer with a status that such an endpoint does not give.
    init(status: Int, at endpoint: EndpointCheck.Endpoint) {
        kind = .unexpected
        detail = "HTTP \(status) to a request without credentials"
        setting = endpoint.setting
        url = endpoint.request.url
        origin = endpoint.origin
        self.status = status
        proxy = nil
    }

    /// One finding for all endpoints that fail for the same reason.
    static func report(_ failures: [EndpointFailure], _ units: UnitCommands) -> Report {
        var report = Report()
        var rest = failures
        while let first = rest.first {
            let equal = rest.filter { $0.reason == first.reason }
            rest.removeAll { $0.reason == first.reason }
            let isHostDown = first.status == nil && first.kind != .unexpected
            report += Report(
                first.code,
                subject(of: equal),
                unique(equal.map { $0.detail + ($0.proxy.map { ", through the proxy \($0)" } ?? "") }).joined(
                    separator: "; "
                ),
                remedies: first.remedies(for: equal, units),
                causing: Set(equal.flatMap { [Cause.setting($0.setting)] + (isHostDown ? [.host($0.host)] : []) })
                    .union(first.proxy.map { [Cause.failingProxy($0)] } ?? []),
                explainedBy: first.proxy.map { [.malformedProxy($0)] } ?? []
            )
        }
        return report
    }

    private var code: FindingCode {
        switch kind {
        case .unresolved: .nameUnresolved
        case .unreachable: .endpointUnreachable
        case .untrusted: .endpointUntrusted
        case .unexpected: .endpointUnexpected
        }
    }

    private var host: String { EndpointCheck.host(url) }
    private var name: String { WebAddress(url)?.host ?? url }

    /// The same text for all hosts; names that do not resolve fail for one reason.
    private var reason: String {
        kind == .unresolved ? code.rawValue : "\(code.rawValue) \(detail.replacing(name, with: ""))"
    }

    /// The settings with each host.
    private static func subject(of failures: [EndpointFailure]) -> String {
        unique(failures.map(\.host)).map { host in
            failures.filter { $0.host == host }.map(\.setting).joined(separator: ", ") + " \(host)"
        }.joined(separator: "; ")
    }

    /// Whether an address is LinkedIn's own, and so not that of a setting for another provider.
    static func isLinkedIn(_ url: String) -> Bool {
        WebAddress(url)?.host.hasSuffix(".linkedin.com") == true
    }

    private func remedies(for failures: [EndpointFailure], _ units: UnitCommands) -> [String] {
        let settings = failures.map(\.setting).joined(separator: ", ")
        if let proxy, kind == .unreachable || kind == .unresolved {
            return [units.correction(ofProxy: proxy), attempt]
        }
        switch kind {
        case .unresolved:
            return [
                "try: getent ahosts \(name); if it prints nothing, the name servers of this machine do not answer",
                "name servers that answer: resolvectl status, or the lines nameserver of /etc/resolv.conf",
                "correct \(settings) if only this name does not resolve",
            ]
        case .untrusted(let fault): return Self.trust(fault)
        case .unexpected:
            let isFaultOfServer = status.map { $0 >= 500 } ?? false
            let own = "this is LinkedIn's own address: wait, or find a proxy that responds for it: curl -sS -i \(url)"
            let later = isFaultOfServer ? ["a 5xx is a fault of that server: try again later"] : []
            switch origin {
            case .discovery:
                return later + ["the discovery document has this address: correct it there, or set \(settings)"]
            case .documentation:
                return later + ["compare \(settings) with the documentation of the provider"]
            case .linkedIn:
                return later
                    + [Self.isLinkedIn(url) ? own : "remove \(settings) to use LinkedIn's own address, or correct it"]
            }
        case .unreachable:
            let port = WebAddress(url)?.port ?? 443
            let firewall = ["the name resolves, so let the firewall pass port \(port), or \(units.proxy)", attempt]
            let correction = ["correct \(settings) if the port \(port) or the host is wrong"]
            return (port == 443 ? firewall + correction : correction + firewall)
                + ["if that server does not respond at all, wait: sessions stay valid, and guarded locations work"]
        }
    }

    private var attempt: String { "try: curl -sS -m 10 -o /dev/null -w '%{http_code}' \(url)" }

    /// What makes a certificate acceptable, by what is wrong with it.
    static func trust(_ fault: TransportError.TrustFault?) -> [String] {
        let clock = "check the clock: timedatectl"
        let authority = "or set SIGNIN_EXTRA_CA_FILE to the PEM file of a private authority"
        switch fault {
        case .expired, .notYetValid: return [clock, "if the certificate is yours, renew it and reload its server"]
        case .otherHost:
            return [
                "correct the address: the server that responds has another name",
                "or the name leads to another server: getent ahosts NAME",
            ]
        case .clientCertificateMissing: return clientCertificate
        case .handshakeFailed: return handshake
        case .selfSigned, .unknownAuthority, nil: return ["install the package ca-certificates", authority, clock]
        }
    }

    /// What makes the certificate of the site acceptable to this command, and to the program, which sends kept forms there, by
    /// what is wrong with it.
    static func trust(_ fault: TransportError.TrustFault?, of site: WebAddress) -> [String] {
        let own = "run doctor with --ca-file FILE.pem, and set SIGNIN_EXTRA_CA_FILE to the same file"
        let (clock, reload) = (
            "check the clock: timedatectl", "reload the web server: systemctl reload nginx (or lighttpd)"
        )
        switch fault {
        case .expired: return ["renew the certificate, and \(reload)", clock]
        case .otherHost:
            return ["get a certificate that names \(site.host), and \(reload)", "or correct SIGNIN_BASE_URL or --url"]
        case .selfSigned:
            return [
                "browsers reject this certificate: get one of an authority, such as with certbot", "for tests, \(own)",
            ]
        case .clientCertificateMissing: return clientCertificate
        case .handshakeFailed: return handshake
        case .notYetValid, .unknownAuthority, nil:
            return [
                "let the web server send the whole chain, such as certbot's fullchain.pem",
                "for a private authority, \(own)",
                clock,
            ]
        }
    }

    /// How clients without a certificate can connect too.
    static let clientCertificate = [
        "in lighttpd, write ssl.verifyclient.enforce = \"disable\" next to ssl.verifyclient.activate, and check "
            + "SSL_CLIENT_VERIFY in the applications that need a client certificate",
        "in nginx, write ssl_verify_client optional; in the server block, in place of on, and in the locations that need a "
            + "client certificate: if ($ssl_client_verify != SUCCESS) { return 403; }",
        "if only visitors with a client certificate should use the site, test it with a browser that has one: doctor has none",
    ]

    /// What to do about a TLS handshake that failed whatever the certificate is.
    private static let handshake = [
        "if the server expects the PROXY protocol at this port (nginx: listen … proxy_protocol; lighttpd: "
            + "extforward.hap-PROXY), connect through the proxy that sends it, such as HAProxy with send-proxy",
        "if the server allows only versions of TLS that this machine rejects, such as ssl_protocols TLSv1; in nginx or "
            + "MinProtocol and MaxProtocol of ssl.openssl.ssl-conf-cmd in lighttpd, remove the line",
        "if the server speaks no TLS at this port, correct the port or the server",
        "the error log of the server has the reason; nginx logs it with error_log … info;",
    ]

    private static func unique(_ texts: [String]) -> [String] {
        texts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
