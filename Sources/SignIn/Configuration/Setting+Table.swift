extension Setting {
    // The developer's application at LinkedIn.
    static let clientID = Setting("LINKEDIN_CLIENT_ID", "client ID, from the Auth tab of the LinkedIn application")
    static let clientSecret = Setting(
        "LINKEDIN_CLIENT_SECRET",
        secret: true,
        "client secret; better in LINKEDIN_CLIENT_SECRET_FILE or the systemd credential linkedin-client-secret"
    )
    static let clientSecretFile = Setting(
        "LINKEDIN_CLIENT_SECRET_FILE",
        default: "",
        "file of mode 0600 that holds the client secret and nothing else"
    )
    static let product = Setting(
        "LINKEDIN_PRODUCT",
        default: "openid",
        "which product the application has: openid, verified, basic-profile or v1"
    )
    static let linkedInVersion = Setting(
        "LINKEDIN_VERSION",
        default: "202510.03",
        "LinkedIn-Version header of the call for a verified profile"
    )

    // The site.
    static let baseURL = Setting(
        "SIGNIN_BASE_URL",
        "where browsers find this program, such as https://example.com/account; http only for loopback"
    )
    static let templates = Setting(
        "SIGNIN_TEMPLATES",
        default: "",
        "directory of page templates that replace the built-in ones"
    )
    static let pictureOrigins = Setting(
        "SIGNIN_PICTURE_ORIGINS",
        default: "",
        "further origins, separated by commas, whose pictures pages may show, such as https://avatars.example.com"
    )

    static let contact = Setting(
        "SIGNIN_CONTACT",
        default: "",
        "whom a member without access is told to ask: an e-mail address, or any words"
    )

    // The listener.
    static let listen = Setting(
        "SIGNIN_LISTEN",
        default: "",
        "unix:/PATH, tcp:127.0.0.1:PORT or inherited; empty: an inherited socket, else unix:/run/linkedin-signin/socket"
    )
    static let socketMode = Setting("SIGNIN_SOCKET_MODE", default: "0660", "mode of the unix socket, octal")
    package static let socketGroup = Setting(
        "SIGNIN_SOCKET_GROUP",
        default: "",
        "group of the unix socket, such as www-data"
    )
    package static let allowedUsers = Setting(
        "SIGNIN_ALLOWED_USERS",
        default: "",
        "users, separated by commas, who may connect to the unix socket; empty: whoever its mode lets in"
    )
    static let workers = Setting(
        "SIGNIN_WORKERS",
        default: "0",
        "threads that answer requests; 0: one a core, at least 2"
    )
    static let requestTimeout = Setting(
        "SIGNIN_REQUEST_TIMEOUT",
        default: "10s",
        "time for a web server to send a whole request, or to take the answer"
    )
    static let stopGrace = Setting(
        "SIGNIN_STOP_GRACE",
        default: "10s",
        "time for requests under way when the program is stopped"
    )
    static let maxParameters = Setting(
        "SIGNIN_MAX_PARAMETERS",
        default: "256K",
        "size of all parameters of a request at most"
    )
    static let maxBody = Setting("SIGNIN_MAX_BODY", default: "1M", "size of a request body at most")

    // Sessions.
    package static let stateDirectory = Setting(
        "SIGNIN_STATE_DIRECTORY",
        default: "/var/lib/linkedin-signin",
        "directory of sessions and server key; systemd's STATE_DIRECTORY is used if this is not set"
    )
    static let sessionLifetime = Setting(
        "SIGNIN_SESSION_LIFETIME",
        default: "30d",
        "time after which a member signs in again"
    )
    static let idleLimit = Setting(
        "SIGNIN_IDLE_LIMIT",
        default: "7d",
        "time without a request after which a session ends"
    )
    static let profileCache = Setting(
        "SIGNIN_PROFILE_CACHE",
        default: "1h",
        "time for which a fetched profile is shown again; LinkedIn counts calls by the day"
    )

    // Forms that were sent without a session.
    static let keptBody = Setting(
        "SIGNIN_KEPT_BODY",
        default: "1M",
        "largest form that is kept while its sender signs in; 0: none is"
    )
    static let keptTotal = Setting(
        "SIGNIN_KEPT_TOTAL",
        default: "64M",
        "room for all kept forms together; each counts for 16K at least"
    )

    // Calls to the provider.
    static let connectTimeout = Setting("SIGNIN_CONNECT_TIMEOUT", default: "5s", "time to connect to LinkedIn")
    static let totalTimeout = Setting("SIGNIN_TOTAL_TIMEOUT", default: "10s", "time for a whole call to LinkedIn")
    static let upstreamCalls = Setting("SIGNIN_UPSTREAM_CALLS", default: "64", "calls to LinkedIn at one time at most")
    static let caFile = Setting(
        "SIGNIN_CA_FILE",
        default: "",
        "file of CA certificates to trust in place of the system's"
    )

    // Another server that speaks LinkedIn's protocol.
    static let authorizationEndpoint = Setting("SIGNIN_AUTHORIZATION_ENDPOINT", default: "", "overrides LinkedIn's")
    static let tokenEndpoint = Setting("SIGNIN_TOKEN_ENDPOINT", default: "", "overrides LinkedIn's")
    static let userinfoEndpoint = Setting(
        "SIGNIN_USERINFO_ENDPOINT",
        default: "",
        "overrides LinkedIn's; for the product openid"
    )
    static let jwksURI = Setting(
        "SIGNIN_JWKS_URI",
        default: "",
        "overrides LinkedIn's; for the products openid and verified"
    )
    static let profileEndpoint = Setting(
        "SIGNIN_PROFILE_ENDPOINT",
        default: "",
        "overrides the product's profile address; for every product but openid"
    )
    static let issuers = Setting(
        "SIGNIN_ISSUERS",
        default: "",
        "accepted issuers, separated by commas; overrides LinkedIn's two"
    )
    static let scopes = Setting("SIGNIN_SCOPES", default: "", "scopes, separated by spaces; overrides the product's")

    static let logLevel = Setting(
        "SIGNIN_LOG_LEVEL",
        default: "info",
        "least level that is logged: debug, info, warning or error"
    )

    /// Every setting, in the order in which an operator meets them.
    package static let all: [Setting] = [
        clientID, clientSecret, clientSecretFile, product, linkedInVersion,
        baseURL, templates, pictureOrigins, contact,
        listen, socketMode, socketGroup, allowedUsers, workers, requestTimeout, stopGrace, maxParameters, maxBody,
        stateDirectory, sessionLifetime, idleLimit, profileCache, keptBody, keptTotal,
        connectTimeout, totalTimeout, upstreamCalls, caFile,
        authorizationEndpoint, tokenEndpoint, userinfoEndpoint, jwksURI, profileEndpoint, issuers, scopes,
        logLevel,
    ]
}
