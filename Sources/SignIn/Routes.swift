import HTTP
import Settings

/// The routes of the site: the endpoint and the methods of each path.
struct Route: Sendable {
    /// Nil for any method.
    let methods: [Method]?
    let endpoint: @Sendable (Site) -> Handler

    private static let reading: [Method] = [.get, .head]

    /// Finds the route of a path.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - acceptsTokens: Whether `POST /session` makes a session from an access token.
    /// - Returns: The route.
    static func of(_ path: SitePath, acceptsTokens: Bool) -> Route {
        switch path {
        case .home: Route(reading) { site in { try await site.showHome($0) } }
        case .login: Route(reading) { site in { try await site.startSignIn($0) } }
        case .callback: Route(reading) { site in { try await site.finishSignIn($0) } }
        case .profile: Route(reading) { site in { try await site.showProfile($0) } }
        case .signOut:
            Route(reading + [.post]) { site in
                { try await $0.method == .post ? site.signOut($0) : site.showSignOut($0) }
            }
        case .forget:
            Route(reading + [.post]) { site in
                { try await $0.method == .post ? site.forgetMember($0) : site.askToForget($0) }
            }
        case .tokens:
            Route(reading + [.post]) { site in
                { try await $0.method == .post ? site.changeTokens($0) : site.showTokens($0) }
            }
        case .resume:
            Route(reading + [.post]) { site in
                { try await $0.method == .post ? site.discardKeptForm($0) : site.showKeptForm($0) }
            }
        case .language: Route(reading) { site in { try site.answers.changeLanguage($0) } }
        case .session:
            Route(reading + (acceptsTokens ? [.post] : [])) { site in
                { try await $0.method == .post ? site.openSession($0) : site.showSession($0) }
            }
        case .health: Route(reading) { site in { _ in try site.showHealth() } }
        case .readiness: Route(reading) { site in { _ in try await site.showReadiness() } }
        case .authorization: Route(nil) { site in { try await site.answer(.check, about: $0) } }
        }
    }

    private init(_ methods: [Method]?, _ endpoint: @escaping @Sendable (Site) -> Handler) {
        self.methods = methods
        self.endpoint = endpoint
    }
}
