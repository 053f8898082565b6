package import EventLog
package import OpenID
package import Provider
package import Sessions

/// The declarations of all settings, in the order of the documentation.
///
/// One declaration says everything about a setting: its name, its type and accepted values, its default, whether a new value
/// needs a restart, and its meaning. The title above it names its group. `Configuration` has its value under the same name.
/// A class, because the compiler writes functions that copy each field of a structure: 140 KB for so many fields.
package final class SettingKeys: Sendable {
    static let all = SettingKeys()

    private static let year = 31_536_000

    let application = SettingGroup(title: "The application at LinkedIn")
    package let clientID = SettingKey.required("LINKEDIN_CLIENT_ID")
        .means("The client ID from the Auth tab of the application at LinkedIn.")
    package let clientSecret = SettingKey.required("LINKEDIN_CLIENT_SECRET", secret: true).means(
        "The client secret from the Auth tab of the application at LinkedIn. LINKEDIN_CLIENT_SECRET_FILE or the systemd "
            + "credential linkedin-client-secret is safer than LINKEDIN_CLIENT_SECRET."
    )
    package let clientSecretFile = SettingKey.secretFile("LINKEDIN_CLIENT_SECRET_FILE").means(
        "A file with mode 0600 that contains only the client secret. With the systemd units, leave this setting without a "
            + "value: the units pass the secret as a credential."
    )
    package let product = SettingKey.choice("LINKEDIN_PRODUCT", LinkedInProduct.openid).means(
        "The product of the application at LinkedIn. The product determines which scopes the program requests, and whether the "
            + "profile of a member has a link: with openid, the profile has no link."
    )
    package let linkedInVersion =
        SettingKey
        // As of November 2026: the version LinkedIn documents for identityMe, then versions that other APIs still accept.
        .list("LINKEDIN_VERSION", "versions", preset: "202510.03,202604,202601").means(
            "The values for the LinkedIn-Version header of profile requests, in the order to try. Only the "
                + "product verified uses this header. LinkedIn retires a version about a year after its release."
        )

    let issuer = SettingGroup(title: "An OpenID provider by its issuer")
    package let providerIssuer = SettingKey.endpoint("PROVIDER_ISSUER").means(
        "The issuer of the OpenID provider at which members sign in, in place of LinkedIn, such as "
            + "https://accounts.google.com. The program reads the endpoints of the provider from its discovery document. One "
            + "settings file cannot have both PROVIDER_ISSUER and settings that begin with LINKEDIN_."
    ).ofEachProvider()
    package let providerClientID = SettingKey.text("PROVIDER_CLIENT_ID")
        .means(
            "The client ID that the OpenID provider issued. With PROVIDER_ISSUER, this client ID is required."
        ).ofEachProvider()
    package let providerClientSecret = SettingKey.text("PROVIDER_CLIENT_SECRET", secret: true).means(
        "The client secret that the OpenID provider issued. PROVIDER_CLIENT_SECRET_FILE or the systemd credential "
            + "provider-client-secret is safer than PROVIDER_CLIENT_SECRET. Without a client secret, the program is a public "
            + "client, which uses PKCE only. If the value is a private key (PEM, on P-256 or RSA), the program does not send "
            + "the key: for each request in which the program has to authenticate, the program signs a new token with the key."
    ).ofEachProvider()
    package let providerClientSecretFile = SettingKey.secretFile("PROVIDER_CLIENT_SECRET_FILE").means(
        "A file with mode 0600 that contains only the client secret of the OpenID provider. With the systemd units, leave this "
            + "setting without a value: the units pass the secret as a credential."
    ).ofEachProvider()
    package let providerName = SettingKey.words("PROVIDER_NAME", limit: 40).means(
        "The name of the OpenID provider on the pages, such as Google. "
            + "Without a value, pages show the host name of PROVIDER_ISSUER."
    ).ofEachProvider()
    package let providerID = SettingKey.providerID("PROVIDER_ID").means(
        "The ID of the OpenID provider in the identifiers of its members: REMOTE_USER is this ID, two colons and the subject. "
            + "If the ID changes, the program treats all members of the provider as new members. Without a value, the program "
            + "makes the ID from the issuer, so that after a change of PROVIDER_ISSUER nobody gets the sessions and rights of "
            + "another person."
    )
    package let providerPreset = SettingKey.choice("PROVIDER_PRESET", ProviderPreset.openid).means(
        "How the program speaks with the provider: openid means OpenID Connect with a discovery document, github means GitHub, "
            + "apple means Sign in with Apple, and oauth2 means a server of plain OAuth 2.0, whose endpoints and names of "
            + "claims you set. For GitHub, PROVIDER_ISSUER is https://github.com/login/oauth, or the same path at your own "
            + "server. For Apple, PROVIDER_ISSUER is https://appleid.apple.com. With oauth2, PROVIDER_ISSUER is an https URL "
            + "that names the server."
    ).ofEachProvider()
    package let providerSubject = SettingKey.claim("PROVIDER_SUBJECT_CLAIM").means(
        "The claim that identifies a member at a server of plain OAuth 2.0, such as id. The value of the claim must be text or "
            + "a positive whole number, which the server never gives to another person. With PROVIDER_PRESET=oauth2, this "
            + "claim is required."
    ).ofEachProvider()
    package let providerNames = SettingKey.claims("PROVIDER_NAME_CLAIM").means(
        "The claims with the name of a member at a server of plain OAuth 2.0, such as name. The program uses the first claim "
            + "with text. Without a value, members have no name."
    ).ofEachProvider()
    package let providerEmail = SettingKey.claim("PROVIDER_EMAIL_CLAIM").means(
        "The claim with the e-mail address of a member at a server of plain OAuth 2.0. Without a value, members have no "
            + "address."
    ).ofEachProvider()
    package let providerEmailVerified = SettingKey.claim("PROVIDER_EMAIL_VERIFIED_CLAIM").means(
        "The claim in which a server of plain OAuth 2.0 says, with the value true, that it verified the e-mail address. "
            + "Without a value, the program treats no address as verified."
    ).ofEachProvider()
    package let providerPicture = SettingKey.claim("PROVIDER_PICTURE_CLAIM").means(
        "The claim with the URL of a member's picture at a server of plain OAuth 2.0. Without a value, members have no picture."
    ).ofEachProvider()
    package let providerProfile = SettingKey.claim("PROVIDER_PROFILE_CLAIM").means(
        "The claim with the URL of a member's page at a server of plain OAuth 2.0. Without a value, profiles have no link."
    ).ofEachProvider()
    package let providerAuthentication = SettingKey<ProtocolOptions.ClientAuthentication?>.choice(
        "PROVIDER_CLIENT_AUTHENTICATION"
    ).means(
        "How the program authenticates at a server of plain OAuth 2.0. Without a value, the program uses private_key_jwt if "
            + "PROVIDER_CLIENT_SECRET is a private key, client_secret_basic if there is a secret that is not a private key, "
            + "and the method none without a secret. For an OpenID provider, only the value none is allowed. The value none "
            + "says that the provider registered this client as public, so check and doctor do not warn of a missing client "
            + "secret."
    ).ofEachProvider()
    package let providerPKCE = SettingKey.yes("PROVIDER_PKCE", preset: true).means(
        "Whether the program uses PKCE with S256 at a server of plain OAuth 2.0. Set this to no only if the server rejects "
            + "PKCE."
    ).ofEachProvider()
    package let providerKeyID = SettingKey.text("PROVIDER_KEY_ID").means(
        "The ID under which the provider knows the private key in PROVIDER_CLIENT_SECRET. Without a value, signed tokens do "
            + "not name the key."
    ).ofEachProvider()
    package let providerTeamID = SettingKey.text("PROVIDER_TEAM_ID").means(
        "The ID of your team at Apple, which is required with PROVIDER_PRESET=apple. Each client secret that the program signs "
            + "for Apple contains this team ID."
    ).ofEachProvider()
    package let authorizationParameters = SettingKey.authorizationParameters("PROVIDER_AUTHORIZATION_PARAMETERS").means(
        "Parameters that the program adds to each authorization request, such as prompt=select_account&max_age=3600. "
            + "With max_age, the program accepts an ID token only if it shows that the member signed in at the provider within "
            + "the last max_age seconds."
    ).ofEachProvider()
    package let providerClockLeeway = SettingKey.number("PROVIDER_CLOCK_LEEWAY", .seconds(0...300), "60s").means(
        "The maximum difference that the program accepts between the clocks of this machine and of the OpenID provider."
    ).ofEachProvider()
    package let providerSignOutPage = SettingKey.endpoint("PROVIDER_SIGN_OUT_PAGE", mayHaveQuery: true).means(
        "The page at which members sign out of the provider, for a button on the page after a sign-out. Without a value, the "
            + "button opens the sign-out page of Google or GitHub, or the end session endpoint of the discovery document."
    ).ofEachProvider()
    package let providerHostedDomains = SettingKey.list("PROVIDER_HOSTED_DOMAINS", "domains").means(
        "The main domains of the Google Workspace organizations whose members may sign in. The value * means every "
            + "organization. Without a value, everyone with a Google account may sign in."
    ).ofEachProvider()
    package let providerTenants = SettingKey.list("PROVIDER_TENANTS", "tenant IDs").means(
        "The tenants of Microsoft Entra whose members may sign in. A value is required if PROVIDER_ISSUER is an issuer for "
            + "several tenants, such as https://login.microsoftonline.com/organizations/v2.0."
    ).ofEachProvider()
    package let providerTrustsEmail = SettingKey.yes("PROVIDER_TRUSTS_EMAIL").means(
        "Whether rules and applications trust the e-mail addresses that the provider reports as verified. Set this to yes only "
            + "if nobody can get the address of another person at the provider. With no, a rule about e-mail addresses admits "
            + "no member of the provider."
    ).ofEachProvider()
    package let providerGroups = SettingKey.claim("PROVIDER_GROUPS_CLAIM").means(
        "The name of the claim that contains the groups of a member, for example groups. Rules with group= use this claim. "
            + "Without a value, sessions keep no groups."
    ).ofEachProvider()
    package let providerClaims = SettingKey.claims("PROVIDER_CLAIMS").means(
        "The claims that sessions keep for rules with claim:, acr= and amr=, and for applications. A dot in a name selects a "
            + "claim in a nested object, as in realm_access.roles."
    ).ofEachProvider()
    package let providerDirectory = SettingKey.file("SIGNIN_PROVIDERS").means(
        "A directory with a file for each further provider; the name of a file is the ID of its provider. Without a value, the "
            + "program uses the directory named providers beside the settings file, if this directory exists."
    )

    let site = SettingGroup(title: "The site")
    package let baseURL = SettingKey.mount("SIGNIN_BASE_URL").means(
        "The public URL of this program, such as https://example.com or https://example.com/account. "
            + "At LinkedIn, register this URL followed by /oauth as the redirect URL."
    )
    package let home = SettingKey.place("SIGNIN_HOME").means(
        "The page to which “Home” links lead, and which a member sees after a sign-in without a return path. Without a value, "
            + "this page is the home page of linkedin-signin, at the path of SIGNIN_BASE_URL with a final slash."
    )
    package let afterSignOut = SettingKey.place("SIGNIN_AFTER_SIGN_OUT").means(
        "The page that a member sees after signing out. Without a value, the member sees the sign-out page of linkedin-signin."
    )

    let pages = SettingGroup(title: "The look of the pages")
    package let siteName = SettingKey.words("SIGNIN_SITE_NAME", limit: 100).means(
        "The name of the site on the pages, such as Example Club. "
            + "Without a value, pages show the host name of SIGNIN_BASE_URL."
    )
    package let contact = SettingKey.words("SIGNIN_CONTACT").means(
        "The contact that the page for a rejected member names after “To ask for access:”, such as an e-mail address. "
            + "Without a value, the page names no contact."
    )
    package let accentColor = SettingKey.color("SIGNIN_ACCENT_COLOR").means(
        "The color of links and of the main button of a page; the button that signs in has the color in "
            + "SIGNIN_PROVIDER_COLOR. If a link in this color is hard to read, the program makes links darker or lighter. "
            + "Without a value, main buttons and links are blue."
    )
    package let logo = SettingKey.picture("SIGNIN_LOGO")
        .means("The logo at the top of the pages. Without a value, pages show the name of the site.")
    package let providerLogo = SettingKey.picture("SIGNIN_PROVIDER_LOGO").means(
        "The provider's mark on the button that starts a sign-in. Without a value, the button has a neutral mark, or no "
            + "mark if the page has several of these buttons."
    ).ofEachProvider()
    package let providerColor = SettingKey.color("SIGNIN_PROVIDER_COLOR").means(
        "The color of the button that starts a sign-in with the provider. The text of the button is black or white, whichever "
            + "is easier to read. Without a value, the button is blue."
    ).ofEachProvider()
    package let templates = SettingKey.file("SIGNIN_TEMPLATES").means(
        "A directory of page templates that replace the built-in templates. A file languages/xx.txt in this directory replaces "
            + "texts of a language, or adds a language."
    )
    package let pictureOrigins = SettingKey.pictureSources("SIGNIN_PICTURE_ORIGINS").means(
        "Origins from which pages may load pictures, in addition to LinkedIn's, such as https://avatars.example.com: profile "
            + "pictures, and the pictures of your templates."
    )

    let sessions = SettingGroup(title: "Sessions and tokens")
    package let sessionLifetime = SettingKey.number("SIGNIN_SESSION_LIFETIME", .seconds(60...year), "30d").means(
        "The time from the sign-in until the session expires, even if the member uses the session. After this time, the "
            + "member must sign in again. A changed value applies to later sign-ins."
    )
    package let idleLimit = SettingKey.number("SIGNIN_IDLE_LIMIT", .seconds(60...year), "7d", restart: true).means(
        "The time without requests after which a session expires. The value must not be longer than SIGNIN_SESSION_LIFETIME. "
            + "A changed value applies to all sessions."
    )
    package let requireLiveToken = SettingKey.yes("SIGNIN_REQUIRE_LIVE_TOKEN").means(
        "Whether guarded locations accept only sessions with an access token that has not expired. With yes, a member whose "
            + "access token expired and cannot be renewed must sign in again. LinkedIn's access tokens expire after 60 days."
    )
    package let profileCache = SettingKey.number("SIGNIN_PROFILE_CACHE", .seconds(0...86_400), "1h").means(
        "The time for which the program reuses a fetched profile. LinkedIn limits the number of profile calls per day."
    )
    package let tokenSessions = SettingKey.yes("SIGNIN_TOKEN_SESSIONS").means(
        "Whether POST /session makes a session from an access token of your application at the provider, such as the token of "
            + "a mobile app. After a change, print the configuration of nginx again."
    )
    package let applicationClaims = SettingKey.claims("SIGNIN_APPLICATION_CLAIMS", areFields: true).means(
        "The kept claims that applications at guarded locations get: groups as X-Auth-Groups and AUTH_GROUPS, any other claim "
            + "NAME as X-Auth-Claim-NAME and AUTH_CLAIM_NAME. After a change, print the configuration of the web server again."
    )
    package let personalTokens =
        SettingKey
        .secondsOrOff("SIGNIN_PERSONAL_TOKENS", 86_400...year) { reader throws(WrongValue) in
            guard reader.requireLiveToken else { return }
            let message = "has no effect with \(Setting.requireLiveToken.name)=yes, which accepts only sessions"
            throw WrongValue(message: "\(message): remove one of them")
        }.means(
            "The maximum lifetime of a personal token, which a member makes for scripts. With off, guarded locations accept no "
                + "personal tokens. After a change between off and a time, print the configuration of the web server again."
        )
    package let stateDirectory =
        SettingKey
        .path("SIGNIN_STATE_DIRECTORY", "/var/lib/linkedin-signin", restart: true).means(
            "The directory for sessions, personal tokens, kept forms, used states, discovery documents and the server key. The "
                + "systemd units set the state directory with StateDirectory=."
        )
    package let rememberedSessions =
        SettingKey
        .number("SIGNIN_REMEMBERED_SESSIONS", .count(0...1_000_000), "2048", restart: true).means(
            "With sessions in files, the maximum number of sessions that the program caches for checks; each session uses "
                + "0.5 KiB. If the state directory is on NFS, set 0, which disables this cache."
        )
    package let spentStates = SettingKey.number("SIGNIN_SPENT_STATES", .count(100...10_000_000), "50000", restart: true)
        .means(
            "The maximum number of sign-ins and sessions from access tokens together in ten minutes. Each sign-in, and each "
                + "session from an access token, uses one file or one row of the database for ten minutes. Above the limit, sign-ins "
                + "and access tokens get 503. "
                + "One client address may use a quarter of the maximum number."
        )

    let forms = SettingGroup(title: "Forms sent without a session")
    package let keptBody = SettingKey.number("SIGNIN_KEPT_BODY", .bytes(0...104_857_600), "1M").means(
        "The maximum size of a form that the program keeps during the sign-in and sends afterwards. 0 disables kept forms. "
            + "The value must not be more than SIGNIN_MAX_BODY or SIGNIN_KEPT_TOTAL."
    )
    package let keptTotal =
        SettingKey
        .number("SIGNIN_KEPT_TOTAL", .bytes(65_536...1_099_511_627_776), "64M", restart: true).means(
            "The maximum total size of all kept forms. Each kept form counts as at least 16K. "
                + "The kept forms of one client address may use a quarter of the total size."
        )

    let log = SettingGroup(title: "The log and monitoring")
    package let logLevel = SettingKey.choice("SIGNIN_LOG_LEVEL", LogLevel.info)
        .means("The minimum level of log lines. The program writes its log to standard error.")
    package let logFormat = SettingKey.choice("SIGNIN_LOG_FORMAT", LogFormat.logfmt)
        .means("The form of log lines: logfmt writes name=value, and json writes one JSON object per line.")
    package let logRepeats = SettingKey.yes("SIGNIN_LOG_REPEATS").means(
        "Whether the log has a line for each repetition of a warning or an error. With no, the program counts "
            + "repetitions, and writes one line a minute that has the latest repetition and the number of repetitions."
    )
    package let logEmail = SettingKey.yes("SIGNIN_LOG_EMAIL").means(
        "Whether the log has the e-mail address of a member who signs in, signs out or is rejected."
    )
    package let adminListen = SettingKey.admin("SIGNIN_ADMIN_LISTEN").means(
        "The address where programs on this machine can read /healthz, /readyz and /metrics over HTTP. "
            + "Without a value, the program itself serves no HTTP."
    )

    let socket = SettingGroup(title: "The FastCGI socket")
    package let listen = SettingKey.listen("SIGNIN_LISTEN").means(
        "The address at which the web server connects to the program. The value inherited means the socket that systemd, "
            + "spawn-fcgi or lighttpd opened. Without a value, the program uses the inherited socket if there is one, and "
            + "otherwise unix:/run/linkedin-signin/socket."
    )
    package let socketMode = SettingKey.number("SIGNIN_SOCKET_MODE", .mode(0o600...0o777), "0660", restart: true)
        .means("The permissions of the Unix socket that the program creates.")
    package let socketGroup = SettingKey.text("SIGNIN_SOCKET_GROUP", "the name or number of a group", restart: true)
        .means(
            "The group of the Unix socket that the program creates: the group of the web server, such as www-data."
        )
    package let allowedUsers = SettingKey.list("SIGNIN_ALLOWED_USERS", "names of users").means(
        "The users who may connect to the Unix socket, such as www-data. "
            + "Without a value, every user whom the permissions of the socket allow may connect."
    )

    let limits = SettingGroup(title: "Limits of requests")
    package let workers = SettingKey.number("SIGNIN_WORKERS", .count(0...256), "0", restart: true)
        .means("The number of worker threads. 0 means one worker thread for each core, but at least 2.")
    package let requestTimeout = SettingKey.number("SIGNIN_REQUEST_TIMEOUT", .seconds(1...300), "10s")
        .means("The maximum time for the web server to send a request or to receive the response.")
    package let stopGrace = SettingKey.number("SIGNIN_STOP_GRACE", .seconds(0...300), "10s")
        .means("The maximum time to finish current requests when the program stops.")
    package let maxParameters = SettingKey.number("SIGNIN_MAX_PARAMETERS", .bytes(4096...16_777_216), "256K")
        .means("The maximum total size of the FastCGI parameters of a request, such as headers, cookies and query.")
    package let maxBody = SettingKey.number("SIGNIN_MAX_BODY", .bytes(1024...104_857_600), "1M")
        .means("The maximum size of a request body.")

    let calls = SettingGroup(title: "Calls to providers")
    package let connectTimeout = SettingKey.number("SIGNIN_CONNECT_TIMEOUT", .seconds(1...60), "5s")
        .means("The maximum time to connect to a provider. The value must not be longer than SIGNIN_TOTAL_TIMEOUT.")
    package let totalTimeout = SettingKey.number("SIGNIN_TOTAL_TIMEOUT", .seconds(1...120), "10s")
        .means("The maximum time for one call to a provider, including the connection.")
    package let upstreamCalls = SettingKey.number("SIGNIN_UPSTREAM_CALLS", .count(1...1024), "64").means(
        "The maximum number of concurrent calls to each provider. One client address (an IPv4 address or an IPv6 /64) may make "
            + "a quarter of these calls, but at least 4: this is the share of the address. If all calls are in use, or the "
            + "client address already makes its share, a request that needs a call waits for up to 3s. After these 3s, the "
            + "request gets 429 if its client address still makes its share of the calls, and 503 otherwise. A request gets "
            + "503 or 429 immediately if too many requests already wait. A request also gets 503 immediately if all calls are "
            + "in use and its client address makes its share."
    )
    package let caFile = SettingKey.file("SIGNIN_CA_FILE", check: AuthorityFile.check)
        .means("A file of CA certificates (PEM) that the program trusts in place of the system's CA certificates.")
    package let extraCAFile = SettingKey.file("SIGNIN_EXTRA_CA_FILE", check: AuthorityFile.check).means(
        "A file of CA certificates (PEM) that the program trusts in addition to those of the system or of "
            + "SIGNIN_CA_FILE, such as the CA certificate of a proxy that inspects TLS."
    )

    let database = SettingGroup(title: "One database for several machines")
    package let store = SettingKey.text("SIGNIN_STORE", "postgresql://USER@HOST/NAME", restart: true).means(
        "The PostgreSQL database for the sessions of several machines. Without a value, sessions are in the state directory."
    )
    package let storePassword = SettingKey.text("SIGNIN_STORE_PASSWORD", secret: true, restart: true).means(
        "The password of the database. "
            + "SIGNIN_STORE_PASSWORD_FILE or the systemd credential signin-store-password is safer than SIGNIN_STORE_PASSWORD."
    )
    package let storePasswordFile = SettingKey.secretFile("SIGNIN_STORE_PASSWORD_FILE", restart: true)
        .means("A file with mode 0600 that contains only the password of the database.")
    package let storeKey = SettingKey.text("SIGNIN_STORE_KEY", secret: true, restart: true).means(
        "The key that all machines share, and that decrypts the server keys in the database. SIGNIN_STORE_KEY_FILE is safer "
            + "than SIGNIN_STORE_KEY. Without a value, each machine has the server keys in its state directory."
    )
    package let storeKeyFile = SettingKey.secretFile("SIGNIN_STORE_KEY_FILE", restart: true)
        .means("A file with mode 0600 that contains the key of SIGNIN_STORE_KEY, in the format of the file server-key.")
    package let storeCache = SettingKey.number("SIGNIN_STORE_CACHE", .seconds(0...5), "1s", restart: true).means(
        "The time for which the program reuses a session that it read from the database. A sign-out on another machine removes "
            + "the session from this cache within milliseconds, if the database passes on the message about the sign-out "
            + "(NOTIFY). 0 disables the cache of sessions."
    )

    let provider = SettingGroup(title: "Another provider")
    package let authorizationEndpoint = SettingKey.endpoint("SIGNIN_AUTHORIZATION_ENDPOINT")
        .means("The authorization endpoint of the provider, in place of LinkedIn's.").ofEachProvider()
    package let tokenEndpoint = SettingKey.endpoint("SIGNIN_TOKEN_ENDPOINT")
        .means("The token endpoint of the provider, in place of LinkedIn's.").ofEachProvider()
    package let userinfoEndpoint = SettingKey.endpoint("SIGNIN_USERINFO_ENDPOINT", mayHaveQuery: true).means(
        "The userinfo endpoint of the provider, in place of LinkedIn's. At LinkedIn, only the products openid and verified use "
            + "a userinfo endpoint."
    ).ofEachProvider()
    package let introspectionEndpoint = SettingKey.endpoint("SIGNIN_INTROSPECTION_ENDPOINT").means(
        "The endpoint that describes an access token, in place of LinkedIn's. The program asks the introspection endpoint "
            + "about access tokens that another program obtained. Without a value, the program asks LinkedIn's endpoint, or no "
            + "endpoint if SIGNIN_TOKEN_ENDPOINT is at another origin; for an OpenID provider without a value, the program "
            + "asks the endpoint in the discovery document."
    ).ofEachProvider()
    package let jwksURI = SettingKey.endpoint("SIGNIN_JWKS_URI").means(
        "The URL of the provider's key set, in place of LinkedIn's. At LinkedIn, only the products openid and verified use "
            + "a key set."
    ).ofEachProvider()
    package let profileEndpoint = SettingKey.endpoint("SIGNIN_PROFILE_ENDPOINT", mayHaveQuery: true).means(
        "The profile endpoint, in place of the endpoint that LINKEDIN_PRODUCT chooses. With LINKEDIN_PRODUCT=openid, the "
            + "program uses no profile endpoint."
    )
    package let revocationEndpoint = SettingKey.endpoint("SIGNIN_REVOCATION_ENDPOINT").means(
        "The endpoint that revokes a member's tokens after signing out (RFC 7009). LinkedIn documents no such endpoint. "
            + "Without a value, the program uses the endpoint in the discovery document of an OpenID provider, or revokes no "
            + "tokens."
    ).ofEachProvider()
    package let issuers = SettingKey.list("SIGNIN_ISSUERS", "issuers")
        .means("The accepted issuers of ID tokens, in place of LinkedIn's two issuers.")
    package let scopes = SettingKey.list("SIGNIN_SCOPES", "scopes", separator: " ")
        .means("The scopes to request, in place of the default scopes of the product or provider.").ofEachProvider()
}
