package import Sessions

/// The paths of the program's routes below the mount.
///
/// A web server sends exactly these paths to the program: without a trailing slash, another case, or path parameters.
package enum SitePath: String, Sendable, CaseIterable {
    case home = "/"
    case login = "/login"
    /// The redirect URI (RFC 6749 §3.1.2).
    case callback = "/oauth"
    case profile = "/profile"
    case signOut = "/logout"
    case forget = "/forget"
    /// The member's personal tokens.
    case tokens = "/tokens"
    case resume = "/resume"
    case session = "/session"
    /// Sets the language of the pages.
    case language = "/language"
    /// The session check for the web server: nginx's `auth_request` or the FastCGI authorizer.
    case authorization = "/auth"
    /// Whether the process works, for load balancers and monitoring.
    case health = "/healthz"
    /// Whether the site can also reach what it needs.
    case readiness = "/readyz"

    /// The paths that a site has with its settings.
    ///
    /// - Parameter personalTokens: Whether the site accepts personal tokens.
    /// - Returns: The paths; all others belong to the applications of the site.
    package static func used(personalTokens: Bool) -> [SitePath] {
        allCases.filter { $0 != .tokens || personalTokens }
    }

    /// The path of the callback of a provider that a file adds; the provider of the settings has the plain path.
    package static func callback(of id: ProviderID) -> String { callback.rawValue + "/\(id)" }

    /// The provider in the path of a callback below the mount; nil for the plain path, and for another path.
    package static func provider(ofCallback path: some StringProtocol) -> ProviderID? {
        let start = callback.rawValue + "/"
        return path.hasPrefix(start) ? ProviderID(String(path.dropFirst(start.count))) : nil
    }

    /// Whether a path of a web server's configuration is a redirect address, below any mount.
    package static func isCallback(_ path: String) -> Bool {
        guard !path.hasSuffix(callback.rawValue) else { return true }
        let start = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
        return start.hasSuffix(callback.rawValue) && ProviderID(String(path[start.endIndex...].dropFirst())) != nil
    }

    /// The paths that browsers do not visit.
    package static let inner: Set<SitePath> = [.authorization, .health, .readiness]

    /// Returns the route of a path of the site, or nil; the mount's path without a final slash is home too.
    package init?(_ path: String, mount: Mount) {
        guard path.utf8.starts(with: mount.prefix.utf8) else { return nil }
        let rest = path.utf8.dropFirst(mount.prefix.utf8.count)
        let found = Self.allCases.first { $0.rawValue.utf8.elementsEqual(rest) || (rest.isEmpty && $0 == .home) }
        if let found {
            self = found
        } else if let id = Self.provider(ofCallback: String(rest) ?? ""), mount.addedProviders.contains(id) {
            // Other pages below /oauth belong to the applications of the site.
            self = .callback
        } else {
            return nil
        }
    }
}
