import Encoding
import OpenID
import Provider
import Testing

@testable import Settings

struct ConfigurationTests {
    private static let minimal = [
        "LINKEDIN_CLIENT_ID": "id", "LINKEDIN_CLIENT_SECRET": "s3cret", "SIGNIN_BASE_URL": "https://example.com",
    ]

    private func read(
        _ changes: [String: String] = [:],
        file: String? = nil,
        readSecret: SettingSources.SecretReader = { _ in throw SecretFile.Unusable(advice: "cannot be read") }
    ) throws(ConfigurationError) -> Configuration {
        let environment = Self.minimal.merging(changes) { $1 }.filter { $0.value != "-" }
        let settingsFile = file.map { SettingsFile(path: "settings", content: $0) }
        return try Configuration(
            SettingSources(environment: environment, file: settingsFile, readSecret: readSecret)
        )
    }

    private func problems(_ changes: [String: String], file: String? = nil) throws -> [String] {
        let error = #expect(throws: ConfigurationError.self) { try read(changes, file: file) }
        return try #require(error).problems.map(\.subject)
    }

    @Test func `three settings are required`() throws {
        let configuration = try read()
        #expect(configuration.mount.redirectURI == "https://example.com/oauth")
        #expect(configuration.sessionLifetime == 30 * 86_400)
        #expect(configuration.storing.idleLimit == 7 * 86_400)
        #expect(configuration.profileCache == 3600)
        #expect(configuration.socketMode == 0o660)
        #expect(configuration.maxParameters == 262_144)
        #expect(configuration.maxBody == 1_048_576)
        #expect((configuration.keptBody, configuration.keptTotal) == (1_048_576, 67_108_864))
        #expect(configuration.connectTimeout == 5)
        #expect(configuration.totalTimeout == 10)
    }

    @Test func `requests to LinkedIn have the scopes of the product, and no code challenge or nonce`() throws {
        let provider = try read().first.options
        #expect(provider.scopes == ["openid", "profile", "email"])
        #expect(provider.issuers == ["https://www.linkedin.com/oauth", "https://www.linkedin.com"])
        #expect(provider.clientAuthentication == .post)
        #expect(!provider.usesPKCE && !provider.usesNonce)
        #expect(try read(["LINKEDIN_PRODUCT": "v1"]).first.options.scopes == ["r_basicprofile"])
    }

    @Test func `all settings errors are reported together`() throws {
        let changes = [
            "LINKEDIN_CLIENT_ID": "-", "SIGNIN_BASE_URL": "http://example.com", "SIGNIN_WORKERS": "many",
            "SIGNIN_SESSION_LIFETIME": "1s", "LINKEDIN_PRODUCT": "premium", "SIGNIN_LISTEN": "tcp:0.0.0.0:9000",
        ]
        #expect(try problems(changes).sorted() == changes.keys.sorted())
        let more = changes.merging(["SIGNIN_PROFILE_ENDPOINT": "https://provider.example/me"]) { $1 }
        #expect(try problems(more).sorted() == changes.keys.sorted(), "the product is unknown")
    }

    @Test(arguments: [
        "LINKEDIN_CLIENT_ID", "LINKEDIN_CLIENT_SECRET", "SIGNIN_BASE_URL",
    ])
    func `a missing or empty required setting stops the start`(name: String) throws {
        #expect(try problems([name: "-"]) == [name])
        #expect(try problems([name: ""]) == [name])
    }

    @Test(arguments: [
        ("SIGNIN_BASE_URL", "https://user@example.com"), ("SIGNIN_BASE_URL", "https://example.com/?a=b"),
        ("SIGNIN_BASE_URL", "https://example.com/a/../b"), ("SIGNIN_BASE_URL", "https://example.com//a"),
        ("SIGNIN_BASE_URL", "ftp://example.com"), ("SIGNIN_BASE_URL", "https://exa mple.com"),
        ("SIGNIN_TOKEN_ENDPOINT", "http://example.com/token"), ("SIGNIN_JWKS_URI", "//x"),
        ("SIGNIN_SOCKET_MODE", "0999"),
        ("SIGNIN_LISTEN", "unix:relative"), ("SIGNIN_LISTEN", "tcp:127.0.0.1"), ("SIGNIN_LISTEN", "tcp:example.com:80"),
        ("SIGNIN_IDLE_LIMIT", "-1d"), ("SIGNIN_IDLE_LIMIT", "99999999999999999999d"), ("SIGNIN_MAX_BODY", "1G"),
        ("SIGNIN_STATE_DIRECTORY", "here"), ("SIGNIN_CONNECT_TIMEOUT", "11s"), ("SIGNIN_LOG_LEVEL", "loud"),
        ("SIGNIN_KEPT_BODY", "2M"), ("SIGNIN_KEPT_BODY", "-1"), ("SIGNIN_KEPT_TOTAL", "1"),
        ("SIGNIN_APPLICATION_CLAIMS", "https://example.com/claims/department"),
        ("SIGNIN_APPLICATION_CLAIMS", "a.b a-b"),
    ])
    func `an invalid value stops the start and names its setting`(name: String, value: String) throws {
        #expect(try problems([name: value]) == [name])
    }

