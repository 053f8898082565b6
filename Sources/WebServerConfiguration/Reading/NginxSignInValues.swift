import Settings

/// The values of variables of nginx in the requests of a sign-in and of a sign-out.
struct NginxSignInValues {
    let server: NginxServer
    /// The variables whose values depend on the one in question, because lines of a configuration may do so in a circle.
    private var dependents: Set<String> = []

    init(server: NginxServer) { self.server = server }

    func verdict(on condition: NginxCondition) -> SignInRequests.Verdict {
        SignInRequests.verdict(values(of: condition.variable), condition.replacing(Self.name, with: serverName).holds)
    }

    private static let name = "$server_name"
    private var serverName: String { server.names.first ?? "" }

    /// The host to which a `return` or `rewrite` leads requests for the host of the site; nil if it is that host, or not known.
    func otherHost(after line: NginxDirective) -> String? {
        guard let own = values(of: "$host")?.first?.text,
            var address = line.arguments.last(where: { $0.contains("://") })
        else { return nil }
        for (name, text) in [(Self.name, serverName), ("$host", own), ("$http_host", own)] {
            address = address.replacing(name, with: text)
        }
        let parts = address.split(separator: "://", maxSplits: 1)
        let host = parts.last?.prefix { !"/?:$".contains($0) }.lowercased() ?? ""
        return host.isEmpty || host == own ? nil : host
    }

    /// Nil if the values are not known; empty if the variable says only where a request comes from.
    func values(of name: String) -> [SignInRequests.Value]? {
        if name == NginxCondition.scheme, isDirect { return SignInRequests.schemes }
        if Self.ofConnections.contains(name) || Self.prefixes.contains(where: name.hasPrefix) { return [] }
        if name.hasPrefix("$ssl_"), !name.hasPrefix("$ssl_client_") { return [] }
        switch name {
        case "$host", "$http_host":
            return server.sites.compactMap { server.included($0).authority }.map { authority in
                (name == "$host" ? String(authority.prefix { $0 != ":" }) : authority, "requests for \(authority)")
            }
        case "$args", "$query_string": return SignInRequests.queries
        case "$is_args": return [("?", SignInRequests.callback)]
        case "$request_method": return SignInRequests.methods
        case "$http_referer": return SignInRequests.referrers
        case "$invalid_referer":
            // A list with hosts may contain that of the provider.
            let hosts = server.block.named("valid_referers").flatMap(\.arguments).filter { $0.contains(".") }
            return hosts.isEmpty ? [("1", SignInRequests.referrers[0].requests)] : []
        case "$http_user_agent": return SignInRequests.browsers
        case "$uri", "$document_uri", "$request_uri":
            return server.pages.flatMap { page in
                let hasQuery = name == "$request_uri" && SitePath.isCallback(page.path)
                let queries = hasQuery ? SignInRequests.queries.map { "?" + $0.text } : [""]
                return queries.map { (page.path + $0, "requests for \(page.path)") }
            }
        case _ where name.hasPrefix("$arg_"): return SignInRequests.values(of: name.dropFirst(5))
        default:
            guard !dependents.contains(name) else { return nil }
            var others = self
            others.dependents.insert(name)
            return others.mapped(name) ?? others.assigned(name)
        }
    }

    /// Whether browsers connect to this server without a proxy, as far as its lines tell.
    private var isDirect: Bool {
        server.hasTLS && server.whole.effective("set_real_ip_from").isEmpty
            && !server.listening.contains { $0.arguments.contains("proxy_protocol") }
    }

    private static let ofConnections: Set = [
        "$binary_remote_addr", "$hostname", "$http2", "$http3", "$http_x_forwarded_for",
        "$http_x_forwarded_host", "$http_x_forwarded_proto", "$http_x_real_ip", "$https", "$realip_remote_addr",
        "$remote_addr", "$scheme", "$server_addr", "$server_name", "$server_port", "$server_protocol",
    ]
    /// Those of print-config reject only forged requests.
    private static let prefixes = ["$geoip", "$proxy_protocol_", "$signin_"]

    /// The values that a `map` or `geo` gives a variable.
    private func mapped(_ name: String) -> [SignInRequests.Value]? {
        let isNamed: (NginxDirective) -> Bool = { $0.arguments.last == name }
        if server.http.named("geo").contains(where: isNamed) { return [] }
        guard let map = server.http.named("map").last(where: isNamed), let source = map.arguments.first,
            let sources = values(of: source)
        else { return nil }
        let values = sources.flatMap { text, requests -> [SignInRequests.Value] in
            let value = map.value(for: text)
            if value == source { return [(text, requests)] }
            return Self.ofConnections.contains(value) ? [] : [(value, requests)]
        }
        return values.contains { $0.text.contains("$") } ? nil : values
    }

    /// The values that `set` outside all locations gives a variable in a condition, or only without one.
    private func assigned(_ name: String) -> [SignInRequests.Value]? {
        let block = server.block
        let values = block.named("if").filter { $0.block.value(of: name) != nil }.map {
            line -> [SignInRequests.Value]? in
            // A condition about files is a switch of the operator.
            guard let condition = NginxCondition(line) else { return [] }
            guard condition.variable != name, let text = line.block.value(of: name), !text.contains("$") else {
                return nil
            }
            switch verdict(on: condition) {
            case .never: return []
            case .perhaps: return nil
            case .always(let requests): return [(text, requests)]
            }
        }
        guard values.isEmpty else { return values.contains { $0 == nil } ? nil : values.flatMap { $0 ?? [] } }
        guard let text = block.value(of: name), !text.contains("$") else { return nil }
        return [(text, "all requests")]
    }
}

extension NginxDirective {
    /// The value that this `map` gives a variable for a text.
    fileprivate func value(for text: String) -> String {
        let line =
            block.first { $0.name.lowercased() == text.lowercased() && !$0.name.hasPrefix("~") }
            ?? block.first { line in
                let ignoresCase = line.name.hasPrefix("~*")
                let pattern = line.name.dropFirst(ignoresCase ? 2 : 1)
                return line.name.hasPrefix("~") && PathPattern.matches(pattern, text, ignoringCase: ignoresCase) == true
            } ?? block.first { $0.name == "default" }
        return line?.arguments.first ?? ""
    }
}
