import HTTP

/// The map of the site: which path is answered by what.
///
/// Paths are compared whole, as the web server routed them: no trailing slash, no other case, no parameters. What is not
/// here is 404.
struct Route: Sendable {
    let path: String
    /// Nil: any.
    let methods: [Method]?
    let endpoint: @Sendable (Site) -> Handler

    static let all: [Route] = [
        Route(path: "/", methods: [.get, .head]) { site in { try await site.showHome($0) } },
        Route(path: "/login", methods: [.get, .head]) { site in { try await site.startSignIn($0) } },
        Route(path: "/oauth", methods: [.get, .head]) { site in { try await site.finishSignIn($0) } },
        Route(path: "/profile", methods: [.get, .head]) { site in { try await site.showProfile($0) } },
        Route(path: "/logout", methods: [.get, .head, .post]) { site in
            { try await $0.method == .post ? site.signOut($0) : site.showSignOut($0) }
        },
        Route(path: "/resume", methods: [.get, .head]) { site in { try await site.showKeptForm($0) } },
        Route(path: "/session", methods: [.get, .head]) { site in { try await site.showSession($0) } },
        Route(path: "/auth", methods: nil) { site in { await site.authorize($0) } },
    ]

    private init(path: String, methods: [Method]?, _ endpoint: @escaping @Sendable (Site) -> Handler) {
        self.path = path
        self.methods = methods
        self.endpoint = endpoint
    }

    /// The route of a path below the mount; the mount's own path without a slash is home too.
    static func at(_ path: String, mount: Mount) -> Route? {
        guard path.utf8.starts(with: mount.prefix.utf8) else { return nil }
        let rest = path.utf8.dropFirst(mount.prefix.utf8.count)
        return all.first { $0.path.utf8.elementsEqual(rest) || (rest.isEmpty && $0.path == "/") }
    }
}