    @Test func `the limit of a kept form cannot exceed the request limit or the total limit`() throws {
        #expect(try read(["SIGNIN_KEPT_BODY": "0", "SIGNIN_MAX_BODY": "64K"]).keptBody == 0)
        #expect(try read(["SIGNIN_KEPT_BODY": "2M", "SIGNIN_MAX_BODY": "2M"]).keptBody == 2 << 20)
        #expect(try problems(["SIGNIN_MAX_BODY": "64K"]) == ["SIGNIN_KEPT_BODY"])
        #expect(try problems(["SIGNIN_KEPT_TOTAL": "512K"]) == ["SIGNIN_KEPT_BODY"])
    }

    @Test func `the product verified uses every endpoint`() throws {
        let endpoint = "https://provider.example/x"
        let all = ["LINKEDIN_VERSION", "SIGNIN_JWKS_URI", "SIGNIN_PROFILE_ENDPOINT", "SIGNIN_USERINFO_ENDPOINT"]
        let settings = Dictionary(uniqueKeysWithValues: all.map { ($0, endpoint) })
        let configuration = try read(settings.merging(["LINKEDIN_PRODUCT": "verified"]) { $1 })
        #expect(configuration.first.options.userinfoEndpoint == endpoint)
        #expect(configuration.first.profile.address == endpoint)
    }

    @Test func `only members of LinkedIn get the link to LinkedIn's page for signing out`() throws {
        #expect(try read([:]).first.options.signOutPage == "https://www.linkedin.com/m/logout/")
        let replaced = ["SIGNIN_AUTHORIZATION_ENDPOINT": "https://provider.example/authorize"]
        #expect(try read(replaced).first.options.signOutPage == nil)
    }

