package import EventLog
import Guard
package import HTTP
package import Pages
package import Provider
package import Sessions
package import Settings

package import struct FoundationEssentials.Date

/// Makes the features of a site from its parts, and leads each request to one of them.
///
/// Read `Routes.swift` next: it lists the features and their endpoints.
package final class Site: SiteFeature, Responder {
    let context: SiteContext
    private let gate: Gate
    private let routes: Routes
    private let describer: RequestDescriber
    /// Makes sessions for commands.
    package let newSessions: NewSessions
    private let personalTokens: PersonalTokens
    /// Nil if the site does not keep forms.
    private let keptForms: KeptForms?

    /// Makes a site from its settings and parts.
    ///
    /// `formTransport` sends kept forms to this site; without it, the site keeps none. `predecessor` is the same site with
    /// other settings. The new site keeps its rules and lists, and what it knows about sign-ins and forms under way. The
    /// providers have their own predecessors.
    package init(
        _ configuration: Configuration,
        providers: Providers,
        store: Vault,
        sealer: ServerKeys,
        pages: PageRenderer,
        log: Log,
        now: @escaping @Sendable () -> Date,
        formTransport: (any Transport)?,
        hungThreads: @escaping @Sendable () -> [String] = { [] },
        continuing predecessor: Site? = nil
    ) {
        var mount = configuration.mount
        mount.addedProviders = Set(providers.all.dropFirst().map(\.id))
        let context = SiteContext(
            mount: mount,
            providers: providers,
            store: store,
            sealer: sealer,
            answers: Answers(
                pages,
                mount: mount,
                home: configuration.pages.home,
                offersChoice: providers.areSeveral,
                log: log
            ),
            log: log,
            emailField: EmailField(isLogged: configuration.logEmail),
            now: now
        )
        let maximumLife = configuration.personalTokens
        personalTokens = PersonalTokens(
            store: store.tokens,
            maximumLife: maximumLife,
            continuing: predecessor?.personalTokens
        )
        keptForms = formTransport.map { transport in
            KeptForms(limit: configuration.keptBody, transport: transport, continuing: predecessor?.keptForms)
        }
        let forms = KeptFormPaths(mount, isUsed: keptForms != nil, sealer: sealer, now: now)
        let members = MemberProvider(of: configuration)
        let rules: Rules
        if let known = predecessor?.gate.rules, known.provider == members {
            rules = known
        } else {
            rules = Rules(lists: MemberLists(of: members, log: log))
        }
        gate = Gate(context, configuration, rules: rules, personalTokens: personalTokens, forms: forms)
        newSessions = NewSessions(context, lifetime: configuration.sessionLifetime)
        let tokens = TokenPages(context, maximumLife: maximumLife)
        let start = SignInStart(context, gate: gate, forms: forms)
        let formPages = KeptFormPages(context, gate: gate, forms: forms, keptForms: keptForms)
        let homePages = HomePages(context, gate: gate, offersTokens: tokens != nil)
        routes = Routes(
            context: context,
            start: start,
            callback: Callback(
                context,
                gate: gate,
                forms: forms,
                newSessions: newSessions,
                continuing: predecessor?.routes.callback
            ),
            offer: SignInOffer(context, gate: gate, start: start, forms: forms, formPages: formPages),
            formPages: formPages,
            home: homePages,
            profile: ProfilePages(context, freshness: configuration.profileCache),
            session: SessionEndpoint(context, gate: gate, newSessions: newSessions),
            acceptsTokens: configuration.tokenSessions,
            tokens: tokens,
            signOut: SignOut(context, forms: forms, home: homePages, leadingTo: configuration.pages.afterSignOut),
            deletion: MemberDeletion(context, forms: forms, keepsForms: keptForms != nil, offersTokens: tokens != nil),
            health: HealthEndpoints(context, hungThreads: hungThreads)
        )
        describer = RequestDescriber(context: context, settings: configuration.texts)
        self.context = context
    }

    /// Answers a request; logs an internal failure with a reason code and answers it with a page.
    ///
    /// - Throws: Only if the page cannot be created; the caller then denies the request.
    package func respond(to request: Request) async throws -> Response {
        do {
            switch request.purpose {
            case .question(let question): return try await routes.offer.answer(question, about: request)
            case .ask: return try await routes.offer.askToSignIn(request)
            case .unknown: return try gate.rejectUnknownAction(request)
            case .route: return try await route(request)
            }
        } catch let error as StoreError {
            log(LogEvent(error, of: request))
            return try answers.problem(.storeUnavailable, for: request)
        } catch {
            let fields: [LogEvent.Field] = [("error", "\(type(of: error))")]
            log(LogEvent(.error, .handlerFailed, of: request, reason: "internal-error", fields: fields))
            return try answers.problem(.internalError, for: request)
        }
    }

    /// Answers as `respond` does, without a task if that is possible.
    package func respondAtOnce(to request: Request, or later: any LaterAnswer) -> ImmediateAnswer {
        guard case .question(let question) = request.purpose else { return .needsTask }
        return gate.answerAtOnce(request, asking: question, or: later)
    }

    /// The providers of the members.
    package var providers: Providers { context.providers }

    /// The number of the route of a request, in `RequestRoute.names`.
    package func route(of request: Request) -> Int { RequestRoute.number(of: request, mount: context.mount) }

    /// Reads the lists of all rules again, also those that seem unchanged.
    package func readListsAgain() { gate.rules.readListsAgain() }

    /// Looks at the threads, the store and the keys of the provider; asks the provider for the keys if they are not known.
    package func checkReadiness() async -> Health { await routes.health.checkReadiness() }

    private func route(_ request: Request) async throws -> Response {
        guard !request.isBodyOmitted else { return try answers.problem(.tooLarge, for: request) }
        guard let path = SitePath(request.path, mount: mount) else {
            return try answers.problem(.notFound, for: request)
        }
        let route = routes[path]
        if let methods = route.methods, !methods.contains(request.method) {
            if path == .login, let description = try describer.describe(request) { return description }
            return try answers.methodNotAllowed(methods, for: request)
        }
        return try await routes.answer(request, by: route, at: path)
    }
}

extension MemberProvider {
    fileprivate init(of configuration: Configuration) {
        let (first, count) = (configuration.first, configuration.providers.count)
        let byAddress = first.profile.product.identifiesByAddress
        self = first.usesLinkedIn ? .linkedIn(byAddress: byAddress, withOthers: count > 1) : .other
    }
}
