import POSIX
package import Settings

import class FoundationEssentials.ProcessInfo

/// The environment variables with which libcurl finds a proxy for https (libcurl-env(3)).
package enum ProxyVariables {
    private static let proxies = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    private static let exceptions = ["no_proxy", "NO_PROXY"]

    /// The variables that are set, without user name and password.
    static func shown(_ environment: [String: String]) -> [ShownSetting] {
        (proxies + exceptions).compactMap { name in
            guard let value = environment[name], !value.isEmpty else { return nil }
            let source = "environment: calls to LinkedIn use it"
            return ShownSetting(name, withoutCredentials(value), from: source)
        }
    }

    /// Gives this command the proxies of a service, unless the operator gave it others.
    ///
    /// - Returns: A finding if libcurl cannot use the proxy.
    package static func adopt(of service: SiteService?) -> Report {
        let (own, names) = (ProcessInfo.processInfo.environment, proxies + exceptions)
        if let service, !names.contains(where: { own[$0] != nil }) {
            for name in names { service.environment[name].map { Environment.set(name, $0) } }
        }
        let environment = ProcessInfo.processInfo.environment
        guard let (name, value) = proxy(environment), let objection = objection(to: value) else { return Report() }
        let shown = "\(name)=\(withoutCredentials(value))"
        return Report(
            .settingsInvalid,
            name,
            "is \(withoutCredentials(value)), which \(objection)",
            remedies: ["write \(name)=http://PROXY:PORT into \(place(of: name, in: service)), or remove the variable"],
            causing: [.malformedProxy(shown), .failingProxy(shown)]
        )
    }

    /// What sets a variable of this command, for messages.
    static func place(of name: String, in service: SiteService?) -> String {
        let value = ProcessInfo.processInfo.environment[name]
        guard let service, value != nil, service.environment[name] == value else { return "the environment" }
        return service.describedPlace(of: name)
    }

    private static let schemes = ["http", "https", "socks", "socks4", "socks4a", "socks5", "socks5h"]

    /// Why libcurl cannot use the value of a variable; nil if it can.
    static func objection(to value: String) -> String? {
        let separator = value.firstRange(of: "://")
        if let scheme = separator.map({ value[..<$0.lowerBound].lowercased() }), !schemes.contains(scheme) {
            return "has the scheme \(scheme), but libcurl knows only \(schemes.joined(separator: ", "))"
        }
        let authority = value[(separator?.upperBound ?? value.startIndex)...].prefix { $0 != "/" }
        let address = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
        let host = address.hasPrefix("[") ? address.prefix { $0 != "]" } + "]" : address.prefix { $0 != ":" }
        guard !host.isEmpty, address.hasPrefix(host) else { return "has no host" }
        let port = address.dropFirst(host.count)
        let isPort = port.hasPrefix(":") && UInt16(port.dropFirst()).map { $0 > 0 } == true
        guard !port.isEmpty, !isPort else { return nil }
        return "has the port “\(port.dropFirst())” instead of a number from 1 to 65535"
    }

    /// The variable with the proxy that libcurl uses for https to a host, without user name and password; nil for none.
    package static func used(
        for host: String,
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        guard let (name, value) = proxy(environment),
            !isExcepted(host.lowercased(), exceptions.compactMap { environment[$0] }.first ?? "")
        else { return nil }
        return "\(name)=\(withoutCredentials(value))"
    }

    private static func proxy(_ environment: [String: String]) -> (name: String, value: String)? {
        let name = proxies.first { environment[$0]?.isEmpty == false }
        return name.flatMap { name in environment[name].map { (name, $0) } }
    }

    /// Whether a list of domains contains a host or a domain above it; `*` contains every host.
    private static func isExcepted(_ host: String, _ list: String) -> Bool {
        list.lowercased().split { $0 == "," || $0 == " " }.contains { entry in
            let domain = entry.hasPrefix(".") ? entry.dropFirst() : entry
            return domain == "*" || host == domain || host.hasSuffix(".\(domain)")
        }
    }

    private static func withoutCredentials(_ value: String) -> String {
        guard let end = value.lastIndex(of: "@") else { return value }
        let scheme = value.firstRange(of: "://").map { value[..<$0.upperBound] } ?? ""
        return scheme + "<redacted>" + value[end...]
    }
}
