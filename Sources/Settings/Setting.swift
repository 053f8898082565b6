/// A setting: its name, its default and its meaning.
package struct Setting: Sendable, Hashable {
    package let name: String
    /// The text used if no value is set; nil if there is no default.
    package let defaultText: String?
    /// A sentence for `check`, `--help` and the example file.
    package let summary: String
    /// Whether the value is a secret, which is never shown and may come from the file that `NAME_FILE` names.
    package let isSecret: Bool
    /// Whether the program uses a new value only after a restart: the socket, the threads and the store are made from it.
    package let needsRestart: Bool
    /// Whether the value is text for people, which may contain any character.
    var isFreeText: Bool { ["SIGNIN_CONTACT", "SIGNIN_SITE_NAME"].contains(name) }

    init(
        _ name: String,
        default defaultText: String? = nil,
        secret isSecret: Bool = false,
        restart needsRestart: Bool = false,
        _ summary: String
    ) {
        self.name = name
        self.defaultText = defaultText
        self.summary = summary
        self.isSecret = isSecret
        self.needsRestart = needsRestart
    }
}

extension Setting {
    // The developer's application at LinkedIn.
    static let clientID = Setting("LINKEDIN_CLIENT_ID", "client ID from the Auth tab of the application at LinkedIn")
    static let clientSecret = Setting(
        "LINKEDIN_CLIENT_SECRET",
        secret: true,
        "client secret; LINKEDIN_CLIENT_SECRET_FILE or the systemd credential linkedin-client-secret is safer"
    )
    static let clientSecretFile = Setting(
        "LINKEDIN_CLIENT_SECRET_FILE",
        default: "",
        "file with mode 0600 that contains only the client secret"
    )
    package static let product = Setting(
        "LINKEDIN_PRODUCT",
        default: "openid",
        "product of the application at LinkedIn: openid, verified, basic-profile or v1"
    )
    package static let linkedInVersion = Setting(
        "LINKEDIN_VERSION",
        // As of November 2026: the version LinkedIn documents for identityMe, then versions that other APIs still
        // accept.
        default: "202510.03,202604,202601",
        "values for the LinkedIn-Version header of profile requests, in the order to try; for the product verified"
    )

    // The site.
    package static let baseURL = Setting(
        "SIGNIN_BASE_URL",
        "public URL of this program, such as https://example.com/account; http is accepted for loopback only"
    )
    static let siteName = Setting(
        "SIGNIN_SITE_NAME",
        default: "",
        "name of the site on its pages, such as Example Club; empty: the host name of SIGNIN_BASE_URL"
    )
    static let templates = Setting(
        "SIGNIN_TEMPLATES",
        default: "",
        "directory of page templates that replace the built-in ones; languages/xx.txt in it replaces or adds a language"
    )
    static let accentColor = Setting(
        "SIGNIN_ACCENT_COLOR",
        default: "",
        "color of buttons and links, such as #0a66c2; links get a darker or lighter one if it is hard to read; empty: blue"
    )
    package static let logo = Setting(
        "SIGNIN_LOGO",
        default: "",
        "file with the logo for the top of the pages: SVG, PNG, WebP, JPEG or GIF, at most 32K; empty: the site's name"
    )
    package static let providerLogo = Setting(
        "SIGNIN_PROVIDER_LOGO",
        default: "",
        "file with the provider's mark for the button that signs in: SVG, PNG, WebP, JPEG or GIF, at most 32K; empty: a neutral mark"
    )
    static let pictureOrigins = Setting(
        "SIGNIN_PICTURE_ORIGINS",
        default: "",
        "additional origins of profile pictures, separated by commas, such as https://avatars.example.com"
    )

    static let home = Setting(
        "SIGNIN_HOME",
        default: "",
        "home page of the site: a path or an https URL; empty: the path of SIGNIN_BASE_URL with a final slash"
    )
    static let afterSignOut = Setting(
        "SIGNIN_AFTER_SIGN_OUT",
        default: "",
        "page shown after signing out: a path or an https URL; empty: the sign-out page of linkedin-signin"
    )
    static let contact = Setting(
        "SIGNIN_CONTACT",
        default: "",
        "contact shown to a member who is not allowed in: an e-mail address or any text"
    )

