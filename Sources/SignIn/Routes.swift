import EventLog
import HTTP
import Pages
import Settings

/// The features of the site, and which of their endpoints answers each path.
struct Routes: SiteFeature {
    let context: SiteContext
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
        case .home: Route(get: home.show)
        case .login: Route(get: start.start)
        // A page of the provider sends the form.
        case .callback: Route(get: callback.finish, post: callback.acceptsForms ? callback.receive : nil, from: nil)
        case .profile: Route(get: profile.show)
        case .signOut:
            Route(get: signOut.show, post: signOut.end, from: (thisSite, .signOutRefused, .crossSite))
        case .forget:
            Route(get: deletion.ask, post: deletion.delete, from: (thisSite, .deletionRefused, .deletionRefused))
        case .tokens:
            tokens.map {
                Route(get: $0.show, post: $0.change, from: (thisOrigin, .personalTokenFormRefused, .formRefused))
            } ?? Route(get: notFound, post: notFound, from: nil)
        case .resume:
            Route(get: formPages.show, post: formPages.discard, from: (thisOrigin, .formRefused, .formRefused))
        case .language: Route(get: answers.changeLanguage)
        case .session:
            Route(
                get: session.show,
                for: (sameSite, .sessionRefused, .crossSite),
                post: acceptsTokens ? session.open : nil,
                from: (thisSite, .tokenRefused, .crossSite)
            )
        case .health: Route(get: health.showHealth)
        case .readiness: Route(get: health.showReadiness)
        case .authorization: Route(any: { try await offer.answer(.check, about: $0) })
        }
    }

    /// Answers a request; logs and rejects one of a page from which the path accepts none.
    func answer(_ request: Request, by route: Route, at path: SitePath) async throws -> Response {
        let (endpoint, senders) = request.method == .post ? (route.post, route.senders) : (route.get, route.readers)
        guard let senders, !senders.accept(request) else { return try await endpoint(request) }
        log(LogEvent(.warning, senders.refusal, of: request, reason: "cross-site"))
        return try answers.problem(
            senders.problem,
            // A form of /tokens is on the page with the same path.
            returnPath: path == .tokens ? ReturnPath(trusted: mount.path(path.rawValue)) : nil,
            for: request
        )
    }

    private var thisOrigin: @Sendable (Request) -> Bool { mount.isFromThisOrigin }
    private var thisSite: @Sendable (Request) -> Bool { mount.isFromThisSite }
    private var sameSite: @Sendable (Request) -> Bool { mount.isFromSameSite }

    private func notFound(_ request: Request) throws -> Response { try answers.problem(.notFound, for: request) }
}

/// The endpoints and the methods of a path.
struct Route: Sendable {
    /// The pages from which requests are accepted, and what is logged and answered to others; nil accepts every request.
    typealias Senders = (accept: @Sendable (Request) -> Bool, refusal: EventName, problem: Problem.Kind)

    /// Nil for any method.
    let methods: [Method]?
    let get: Handler
    let readers: Senders?
    let post: Handler
    let senders: Senders?

    init(get: @escaping Handler, for readers: Senders? = nil, post: Handler?, from senders: Senders?) {
        methods = Method.reading + (post == nil ? [] : [.post])
        (self.get, self.readers, self.post, self.senders) = (get, readers, post ?? get, senders)
    }

    init(get: @escaping Handler) {
        self.init(get: get, post: nil, from: nil)
    }

    init(any endpoint: @escaping Handler) {
        (methods, get, readers, post, senders) = (nil, endpoint, nil, endpoint, nil)
    }
}
