/// The environment variables with which libcurl finds a proxy for https (libcurl-env(3)).
enum ProxyVariables {
    private static let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]

    /// The lines of `check` for the variables that are set, without user name and password.
    static func lines(_ environment: [String: String]) -> [String] {
        names.compactMap { name in
            guard let value = environment[name], !value.isEmpty else { return nil }
            return "\(name)=\(withoutCredentials(value))  # environment: calls to LinkedIn use it"
        }
    }

    private static func withoutCredentials(_ value: String) -> String {
        guard let end = value.lastIndex(of: "@") else { return value }
        let scheme = value.firstRange(of: "://").map { value[..<$0.upperBound] } ?? ""
        return scheme + "<redacted>" + value[end...]
    }
}