    // The listener.
    package static let listen = Setting(
        "SIGNIN_LISTEN",
        default: "",
        restart: true,
        "unix:/PATH, tcp:127.0.0.1:PORT or inherited; empty: an inherited socket, or unix:/run/linkedin-signin/socket"
    )
    static let socketMode = Setting(
        "SIGNIN_SOCKET_MODE",
        default: "0660",
        restart: true,
        "permissions of the Unix socket, octal"
    )
    package static let socketGroup = Setting(
        "SIGNIN_SOCKET_GROUP",
        default: "",
        restart: true,
        "group of the Unix socket, such as www-data"
    )
    package static let allowedUsers = Setting(
        "SIGNIN_ALLOWED_USERS",
        default: "",
        "users who may connect to the Unix socket, separated by commas; empty: every user that its permissions allow"
    )
    static let workers = Setting(
        "SIGNIN_WORKERS",
        default: "0",
        restart: true,
        "number of worker threads; 0: one for each core, at least 2"
    )
    static let requestTimeout = Setting(
        "SIGNIN_REQUEST_TIMEOUT",
        default: "10s",
        "maximum time for the web server to send a request or to receive the response"
    )
    static let stopGrace = Setting(
        "SIGNIN_STOP_GRACE",
        default: "10s",
        "maximum time to finish current requests when the program stops"
    )
    static let maxParameters = Setting(
        "SIGNIN_MAX_PARAMETERS",
        default: "256K",
        "maximum total size of the FastCGI parameters of a request"
    )
    static let maxBody = Setting("SIGNIN_MAX_BODY", default: "1M", "maximum size of a request body")

    // Sessions.
    package static let stateDirectory = Setting(
        "SIGNIN_STATE_DIRECTORY",
        default: "/var/lib/linkedin-signin",
        restart: true,
        "directory for sessions and the server key; the default under systemd is STATE_DIRECTORY"
    )
    package static let store = Setting(
        "SIGNIN_STORE",
        default: "",
        restart: true,
        "PostgreSQL database for sessions of several machines: postgresql://USER@HOST/NAME; empty: the state directory"
    )
    package static let storePassword = Setting(
        "SIGNIN_STORE_PASSWORD",
        default: "",
        secret: true,
        restart: true,
        "password of the database; SIGNIN_STORE_PASSWORD_FILE or the systemd credential signin-store-password is safer"
    )
    static let storePasswordFile = Setting(
        "SIGNIN_STORE_PASSWORD_FILE",
        default: "",
        restart: true,
        "file with mode 0600 that contains only the password of the database"
    )
    package static let storeKey = Setting(
        "SIGNIN_STORE_KEY",
        default: "",
        secret: true,
        restart: true,
        "key of all machines, which opens the server keys in the database; SIGNIN_STORE_KEY_FILE is safer; "
            + "empty: each machine has the server keys in its state directory"
    )
    static let storeKeyFile = Setting(
        "SIGNIN_STORE_KEY_FILE",
        default: "",
        restart: true,
        "file with mode 0600 that contains only this key, such as a copy of a file server-key"
    )
    static let storeCache = Setting(
        "SIGNIN_STORE_CACHE",
        default: "1s",
        restart: true,
        "time for which a session read from the database is not read again; 0 disables this"
    )
    static let rememberedSessions = Setting(
        "SIGNIN_REMEMBERED_SESSIONS",
        default: "2048",
        restart: true,
        "maximum number of sessions in files that checks remember, 0.5 KiB each; 0 disables this: needed on NFS"
    )
    package static let sessionLifetime = Setting(
        "SIGNIN_SESSION_LIFETIME",
        default: "30d",
        "time after which a member must sign in again"
    )
    package static let idleLimit = Setting(
        "SIGNIN_IDLE_LIMIT",
        default: "7d",
        restart: true,
        "time without requests after which a session ends"
    )
    static let requireLiveToken = Setting(
        "SIGNIN_REQUIRE_LIVE_TOKEN",
        default: "no",
        "yes: guarded locations ask a member whose access token has ended to sign in again, before the session ends"
    )
    static let profileCache = Setting(
        "SIGNIN_PROFILE_CACHE",
        default: "1h",
        "time to reuse a fetched profile; LinkedIn limits the number of calls per day"
    )

    package static let spentStates = Setting(
        "SIGNIN_SPENT_STATES",
        default: "50000",
        restart: true,
        "maximum number of sign-ins, and of sessions from access tokens, in ten minutes; each takes one file until then"
    )

    package static let tokenSessions = Setting(
        "SIGNIN_TOKEN_SESSIONS",
        default: "no",
        "yes: POST /session makes a session from an access token of the same application, such as a mobile app's"
    )

