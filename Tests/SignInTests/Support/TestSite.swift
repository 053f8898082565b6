import EventLog
import HTTP
import OpenID
import Pages
import Provider
import Sessions
import Settings
import SignIn
import Synchronization
import TestSupport

import struct Foundation.Date

/// A complete site in the test process with a store on disk, real pages, a scripted provider and a clock for tests.
///
/// Its limit of calls is so high that no request waits for its turn: such a wait lasts three seconds at most, however
/// slow the machine is. A test of that limit sets another one.
struct TestSite {
    static let origin = "https://site.example"

    let provider = ScriptedProvider()
    let lines = Lines()
    let clock = TestClock()
    let directory: TemporaryDirectory
    let store: Vault
    let files: FileStore
    let keys: ServerKeys
    let site: Site

    init(
        origin: String = origin,
        prefix: String = "",
        sessionLifetime: Int = 86_400,
        idleLimit: Duration = .seconds(3600),
        profileCache: Int = 3600,
        settings: [String: String] = [:],
        contact: String? = nil,
        keptLimit: Int? = 1_048_576,
        keptTotal: Int = 64 << 20,
        concurrentCalls: Int = 1_000,
        others: [ProviderID] = [],
        formPost: Set<String> = [],
        keptClaims: KeptClaimNames = KeptClaimNames(),
        files: FileSystem = FileSystem()
    ) throws {
        directory = try TemporaryDirectory()
        self.files = try FileStore(directory: directory.path + "/state", files: files)
        store = Vault(in: self.files, idleLimit: idleLimit, keptTotal: keptTotal, issuers: .test)
        keys = try ServerKeys.load(file: directory.path + "/state/server-key")
        let (clock, lines, store, provider) = (clock, lines, store, provider)
        let sources = SettingSources(
            environment: [
                "LINKEDIN_CLIENT_ID": "client", "LINKEDIN_CLIENT_SECRET": "canary-secret",
                "LINKEDIN_PRODUCT": "basic-profile", "SIGNIN_BASE_URL": origin + prefix,
                "SIGNIN_TOKEN_ENDPOINT": ScriptedProvider.tokenEndpoint,
                "SIGNIN_PROFILE_ENDPOINT": ScriptedProvider.profileEndpoint,
                "SIGNIN_INTROSPECTION_ENDPOINT": ScriptedProvider.introspectionEndpoint,
                "SIGNIN_SESSION_LIFETIME": "\(sessionLifetime)s", "SIGNIN_PROFILE_CACHE": "\(profileCache)s",
                "SIGNIN_CONTACT": contact ?? "", "SIGNIN_KEPT_BODY": "\(keptLimit ?? 0)",
            ].merging(settings) { $1 },
            file: nil,
            readSecret: { _ in "" }
        )
        let configuration = try Configuration(sources)
        let log = Log(least: .debug, hasLine: lines.contains) { lines.append($0) }
        func make(_ id: ProviderID, _ options: ProtocolOptions, _ profile: ProfileEndpoint) -> Provider {
            let path = id == .linkedIn ? "/oauth" : SitePath.callback(of: id)
            let client = OpenIDClient(
                options: options,
                credentials: configuration.first.credentials,
                redirectURI: configuration.mount.baseURL + path,
                transport: provider,
                now: { clock.now },
                pause: { _ in }
            )
            let profiles = LinkedInProfiles(profile)
            return Provider(
                id: id,
                client: client,
                profiles: profiles,
                keptClaims: keptClaims,
                concurrentCalls: concurrentCalls,
                log: log
            )
        }
        let added = others.map { id in
            var (options, profile) = (configuration.first.options, configuration.first.profile)
            options.issuers = ["https://\(id).example"]
            options.authorizationEndpoint = "https://\(id).example/authorize"
            options.tokenEndpoint = "https://\(id).example/token"
            options.signOutPage = "https://\(id).example/logout"
            options.usesFormPost = formPost.contains(id.description)
            profile = ProfileEndpoint(product: profile.product, address: "https://\(id).example/me", versions: [])
            return make(id, options, profile)
        }
        site = Site(
            configuration,
            providers: Providers(make(.linkedIn, configuration.first.options, configuration.first.profile), added),
            store: store,
            sealer: keys,
            pages: try Self.pages(of: configuration, others),
            log: log,
            now: { clock.now },
            formTransport: keptLimit.map { _ in provider }
        )
    }

    // Making the pages of a site takes longer than most test cases.
    private static let made = Mutex<[String: PageRenderer]>([:])

    private static func pages(of configuration: Configuration, _ others: [ProviderID]) throws -> PageRenderer {
        let (mount, home) = (configuration.mount, configuration.pages.home)
        let key = "\(mount.baseURL) \(home.text) \(others)"
        if let known = made.withLock({ $0[key] }) { return known }
        let pages = try PageRenderer(
            templateDirectory: nil,
            paths: Paths(mount, home: home),
            others: others.map { ProviderLabel(id: $0, name: $0.description) }
        )
        made.withLock { $0[key] = pages }
        return pages
    }
}