    @Test func `an introspection endpoint replaces LinkedIn's`() throws {
        #expect(
            try read([:]).first.options.introspectionEndpoint == "https://www.linkedin.com/oauth/v2/introspectToken"
        )
        let endpoint = "https://provider.example/x"
        #expect(try read(["SIGNIN_INTROSPECTION_ENDPOINT": endpoint]).first.options.introspectionEndpoint == endpoint)
        #expect(
            try problems(["SIGNIN_INTROSPECTION_ENDPOINT": "http://provider.example/x"]) == [
                "SIGNIN_INTROSPECTION_ENDPOINT"
            ]
        )
    }

    @Test func `the client secret of another provider is not sent to LinkedIn`() throws {
        let other = ["SIGNIN_TOKEN_ENDPOINT": "https://provider.example/token"]
        #expect(try read(other).first.options.introspectionEndpoint == nil)
        let endpoint = "https://provider.example/x"
        let both = other.merging(["SIGNIN_INTROSPECTION_ENDPOINT": endpoint]) { $1 }
        #expect(try read(both).first.options.introspectionEndpoint == endpoint)
        let tokens = ["SIGNIN_TOKEN_SESSIONS": "yes"]
        #expect(try problems(other.merging(tokens) { $1 }) == ["SIGNIN_TOKEN_SESSIONS"], "it could accept none")
        #expect(try read(both.merging(tokens) { $1 }).tokenSessions && read(tokens).tokenSessions)
        let linkedIn = ["SIGNIN_TOKEN_ENDPOINT": "https://www.linkedin.com/uas/oauth2/accessToken"]
        #expect(
            try read(linkedIn).first.options.introspectionEndpoint
                == "https://www.linkedin.com/oauth/v2/introspectToken"
        )
    }

    @Test(arguments: [
        ("openid", ["LINKEDIN_VERSION", "SIGNIN_PROFILE_ENDPOINT"]),
        ("basic-profile", ["LINKEDIN_VERSION", "SIGNIN_JWKS_URI", "SIGNIN_USERINFO_ENDPOINT"]),
        ("v1", ["LINKEDIN_VERSION", "SIGNIN_JWKS_URI", "SIGNIN_USERINFO_ENDPOINT"]),
    ])
    func `a setting without effect for the product stops the start`(product: String, expected: [String]) throws {
        let endpoint = "https://provider.example/x"
        let all = ["LINKEDIN_VERSION", "SIGNIN_JWKS_URI", "SIGNIN_PROFILE_ENDPOINT", "SIGNIN_USERINFO_ENDPOINT"]
        let changes = Dictionary(uniqueKeysWithValues: all.map { ($0, endpoint) })
        let chosen = product == "openid" ? [:] : ["LINKEDIN_PRODUCT": product]
        #expect(try problems(changes.merging(chosen) { $1 }).sorted() == expected)
        for name in all {
            let settings = chosen.merging([name: endpoint]) { $1 }
            if expected.contains(name) {
                let error = #expect(throws: ConfigurationError.self) { try read(settings) }
                #expect(try #require(error).description.contains("LINKEDIN_PRODUCT=\(product)"))
            } else {
                #expect(throws: Never.self) { try read(settings) }
            }
            #expect(throws: Never.self) { try read(chosen.merging([name: ""]) { $1 }) }
        }
    }

    @Test func `a profile endpoint is an https URL, or http for loopback`() throws {
        for product in ["verified", "basic-profile", "v1"] {
            let changes = ["LINKEDIN_PRODUCT": product, "SIGNIN_PROFILE_ENDPOINT": "http://10.0.0.1/me"]
            #expect(try problems(changes) == ["SIGNIN_PROFILE_ENDPOINT"])
        }
    }

    @Test func `plain http is accepted only for loopback`() throws {
        #expect(try read(["SIGNIN_BASE_URL": "http://localhost:8080"]).mount.origin == "http://localhost:8080")
        #expect(try read(["SIGNIN_BASE_URL": "http://127.0.0.1"]).mount.origin == "http://127.0.0.1")
        #expect(try problems(["SIGNIN_BASE_URL": "http://127.0.0.1.example.com"]) == ["SIGNIN_BASE_URL"])
    }

    @Test func `an unknown name in the settings file, or with the prefix SIGNIN_, stops the start`() throws {
        #expect(try problems([:], file: "SIGNIN_BASEURL=x") == ["SIGNIN_BASEURL"])
        #expect(try problems(["SIGNIN_BASEURL": "x"]) == ["SIGNIN_BASEURL"])
        #expect(throws: Never.self) { try read(["PATH": "/bin", "LINKEDIN_TEAM": "ours"]) }
    }

    private func message(_ changes: [String: String], file: String? = nil) throws -> String {
        let error = #expect(throws: ConfigurationError.self) { try read(changes, file: file) }
        return try #require(error).description
    }

    @Test func `a host name with other letters is rejected with its remedy`() throws {
        #expect(try message(["SIGNIN_BASE_URL": "https://exämple.com"]).contains("in its xn-- form"))
        #expect(try !message(["SIGNIN_BASE_URL": "ftp://example.com"]).contains("xn--"))
    }

    @Test func `a message about the settings file names its line`() throws {
        let file = "# first\nSIGNIN_WORKERS=many\nSIGNIN_BASEURL=x\nSIGNIN_WORKERS=2\n=3"
        let lines = try message([:], file: file).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("settings:2: SIGNIN_WORKERS: “many” is not a number") })
        #expect(lines.contains { $0.hasPrefix("settings:3: SIGNIN_BASEURL: is not a setting") })
        #expect(lines.contains { $0.hasPrefix("settings:4: SIGNIN_WORKERS: is set again, after line 2") })
        #expect(lines.contains { $0.hasPrefix("settings:5: is not a NAME=value line") })
    }

    @Test(arguments: [
        ("SIGNIN_BASEURL", "SIGNIN_BASE_URL"), ("SIGNIN_CLIENT_ID", "LINKEDIN_CLIENT_ID"),
        ("SIGNIN_IDLE_LIMITS", "SIGNIN_IDLE_LIMIT"), ("SIGNIN_WORKER", "SIGNIN_WORKERS"),
        ("BASE_URL", "SIGNIN_BASE_URL"),
        ("signin_listen", "SIGNIN_LISTEN"),
    ])
    func `a message about an unknown name suggests the most similar setting`(name: String, setting: String) throws {
        #expect(try message([:], file: "\(name)=x").contains("did you mean \(setting)?"))
    }

    @Test func `a message about a name that resembles no setting suggests nothing`() throws {
        for name in ["SIGNIN_ELEPHANT", "PROVIDER_FOO"] {
            #expect(try !message([:], file: "\(name)=x").contains("did you mean"))
        }
        #expect(
            try message(["LINKEDIN_CLIENT_ID": "-", "LINKEDIN_CLIENTID": "x"]).contains(
                "did you mean LINKEDIN_CLIENT_ID?"
            )
        )
    }

    @Test(arguments: [
        ("https://example.com\u{200B}", "<U+200B zero-width space>"),
        ("https://\u{A0}example.com", "<U+00A0 no-break space>"),
        ("https://example.com\r", "<U+000D carriage return>"),
        ("\u{FEFF}https://example.com", "<U+FEFF byte order mark>"),
    ])
    func `a message shows invisible characters`(value: String, shown: String) throws {
        #expect(try message(["SIGNIN_BASE_URL": value]).contains(shown))
    }

    @Test func `a secret with an invisible character is rejected and not shown`() throws {
        let text = try message(["LINKEDIN_CLIENT_SECRET": "s3cret\u{200B}"])
        #expect(
            text.contains("LINKEDIN_CLIENT_SECRET: contains an invisible character (U+200B") && !text.contains("s3cret")
        )
        #expect(throws: Never.self) { try read(["SIGNIN_CONTACT": "张伟\u{3000}或 help@example.com"]) }
    }

    @Test func `the environment overrides the settings file and is reported as the source`() throws {
        let sources = SettingSources(
            environment: ["SIGNIN_WORKERS": "3"],
            file: SettingsFile(path: "settings", content: "SIGNIN_WORKERS=2\nSIGNIN_IDLE_LIMIT=1h"),
            readSecret: { _ in "" }
        )
        #expect(sources.value(Setting.workers) == SettingSources.Value(text: "3", source: "environment"))
        let idleLimit = try #require(sources.value(Setting.idleLimit))
        #expect((idleLimit.text, idleLimit.place) == ("1h", "settings:2"))
    }

    @Test func `a secret comes from a file or a systemd credential`() throws {
        let file = SettingSources(
            environment: ["LINKEDIN_CLIENT_SECRET_FILE": "/etc/secret"],
            file: nil,
            readSecret: { "text of \($0)" }
        )
        #expect(file.value(Setting.clientSecret)?.text == "text of /etc/secret")
        let credential = SettingSources(
            environment: ["CREDENTIALS_DIRECTORY": "/run/credentials/x"],
            file: nil,
            readSecret: { "text of \($0)" }
        )
        #expect(credential.value(Setting.clientSecret)?.text == "text of /run/credentials/x/linkedin-client-secret")
    }

    @Test func `a secret from two sources is rejected, because one of them is out of date`() throws {
        #expect(try problems(["LINKEDIN_CLIENT_SECRET_FILE": "/x"]) == ["LINKEDIN_CLIENT_SECRET"])
    }

    @Test func `messages and dumps of the configuration never contain the secret`() throws {
        var text = ""
        dump(try read(), to: &text)
        print(try read(), to: &text)
        #expect(!text.contains("s3cret"))
        let error = #expect(throws: ConfigurationError.self) { try read(["SIGNIN_WORKERS": "x"]) }
        #expect(try !#require(error).description.contains("s3cret"))
    }

    @Test func `an explicit idle limit longer than the session lifetime is rejected`() throws {
        #expect(try problems(["SIGNIN_SESSION_LIFETIME": "2h", "SIGNIN_IDLE_LIMIT": "3h"]) == ["SIGNIN_IDLE_LIMIT"])
        #expect(try read(["SIGNIN_SESSION_LIFETIME": "2h"]).sessionLifetime == 7200)
        #expect(try read(["SIGNIN_SESSION_LIFETIME": "2h", "SIGNIN_IDLE_LIMIT": "2h"]).storing.idleLimit == 7200)
    }

    @Test(arguments: ["https://example.com/oauth", "https://example.com/oauth/", "https://example.com/account/oauth"])
    func `a base URL that is the redirect URL is rejected`(_ url: String) throws {
        #expect(try problems(["SIGNIN_BASE_URL": url]) == ["SIGNIN_BASE_URL"])
        #expect(try read(["SIGNIN_BASE_URL": url + "2"]).mount.redirectURI.hasSuffix("2/oauth"))
    }

    @Test(arguments: [
        ("SIGNIN_BASE_URL", "\"https://example.com\""), ("SIGNIN_BASE_URL", "'https://example.com'"),
        ("LINKEDIN_CLIENT_ID", "\"id\""), ("LINKEDIN_CLIENT_SECRET", "'s3cret'"),
        ("SIGNIN_STATE_DIRECTORY", "/var/lib/a # the disk"), ("SIGNIN_LISTEN", "unix:/run/a #b"),
        ("LINKEDIN_CLIENT_SECRET", "LINKEDIN_CLIENT_SECRET=s3cret"),
        ("LINKEDIN_CLIENT_SECRET", "export LINKEDIN_CLIENT_SECRET=a"),
        ("LINKEDIN_CLIENT_SECRET", "client_secret = s3cret"), ("LINKEDIN_CLIENT_SECRET", "s3 cret"),
        ("LINKEDIN_CLIENT_SECRET", "s3cret\nother"), ("LINKEDIN_CLIENT_SECRET", "s3cret "),
        ("LINKEDIN_CLIENT_ID", "id id"),
        ("LINKEDIN_CLIENT_ID", "id\t"),
    ])
    func `a value with quotes, a comment or a second line is rejected`(_ name: String, _ value: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try read([name: value]) }
        let found = try #require(error).problems
        #expect(Set(found.map(\.subject)) == [name])
        #expect(!found.map(\.message).joined().contains("s3") || name == "SIGNIN_BASE_URL")
    }

    @Test func `values that only resemble such mistakes are accepted`() throws {
        for secret in ["WPL_AP1.aBc.dEf==", "a=b=", "ABC==", "a#b", "it's", "\"x"] {
            #expect(try read(["LINKEDIN_CLIENT_SECRET": secret]).mount.origin == "https://example.com")
        }
        #expect(try read(["SIGNIN_CONTACT": "help # 3rd floor"]).pages.contact == "help # 3rd floor")
    }
}

