import HTTP
import Pages
import Settings

/// The features of the site, and which of their endpoints answers each path.
struct Routes: Sendable {
    let answers: Answers
    let start: SignInStart
    let callback: Callback
    let offer: SignInOffer
    let formPages: KeptFormPages
    let home: HomePages
    let profile: ProfilePages
    let session: SessionEndpoint
    /// Whether `POST /session` makes a session from an access token.
    let acceptsTokens: Bool
    /// Nil if the site makes no personal tokens.
    let tokens: TokenPages?
    let signOut: SignOut
    let deletion: MemberDeletion
    let health: HealthEndpoints

    subscript(path: SitePath) -> Route {
        switch path {
        case .home: Route(home.show)
        case .login: Route(start.start)
        case .callback: Route(callback.finish, post: callback.acceptsForms ? callback.receive : nil)
        case .profile: Route(profile.show)
        case .signOut: Route(signOut.show, post: signOut.end)
        case .forget: Route(deletion.ask, post: deletion.delete)
        case .tokens: tokens.map { Route($0.show, post: $0.change) } ?? Route(notFound, post: notFound)
        case .resume: Route(formPages.show, post: formPages.discard)
        case .language: Route(answers.changeLanguage)
        case .session: Route(session.show, post: acceptsTokens ? session.open : nil)
        case .health: Route(health.showHealth)
        case .readiness: Route(health.showReadiness)
        case .authorization: Route(any: { try await offer.answer(.check, about: $0) })
        }
    }

    private func notFound(_ request: Request) throws -> Response { try answers.problem(.notFound, for: request) }
}

/// The endpoints and the methods of a path.
struct Route: Sendable {
    /// Nil for any method.
    let methods: [Method]?
    private let get: Handler
    private let post: Handler

    init(_ get: @escaping Handler, post: Handler? = nil) {
        methods = Method.reading + (post == nil ? [] : [.post])
        self.get = get
        self.post = post ?? get
    }

    init(any endpoint: @escaping Handler) {
        methods = nil
        (get, post) = (endpoint, endpoint)
    }

    func answer(_ request: Request) async throws -> Response {
        try await request.method == .post ? post(request) : get(request)
    }
}
