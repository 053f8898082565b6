import Encoding

extension NginxServerReview {
    /// Finds directives of nginx about connections with which browsers cannot connect to the pages of linkedin-signin.
    func checkConnections(_ review: inout ServerReview) {
        guard !server.pages.isEmpty else { return }
        checkProxies(&review)
        checkVersions(&review)
        checkSizes(&review)
    }

    /// The servers whose lines nginx uses for a connection before it knows the host of a request, each with the address.
    private func defaults(_ listening: [NginxDirective]) -> [(server: NginxServer, address: String)] {
        Set(listening.compactMap(\.address)).sorted().compactMap { address in
            let all = others.filter { $0.listening.contains { $0.address == address } }
            let named = all.first { other in
                other.listening.contains { $0.address == address && $0.arguments.contains("default_server") }
            }
            return (named ?? all.first).map { ($0, address) }
        }
    }

    /// Finds addresses at which nginx expects the PROXY protocol, which browsers do not speak.
    private func checkProxies(_ review: inout ServerReview) {
        let used = server.listening.filter { !server.hasTLS || $0.arguments.contains("ssl") }
        let proxies = server.whole.effective("set_real_ip_from").compactMap(\.arguments.first)
        let isOfProxies = !proxies.isEmpty && !proxies.contains { $0.hasSuffix("/0") }
        // All servers of an address share its socket.
        let lines = others.flatMap(\.listening).filter { $0.arguments.contains("proxy_protocol") }
        let addresses = Set(lines.map(\.address))
        for line in lines where used.contains(where: { $0.address == line.address }) {
            let text = "\(line.text) makes nginx reject each connection to this address without the PROXY protocol"
            // A browser may connect to another address of the server.
            guard !isOfProxies, used.allSatisfy({ addresses.contains($0.address) }) else {
                review.note(line.place, text + ", so HAProxy must connect there with send-proxy")
                continue
            }
            review.warn(
                line.place,
                "\(text), so no browser can connect. Name only the addresses of HAProxy in set_real_ip_from, or remove "
                    + "proxy_protocol from this line"
            )
        }
    }

    /// OpenSSL chooses the version of TLS before nginx looks at the name of the server.
    private func checkVersions(_ review: inout ServerReview) {
        for (other, address) in defaults(server.listening.filter { $0.arguments.contains("ssl") }) {
            let versions = other.whole.effective("ssl_protocols").suffix(1).filter {
                !TLSVersions.haveCurrent($0.arguments)
            }
            let commands = other.whole.effective("ssl_conf_command").filter { line in
                line.arguments.count == 2 && TLSVersions.excludesCurrent(line.arguments[0], line.arguments[1])
            }
            for line in versions + commands {
                review.complain(line.place, "\(line.text) for connections to \(address) \(TLSVersions.exclusion)")
            }
        }
    }

    /// nginx puts a request into one buffer of `client_header_buffer_size`, and what does not fit there into larger ones; with
    /// HTTP/2, only the larger ones count.
    private func checkSizes(_ review: inout ServerReview) {
        // With TLS, browsers name the server in the handshake.
        let first = server.hasTLS ? [] : defaults(server.listening).map(\.server)
        for other in first + [server] {
            guard let line = other.whole.effective("large_client_header_buffers").last, line.arguments.count == 2,
                let count = Self.bytes(line.arguments[0]), let size = Self.bytes(line.arguments[1])
            else { continue }
            let start = other.whole.effective("client_header_buffer_size").last?.arguments.first
            let initial = hasHTTP2 ? 0 : start.flatMap(Self.bytes) ?? 1_024
            let accepted = RequestSizes(address: max(initial, size), header: initial + count * size)
            let remedy = "Write large_client_header_buffers 4 8k; in place of this line, or remove this line"
            accepted.check(line.text, at: line.place, remedy: remedy, &review)
        }
    }

    private var hasHTTP2: Bool {
        server.listening.contains { $0.arguments.contains("http2") }
            || server.whole.effective("http2").last?.arguments == ["on"]
    }

    /// The number that nginx reads in a size, such as `8k`; 1 MiB in place of larger numbers, whose product may overflow.
    private static func bytes(_ text: String) -> Int? { Quantity.bytes(text.uppercased()).map { min($0, 1 << 20) } }
}
