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
    /// Reads the sessions of requests, from the same store.
    let reader: MeasuredReader
    let spentStates: any SpentStateStore
    let sealer: ServerKeys
    let pages: PageRenderer
    package let rules: Rules
    /// Nil if the site does not keep forms.
    package let keptForms: KeptForms?
    /// The contact that the page for 403 names.
    let contact: String?
    let log: Log
    /// Whether the log has the e-mail address of a member who signs in, signs out or is rejected.
    private let logsEmail: Bool
    let now: @Sendable () -> Date
    /// Seconds.
    let sessionLifetime: Int
    let profileCache: Int
    /// Whether guarded locations accept only sessions with an access token that can be used or renewed.
    let requiresLiveToken: Bool
    /// Whether `POST /session` makes a session from an access token.
    let acceptsTokens: Bool
    /// Nil only in a site without a store for them.
    package let personalTokens: PersonalTokens?
    /// Where a sign-in without a return path leads.
    let home: Place
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
        reader: MeasuredReader? = nil,
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
        self.reader = reader ?? MeasuredReader(sessions, counter: nil)
        self.spentStates = spentStates
        self.sealer = sealer
        self.pages = pages
        let kept = predecessor?.rules
        rules = kept.flatMap { $0.provider == provider ? $0 : nil } ?? Rules(lists: MemberLists(of: provider, log: log))
        self.contact = contact
        self.keptForms = keptForms
        self.log = log
        self.logsEmail = logsEmail
        self.now = now
        self.sessionLifetime = sessionLifetime
        self.profileCache = profileCache
        self.requiresLiveToken = requiresLiveToken
        self.acceptsTokens = acceptsTokens
        self.personalTokens = personalTokens
        self.settings = settings
        self.hungThreads = hungThreads
        self.home = home ?? .ownHome(mount)
        self.afterSignOut = afterSignOut ?? .ownSignedOut(mount)
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
            guard request.role == .responder else { return try await authorizeDirectly(request) }
            guard let action = request.serverParameters.action, !action.isEmpty else {
                return try await route(request)
            }
            switch Action(rawValue: action) {
            case .authorize: return await authorize(request)
            case .signIn: return try await signInHere(request)
            case .denied: return try await showDenial(request)
            case .ask: return try await askToSignIn(request)
            case nil:
                logDenial(.actionUnknown, of: nil, request: request)
                return try deny(.actionUnknown, nil, request: request)
            }
        } catch let error as StoreError {
            log(LogEvent(error, of: request))
            return try problem(.storeUnavailable, for: request)
        }
    }

    /// Returns the member's e-mail address as a field for the log, if the settings allow it there.
    func emailField(of member: Identity?) -> [LogEvent.Field] {
        guard logsEmail, let email = member?.email else { return [] }
        return [("email", email)]
    }

    private func route(_ request: Request) async throws -> Response {
        guard !request.isBodyOmitted else { return try problem(.tooLarge, for: request) }
        guard let path = SitePath(request.path, mount: mount) else {
            return try problem(.notFound, for: request)
        }
        let route = Route.of(path, acceptsTokens: acceptsTokens)
        if let methods = route.methods, !methods.contains(request.method) {
            if path == .login, let description = try describe(request) { return description }
            var response = try problem(.methodNotAllowed, for: request)
            try response.headers.set(.allow, methods.map(\.rawValue).joined(separator: ", "))
            return response
        }
        return try await route.endpoint(self)(request)
    }
}