/// The settings that a reload does not apply, compared with what is made once: socket, workers and store.
struct RestartTests {
    /// Another valid value for each setting that is read into these parts of the configuration.
    private static let samples = [
        "SIGNIN_LISTEN": "tcp:127.0.0.1:9000", "SIGNIN_SOCKET_MODE": "0600", "SIGNIN_SOCKET_GROUP": "staff",
        "SIGNIN_ALLOWED_USERS": "root", "SIGNIN_ADMIN_LISTEN": "tcp:127.0.0.1:9001", "SIGNIN_WORKERS": "3",
        "SIGNIN_REQUEST_TIMEOUT": "20s",
        "SIGNIN_STOP_GRACE": "20s", "SIGNIN_MAX_PARAMETERS": "64K", "SIGNIN_MAX_BODY": "2M",
        "SIGNIN_STATE_DIRECTORY": "/srv", "SIGNIN_STORE": "postgresql://db.example/signin",
        "SIGNIN_STORE_CACHE": "2s", "SIGNIN_REMEMBERED_SESSIONS": "0", "SIGNIN_IDLE_LIMIT": "1d",
        "SIGNIN_SPENT_STATES": "1000",
        "SIGNIN_KEPT_BODY": "1K", "SIGNIN_KEPT_TOTAL": "128M",
    ]