    package static let personalTokens = Setting(
        "SIGNIN_PERSONAL_TOKENS",
        default: "off",
        "longest life of a personal token, such as 90d: members make them for scripts; off: guarded locations accept none"
    )

    // Forms that were sent without a session.
    static let keptBody = Setting(
        "SIGNIN_KEPT_BODY",
        default: "1M",
        "maximum size of a form that is kept during sign-in; 0 disables this"
    )
    static let keptTotal = Setting(
        "SIGNIN_KEPT_TOTAL",
        default: "64M",
        restart: true,
        "maximum total size of all kept forms; each counts as at least 16K"
    )

    // Calls to the provider.
    static let connectTimeout = Setting("SIGNIN_CONNECT_TIMEOUT", default: "5s", "maximum time to connect to LinkedIn")
    static let totalTimeout = Setting(
        "SIGNIN_TOTAL_TIMEOUT",
        default: "10s",
        "maximum time for one call to LinkedIn, including the connection"
    )
    static let upstreamCalls = Setting(
        "SIGNIN_UPSTREAM_CALLS",
        default: "64",
        "maximum concurrent calls to LinkedIn; one client address may use a quarter, and at least 4"
    )
    package static let caFile = Setting(
        "SIGNIN_CA_FILE",
        default: "",
        "file of CA certificates (PEM) to trust instead of the system's"
    )
    package static let extraCAFile = Setting(
        "SIGNIN_EXTRA_CA_FILE",
        default: "",
        "file of CA certificates (PEM) to trust in addition, such as that of a proxy that inspects TLS"
    )

    // Another server that implements LinkedIn's protocol.
    package static let authorizationEndpoint = Setting(
        "SIGNIN_AUTHORIZATION_ENDPOINT",
        default: "",
        "replaces LinkedIn's authorization endpoint"
    )
    package static let tokenEndpoint = Setting(
        "SIGNIN_TOKEN_ENDPOINT",
        default: "",
        "replaces LinkedIn's token endpoint"
    )
    package static let userinfoEndpoint = Setting(
        "SIGNIN_USERINFO_ENDPOINT",
        default: "",
        "replaces LinkedIn's userinfo endpoint; for the products openid and verified"
    )
    package static let introspectionEndpoint = Setting(
        "SIGNIN_INTROSPECTION_ENDPOINT",
        default: "",
        "replaces LinkedIn's introspection endpoint, which describes an access token that another program obtained; "
            + "empty, and SIGNIN_TOKEN_ENDPOINT is at another origin: not called"
    )
    package static let jwksURI = Setting(
        "SIGNIN_JWKS_URI",
        default: "",
        "replaces LinkedIn's key set URL; for the products openid and verified"
    )
    package static let revocationEndpoint = Setting(
        "SIGNIN_REVOCATION_ENDPOINT",
        default: "",
        "endpoint that revokes a member's tokens after signing out (RFC 7009); LinkedIn documents none; empty: not called"
    )
    package static let profileEndpoint = Setting(
        "SIGNIN_PROFILE_ENDPOINT",
        default: "",
        "replaces the profile endpoint of the product; for every product except openid"
    )
    static let issuers = Setting(
        "SIGNIN_ISSUERS",
        default: "",
        "accepted issuers of ID tokens, separated by commas; replaces LinkedIn's two issuers"
    )
    static let scopes = Setting(
        "SIGNIN_SCOPES",
        default: "",
        "scopes to request, separated by spaces; replaces the scopes of the product"
    )

    static let adminListen = Setting(
        "SIGNIN_ADMIN_LISTEN",
        default: "",
        restart: true,
        "unix:/PATH or tcp:127.0.0.1:PORT: answers GET /healthz, /readyz and /metrics over HTTP to programs on this "
            + "machine; empty: disabled"
    )

    static let logLevel = Setting(
        "SIGNIN_LOG_LEVEL",
        default: "info",
        "minimum level of log lines: debug, info, warning or error"
    )
    static let logFormat = Setting(
        "SIGNIN_LOG_FORMAT",
        default: "logfmt",
        "form of log lines: logfmt (name=value) or json (one object a line)"
    )
    static let logRepeats = Setting(
        "SIGNIN_LOG_REPEATS",
        default: "no",
        "yes: a line for each repetition of a warning or an error; no: repetitions are counted, with one line a minute"
    )
    static let logEmail = Setting(
        "SIGNIN_LOG_EMAIL",
        default: "no",
        "yes: the log has the member's e-mail address when a member signs in, signs out or is rejected"
    )
}
