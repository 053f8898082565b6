package import EventLog
package import Guard
package import HTTP
package import OpenID
package import Pages
package import Sessions
package import Settings

package import struct FoundationEssentials.Date

/// Answers requests, and owns everything that its endpoints use.
///
/// A class, because a request passes it many times, and copying so many members would cost more.
/// Read `Routes.swift` next: it lists the endpoints. Each endpoint has its own file under `Endpoints`.
package final class Site: Sendable {
    let mount: Mount
    package let client: OpenIDClient
    let profileSource: ProfileSource
    let sessions: any SessionStore
    let spentStates: any SpentStateStore
    let sealer: ServerKeys
    let answers: Answers
    /// Decides about requests for guarded locations.
    let gate: Gate
    /// The pages and cookies of kept forms.
    let forms: KeptFormPaths
    /// Nil if the site does not keep forms.
    package let keptForms: KeptForms?
    let log: Log
    let emailField: EmailField
    let now: @Sendable () -> Date
    /// Seconds.
    let sessionLifetime: Int
    let profileCache: Int
    /// Whether `POST /session` makes a session from an access token.
    let acceptsTokens: Bool
    /// Nil only in a site without a store for them.
    package let personalTokens: PersonalTokens?
    /// Where signing out leads.
    let afterSignOut: Place
    /// What the site was made from, for `doctor`; nil in a site without settings.
    let settings: SettingTexts?
    let readiness = Readiness()
    /// The reason codes of the kinds of threads that make no progress.
    let hungThreads: @Sendable () -> [String]
    let heldCalls: HeldCalls
    let unfinishedSignIns: UnfinishedSignIns
    let providerCalls: ProviderCalls
    let revocationCalls: ProviderCalls

    /// Makes a site from its parts and settings.
    ///
    /// `provider` decides what rules can name. `predecessor` is the same site with other settings. The new site keeps its rules
    /// and lists, and what it knows about
    /// sign-ins and calls under way.
    package init(
        mount: Mount,
        client: OpenIDClient,
        provider: MemberProvider = .other,
        profileSource: ProfileSource,
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
        concurrentCalls: Int = 64,
        logsEmail: Bool = false,
        settings: SettingTexts? = nil,
        hungThreads: @escaping @Sendable () -> [String] = { [] },
        continuing predecessor: Site? = nil
    ) {
        self.mount = mount
        self.client = client
        self.profileSource = profileSource
        self.sessions = sessions
        self.spentStates = spentStates
        self.sealer = sealer
        self.keptForms = keptForms
        self.log = log
        self.now = now
        self.sessionLifetime = sessionLifetime
        self.profileCache = profileCache
        self.acceptsTokens = acceptsTokens
        self.personalTokens = personalTokens
        self.settings = settings
        self.hungThreads = hungThreads
        self.afterSignOut = afterSignOut ?? .ownSignedOut(mount)
        answers = Answers(pages, mount: mount, home: home ?? .ownHome(mount))
        emailField = EmailField(isLogged: logsEmail)
        forms = KeptFormPaths(mount, isUsed: keptForms != nil, sealer: sealer, now: now)
        let guesses = personalTokens?.guesses
        let kept = predecessor?.gate.rules
        let rules =
            kept.flatMap { $0.provider == provider ? $0 : nil } ?? Rules(lists: MemberLists(of: provider, log: log))
        gate = Gate(
            rules: rules,
            sessions: sessions,
            personalTokens: personalTokens,
            requiresLiveToken: requiresLiveToken,
            forms: forms,
            answers: GateAnswers(answers, mount: mount, forms: forms, guesses: guesses, contact: contact, now: now),
            log: log,
            emailField: emailField,
            now: now
        )
        heldCalls = predecessor?.heldCalls ?? HeldCalls()
        unfinishedSignIns = predecessor?.unfinishedSignIns ?? UnfinishedSignIns()
        revocationCalls = predecessor?.revocationCalls ?? Revocations.calls()
        if let calls = predecessor?.providerCalls, calls.limit == concurrentCalls {
            providerCalls = calls
        } else {
            providerCalls = ProviderCalls(limit: concurrentCalls)
        }
    }

    /// Answers a request; logs an internal failure with a reason code and answers it with a page.
    ///
    /// - Throws: Only if the page cannot be created; the caller then denies the request.
    package func respond(to request: Request) async throws -> Response {
        do {
            switch request.purpose {
            case .question(let question): return try await answer(question, about: request)
            case .ask: return try await askToSignIn(request)
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

    /// The number of the route of a request, in `RequestRoute.names`.
    package func route(of request: Request) -> Int { RequestRoute.number(of: request, mount: mount) }

    /// Reads the lists of all rules again, also those that seem unchanged.
    package func readListsAgain() { gate.rules.readListsAgain() }

    private func route(_ request: Request) async throws -> Response {
        guard !request.isBodyOmitted else { return try answers.problem(.tooLarge, for: request) }
        guard let path = SitePath(request.path, mount: mount) else {
            return try answers.problem(.notFound, for: request)
        }
        let route = Route.of(path, acceptsTokens: acceptsTokens)
        if let methods = route.methods, !methods.contains(request.method) {
            if path == .login, let description = try describe(request) { return description }
            var response = try answers.problem(.methodNotAllowed, for: request)
            try response.headers.set(.allow, methods.map(\.rawValue).joined(separator: ", "))
            return response
        }
        return try await route.endpoint(self)(request)
    }

    /// The calls to the provider now.
    package var callFigures: CallFigures {
        CallFigures(
            limit: providerCalls.limit,
            active: providerCalls.activeCount,
            waiting: providerCalls.waitingCount,
            held: heldCalls.count(at: now())
        )
    }

    /// The live session of a request.
    ///
    /// - Throws: `StoreError` if the store cannot read the session.
    func session(of request: Request) async throws(StoreError) -> (ticket: Ticket, session: Session)? {
        try await sessions.session(of: request, now: now())
    }
}

/// The calls to the provider at one moment.
package struct CallFigures: Sendable {
    /// `SIGNIN_UPSTREAM_CALLS`.
    package let limit: Int
    /// Sign-ins and profiles that make calls.
    package let active: Int
    /// Requests that wait for another one to end.
    package let waiting: Int
    /// Members, sessions or the application, for which calls are held back after a failure.
    package let held: Int
}
