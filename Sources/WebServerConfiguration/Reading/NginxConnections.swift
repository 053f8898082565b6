/// Finds directives of nginx about connections with which browsers cannot connect to the pages of linkedin-signin.
struct NginxConnections {
    let server: NginxServer
    /// All servers, of which some may have the same address.
    let others: [NginxServer]

    func add(to review: inout ServerReview) {
        guard !server.pages.isEmpty else { return }
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
            accepted.check(line.text, at: line.place, .nginx, "414 or 400", remedy, &review)
        }
    }

    private var hasHTTP2: Bool {
        server.listening.contains { $0.arguments.contains("http2") }
            || server.whole.effective("http2").last?.arguments == ["on"]
    }

    /// The number that nginx reads in a size, such as `8k`; 1 MiB in place of larger numbers, whose product may overflow.
    private static func bytes(_ text: String) -> Int? {
        let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20]
        let unit = text.lowercased().last.flatMap { units[$0] }
        let number = UInt(unit == nil ? text : String(text.dropLast()))
        return number.map { min(Int(min($0, 1 << 20)) * (unit ?? 1), 1 << 20) }
    }
}

extension NginxServer {
    fileprivate var listening: [NginxDirective] { block.named("listen") }
}
