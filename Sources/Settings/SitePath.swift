/// The paths of the program's own pages, below the mount.
///
/// A web server routes exactly these paths to the program: no trailing slash, no other case, no parameters.
package enum SitePath: String, Sendable, CaseIterable {
    case home = "/"
    case login = "/login"
    /// The redirect URI (RFC 6749 §3.1.2).
    case callback = "/oauth"
    case profile = "/profile"
    case signOut = "/logout"
    case resume = "/resume"
    case session = "/session"
    /// For the web server only: `auth_request` and the FastCGI authorizer ask here.
    case authorization = "/auth"

    /// The page at a path of the site; the mount's own path without a slash is home too.
    package init?(_ path: String, mount: Mount) {
        guard path.utf8.starts(with: mount.prefix.utf8) else { return nil }
        let rest = path.utf8.dropFirst(mount.prefix.utf8.count)
        let found = Self.allCases.first { $0.rawValue.utf8.elementsEqual(rest) || (rest.isEmpty && $0 == .home) }
        guard let found else { return nil }
        self = found
    }
}
