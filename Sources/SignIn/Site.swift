package import EventLog
package import Guard
package import HTTP
package import Pages
package import Provider
package import Sessions
package import Settings

package import struct FoundationEssentials.Date

/// Makes the features of a site from its parts, and leads each request to one of them.
///
/// Read `Routes.swift` next: it lists the features and their endpoints.
package final class Site: SiteFeature {
    let context: SiteContext
    private let gate: Gate
    private let routes: Routes
    private let describer: RequestDescriber
    /// Makes sessions for commands.
    package let newSessions: NewSessions
    /// Nil only in a site without a store for them.
    package let personalTokens: PersonalTokens?
    /// Nil if the site does not keep forms.
    package let keptForms: KeptForms?

    /// Makes a site from its parts and settings.
    ///
    /// `members` decides what rules can name. `predecessor` is the same site with other settings. The new site keeps its
    /// rules and lists, and what it knows about sign-ins under way. The providers, the kept forms and the personal tokens
    /// have their own predecessors.
    package init(
        mount: Mount,
        providers: Providers,
        members: MemberProvider = .other,
        applicationClaims: [ApplicationClaim] = [],
        sessions: any SessionStore,
        spentStates: any SpentStateStore,
        sealer: ServerKeys,
        pages: PageRenderer,
        log: Log,
        now: @escaping @Sendable () -> Date,
        sessionLifetime: Int,
        profileCache: Int,
        requiresLiveToken: Bool = false,
        acceptsTokens: Bool = false,
        personalTokens: PersonalTokens? = nil,
        home: Place? = nil,
        afterSignOut: Place? = nil,
        contact: String? = nil,
        keptForms: KeptForms? = nil,
        logsEmail: Bool = false,
        settings: SettingTexts? = nil,
        hungThreads: @escaping @Sendable () -> [String] = { [] },
        continuing predecessor: Site? = nil
    ) {
        var mount = mount
        mount.addedProviders = Set(providers.all.dropFirst().map(\.id))
        let context = SiteContext(
            mount: mount,
            providers: providers,
            sessions: sessions,
            sealer: sealer,
            answers: Answers(
                pages,
                mount: mount,
                home: home ?? .ownHome(mount),
                offersChoice: providers.areSeveral
            ),
            log: log,
            emailField: EmailField(isLogged: logsEmail),
            now: now
        )
        let forms = KeptFormPaths(mount, isUsed: keptForms != nil, sealer: sealer, now: now)
        let rules: Rules
        if let known = predecessor?.gate.rules, known.provider == members {
            rules = known
        } else {
            rules = Rules(lists: MemberLists(of: members, log: log))
        }
        gate = Gate(
            context,
            rules: rules,
            applicationClaims: applicationClaims,
            personalTokens: personalTokens,
            requiresLiveToken: requiresLiveToken,
            forms: forms,
            contact: contact
        )
        newSessions = NewSessions(context, lifetime: sessionLifetime, tokenStore: personalTokens?.store)
        let tokens = TokenPages(context, personalTokens, spentStates: spentStates)
        let start = SignInStart(context, gate: gate, forms: forms)
        let formPages = KeptFormPages(context, gate: gate, forms: forms, keptForms: keptForms)
        let homePages = HomePages(context, gate: gate, offersTokens: tokens != nil)
        routes = Routes(
            context: context,
            start: start,
            callback: Callback(
                context,
                spentStates: spentStates,
                gate: gate,
                forms: forms,
                newSessions: newSessions,
                continuing: predecessor?.routes.callback
            ),
            offer: SignInOffer(context, gate: gate, start: start, forms: forms, formPages: formPages),
            formPages: formPages,
            home: homePages,
            profile: ProfilePages(context, freshness: profileCache),
            session: SessionEndpoint(context, gate: gate, newSessions: newSessions, spentStates: spentStates),
            acceptsTokens: acceptsTokens,
            tokens: tokens,
            signOut: SignOut(context, forms: forms, home: homePages, leadingTo: afterSignOut),
            deletion: MemberDeletion(context, personalTokens, forms: forms, keptForms: keptForms),
            health: HealthEndpoints(context, hungThreads: hungThreads)
        )
        describer = RequestDescriber(context: context, settings: settings)
        (self.context, self.personalTokens, self.keptForms) = (context, personalTokens, keptForms)
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
        if let methods = routes[path].methods, !methods.contains(request.method) {
            if path == .login, let description = try describer.describe(request) { return description }
            return try answers.methodNotAllowed(methods, for: request)
        }
        return try await routes.answer(request, at: path)
    }
}