    private func sources(_ changes: [String: String] = [:]) -> SettingSources {
        let required = [
            "LINKEDIN_CLIENT_ID": "id", "LINKEDIN_CLIENT_SECRET": "secret", "SIGNIN_BASE_URL": "https://example.com",
        ]
        return SettingSources(environment: required.merging(changes) { $1 }, file: nil) { _ in "" }
    }

    @Test(arguments: Setting.all.filter { samples[$0.name] != nil })
    func `a setting of the socket, the workers or the store keeps its value until a restart`(setting: Setting) throws {
        let running = try Configuration(sources())
        let changed = sources([setting.name: Self.samples[setting.name] ?? ""])
        let effective = changed.retainingUnreloadable(from: sources())
        let reloaded = try Configuration(effective)
        let wanted = try Configuration(changed)
        #expect(changed.changes(from: sources()) == [setting])
        #expect(wanted.isMadeOnce(like: running) == !setting.needsRestart)
        #expect(reloaded.isMadeOnce(like: running))
        #expect(effective.changes(from: changed).isEmpty == !setting.needsRestart)
    }

    @Test func `settings without a sample need a restart only if they belong to the store`() {
        let others = Setting.all.filter { Self.samples[$0.name] == nil && $0.needsRestart }
        let secrets = [
            "SIGNIN_STORE_PASSWORD", "SIGNIN_STORE_PASSWORD_FILE", "SIGNIN_STORE_KEY", "SIGNIN_STORE_KEY_FILE",
        ]
        #expect(others.map(\.name) == secrets)
    }
}

extension Configuration {
    /// Whether what the program makes only once, at the start, is the same.
    fileprivate func isMadeOnce(like other: Configuration) -> Bool {
        storing == other.storing && self.keptTotal == other.keptTotal && self.listen == other.listen
            && self.socketMode == other.socketMode && self.workers == other.workers
            && self.socketGroup == other.socketGroup && self.adminListen == other.adminListen
    }
}
