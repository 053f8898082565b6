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
    package static func adopt(of service: SiteService?) {
        let (own, names) = (ProcessInfo.processInfo.environment, proxies + exceptions)
        guard let service, !names.contains(where: { own[$0] != nil }) else { return }
        for name in names { service.environment[name].map { Environment.set(name, $0) } }
    }

    /// The variable with the proxy that libcurl uses for https to a host, without user name and password; nil for none.
    package static func used(
        for host: String,
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        guard let name = proxies.first(where: { environment[$0]?.isEmpty == false }), let value = environment[name],
            !isExcepted(host.lowercased(), exceptions.compactMap { environment[$0] }.first ?? "")
        else { return nil }
        return "\(name)=\(withoutCredentials(value))"
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
