/// A kind of finding; the raw value is a stable identifier for scripts.
package enum FindingCode: String, CaseIterable, Sendable {
    // Settings and files.
    case settingsInvalid = "settings-invalid"
    case secretShared = "secret-shared"
    case secretMissing = "secret-missing"
    case secretAbsent = "secret-absent"
    case secretUnused = "secret-unused"
    case fileUnreadable = "file-unreadable"
    case fileWritable = "file-writable"
    case serviceRoot = "service-root"
    case serviceDisabled = "service-disabled"
    case redirectLocal = "redirect-local"
    case ruleInvalid = "rule-invalid"
    case ruleDoubtful = "rule-doubtful"
    case ruleNote = "rule-note"
    // The store.
    case storeUnusable = "store-unusable"
    case storeNote = "store-note"
    case storeFull = "store-full"
    case storeLow = "store-low"
    // This machine.
    case entropyMissing = "entropy-missing"
    case clockOff = "clock-off"
    case clockDrifting = "clock-drifting"
    // LinkedIn.
    case discoveryUnavailable = "discovery-unavailable"
    case discoveryInvalid = "discovery-invalid"
    case nameUnresolved = "name-unresolved"
    case endpointUnreachable = "endpoint-unreachable"
    case endpointUntrusted = "endpoint-untrusted"
    case endpointUnexpected = "endpoint-unexpected"
    case certificateEnding = "certificate-ending"
    case issuerOther = "issuer-other"
    case endpointOther = "endpoint-other"
    case clientRefused = "client-refused"
    case keysUnusable = "keys-unusable"
    case keysOld = "keys-old"
    case versionOld = "version-old"
    case versionRejected = "version-rejected"
    case versionRetired = "version-retired"
    // The program.
    case socketMissing = "socket-missing"
    case socketSilent = "socket-silent"
    case socketDenied = "socket-denied"
    case socketOpen = "socket-open"
    case userNotAllowed = "user-not-allowed"
    case programSilent = "program-silent"
    case programUnhealthy = "program-unhealthy"
    case programNotReady = "program-not-ready"
    case programOtherSettings = "program-other-settings"
    case settingsNotLoaded = "settings-not-loaded"
    case programReplaced = "program-replaced"
    case descriptorsFew = "descriptors-few"
    // The site, as visitors see it.
    case siteUnreachable = "site-unreachable"
    case siteProxy = "site-proxy"
    case siteOtherAddress = "site-other-address"
    case siteGateway = "site-gateway"
    case siteRouteMissing = "site-route-missing"
    case siteOtherProgram = "site-other-program"
    case cookieLost = "cookie-lost"
    case cookieChanged = "cookie-changed"
    case queryLost = "query-lost"
    case bodyLost = "body-lost"
    case buffersSmall = "buffers-small"
    case parametersMissing = "parameters-missing"
    case parametersDuplicate = "parameters-duplicate"
    case addressShared = "address-shared"
    case guardMissing = "guard-missing"
    case guardBypassed = "guard-bypassed"
    case guardFailing = "guard-failing"
    case identityAccepted = "identity-accepted"
    case identityForged = "identity-forged"
    // Only `check` has these.
    case settingNote = "setting-note"
    case startUncertain = "start-uncertain"
    case serverUnreadable = "server-unreadable"
    case serverProgram = "server-program"
    case serverBypass = "server-bypass"
    case serverIdentity = "server-identity"
    case serverLog = "server-log"
    case serverUnsafe = "server-unsafe"
    case serverDoubtful = "server-doubtful"
    case serverNote = "server-note"
    // Anything.
    case notChecked = "not-checked"
}

/// How much a finding matters.
package enum Severity: String, Sendable, Comparable {
    /// A fact that may be intended.
    case note
    /// It works now, and something will break or is weaker than it should be.
    case warning
    /// Visitors cannot sign in, or a guarded location is not guarded.
    case fault

    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .fault: 2
        }
    }
}

extension FindingCode {
    /// How much it matters.
    package var severity: Severity {
        switch self {
        case .settingsInvalid, .secretMissing, .fileUnreadable, .ruleInvalid, .storeUnusable, .storeFull,
            .entropyMissing, .clockOff,
            .nameUnresolved, .endpointUnreachable, .endpointUntrusted, .endpointUnexpected, .clientRefused,
            .discoveryUnavailable, .discoveryInvalid, .keysUnusable, .versionRetired, .socketMissing, .socketSilent,
            .socketDenied, .userNotAllowed, .programSilent, .programUnhealthy, .programNotReady, .programOtherSettings,
            .siteUnreachable, .siteOtherAddress, .siteGateway, .siteRouteMissing, .siteOtherProgram, .cookieLost,
            .cookieChanged, .queryLost, .bodyLost, .buffersSmall, .parametersMissing, .guardMissing, .guardBypassed,
            .guardFailing, .identityForged, .serverUnreadable, .serverProgram, .serverBypass, .serverIdentity,
            .serverLog, .serverUnsafe:
            .fault
        case .secretShared, .secretAbsent, .secretUnused, .fileWritable, .serviceRoot, .storeLow, .clockDrifting,
            .certificateEnding, .issuerOther, .endpointOther, .keysOld, .versionOld, .versionRejected, .socketOpen,
            .settingsNotLoaded, .programReplaced, .descriptorsFew, .startUncertain, .siteProxy, .parametersDuplicate,
            .addressShared, .identityAccepted, .ruleDoubtful, .serverDoubtful:
            .warning
        case .serviceDisabled, .redirectLocal, .ruleNote, .storeNote, .settingNote, .serverNote, .notChecked: .note
        }
    }

    /// What was found, for the table of the documentation.
    package var meaning: String {
        switch self {
        case .settingsInvalid: "a setting is wrong"
        case .secretShared: "other users can read or change the file of a secret"
        case .secretMissing:
            "a provider has no client secret: the file with the secret has another name, is empty, or does not exist although the "
                + "provider requires a secret; an empty file for LinkedIn is settings-invalid"
        case .secretAbsent:
            "a provider has no client secret, and no setting says that the client is public"
        case .secretUnused: "no provider uses the file of a client secret"
        case .fileUnreadable: "the program's user cannot read a file"
        case .fileWritable: "other users can change a list, the logo or the settings"
        case .serviceRoot: "the service runs as root"
        case .serviceDisabled: "the units of the site are not enabled"
        case .redirectLocal: "the redirect URL is on this machine"
        case .ruleInvalid: "a rule or one of its lists is wrong"
        case .ruleDoubtful: "a rule names a group that strangers can make at one of the providers"
        case .ruleNote: "a rule or one of its lists may not do what you expect"
        case .storeUnusable: "the state directory or the database cannot be used"
        case .storeNote: "the store relies on a setting of the database or the disk"
        case .storeFull: "the disk of the state directory is full"
        case .storeLow: "the disk of the state directory is almost full"
        case .entropyMissing: "the system has no random numbers yet"
        case .clockOff: "the clock is a minute behind LinkedIn's clock or almost an hour ahead of it"
        case .clockDrifting: "the clock is some seconds behind LinkedIn's clock, or some seconds or minutes ahead of it"
        case .nameUnresolved: "the name of a server of LinkedIn does not resolve"
        case .endpointUnreachable: "a server of LinkedIn cannot be reached"
        case .endpointUntrusted:
            "the certificate of a server is not accepted, the TLS handshake fails, or a server demands a client certificate"
        case .endpointUnexpected: "a server sent an unexpected response"
        case .certificateEnding: "the certificate of the site or of a provider expires within 14 days"
        case .issuerOther:
            "SIGNIN_ISSUERS lacks LinkedIn's issuer, an issuer at the host of the token endpoint, or the issuer in the discovery "
                + "document"
        case .endpointOther:
            "the addresses of one provider are at different ports or hosts, or differ from the addresses in the discovery document"
        case .clientRefused: "LinkedIn rejects the client ID or secret"
        case .discoveryUnavailable: "the discovery document of the provider cannot be fetched"
        case .discoveryInvalid: "the discovery document of the provider cannot be used"
        case .keysUnusable: "the key set of LinkedIn has no usable key"
        case .keysOld: "the key set comes from a cache that is over a day old"
        case .versionOld: "the newest version in LINKEDIN_VERSION is at least nine months old"
        case .versionRejected: "LinkedIn rejects the first version in LINKEDIN_VERSION and accepts another version"
        case .versionRetired: "LinkedIn rejects all versions in LINKEDIN_VERSION, or all are at least a year old"
        case .socketMissing: "the socket of the program does not exist"
        case .socketSilent: "no process listens at the socket"
        case .socketDenied: "the web server's user cannot connect to the socket"
        case .socketOpen: "every user of this machine can connect to the socket"
        case .userNotAllowed: "SIGNIN_ALLOWED_USERS lacks the web server's user"
        case .programSilent: "the program does not respond"
        case .programUnhealthy: "threads of the program hang, so /healthz does not respond with 200"
        case .programNotReady: "the program cannot use its store or LinkedIn's keys"
        case .programOtherSettings: "the running program has other settings than the settings file"
        case .settingsNotLoaded:
            "the settings file has changed since the running program read it, and the program uses the former values"
        case .programReplaced: "the running program is another file than this command"
        case .descriptorsFew: "the program has almost no free file descriptors"
        case .siteUnreachable: "the site cannot be reached"
        case .siteProxy: "the site cannot be reached through the outgoing proxy of the service"
        case .siteOtherAddress: "the site has another address than SIGNIN_BASE_URL"
        case .siteGateway: "the web server gets no response from the program"
        case .siteRouteMissing: "the web server does not pass a path to the program"
        case .siteOtherProgram: "the web server passes the path to a program with other settings"
        case .cookieLost: "the web server or a proxy loses a cookie of linkedin-signin"
        case .cookieChanged: "the web server or a proxy changes the attributes of a cookie"
        case .queryLost: "the web server or a proxy loses the query of the callback"
        case .bodyLost: "the web server or a proxy loses the body of a POST request"
        case .buffersSmall: "the buffers of the web server are too small for a long address or a long header"
        case .parametersMissing: "FastCGI parameters are missing or wrong"
        case .parametersDuplicate: "a FastCGI parameter arrives more than once"
        case .addressShared: "all requests seem to come from one address, that of a proxy"
        case .guardMissing: "a location is open without a session"
        case .guardBypassed: "another spelling of a guarded path is open without a session"
        case .guardFailing: "a guard rejects a visitor without a session, and does not ask the visitor to sign in"
        case .identityAccepted: "the site accepts X-Auth-… headers from clients"
        case .identityForged: "an application behind a guard uses an identity that the client sends"
        case .settingNote: "a setting may not do what you expect"
        case .startUncertain: "check cannot tell what lines in drop-in files of a systemd unit do at the start"
        case .serverUnreadable: "the configuration of nginx or lighttpd cannot be read, or is not complete"
        case .serverProgram: "a guard or a location for signing in leads to another program or to none"
        case .serverBypass: "some requests reach a guarded location or its files without the guard"
        case .serverIdentity: "an application gets an identity that a client sent, or no identity"
        case .serverLog: "a log of nginx or lighttpd contains authorization codes"
        case .serverUnsafe:
            "another line in the configuration of nginx or lighttpd opens a guarded location, or keeps everyone from signing in"
        case .serverDoubtful:
            "the web server's configuration keeps some visitors from signing in, or admits some without it"
        case .serverNote: "the web server's configuration may not do what you expect"
        case .notChecked: "something could not be checked"
        }
    }

    /// Why it matters.
    package var reason: String {
        switch self {
        case .settingsInvalid: "the program does not start, or keeps its old settings"
        case .secretShared: "anyone with the secret can act as your application"
        case .secretMissing:
            "the provider rejects requests without its client secret, so nobody can sign in with this provider"
        case .secretAbsent: "unless the client is public, the provider rejects the program"
        case .secretUnused: "the secret has no effect"
        case .fileUnreadable: "a reload is refused, or a rule admits nobody"
        case .fileWritable: "other users can admit themselves or change pages"
        case .serviceRoot: "a fault in the program would give an attacker the whole machine"
        case .serviceDisabled: "after a reboot, nobody can sign in until somebody starts the service"
        case .redirectLocal: "browsers on other machines cannot come back from LinkedIn"
        case .ruleInvalid: "the guard with this rule admits nobody"
        case .ruleDoubtful: "strangers can open the guarded location"
        case .ruleNote: "members may be rejected"
        case .storeUnusable: "no session can be stored or found"
        case .storeNote: "sessions can be lost, or other users can change sessions; the finding says when"
        case .storeFull: "nobody can sign in; members who are signed in stay signed in"
        case .programNotReady: "nobody can sign in"
        case .storeLow: "soon nobody can sign in"
        case .entropyMissing: "no session and no sign-in can be made"
        case .clockOff:
            "every sign-in fails, because ID tokens look future-dated to a slow clock and expired to a fast clock"
        case .clockDrifting: "if the clock is a minute behind or an hour ahead, every sign-in fails"
        case .nameUnresolved, .endpointUnreachable: "sign-ins fail, or pages have no profile"
        case .endpointUntrusted: "the connection fails or may be intercepted, so the program does not use it"
        case .endpointUnexpected: "the address of the server is wrong, or the server has a fault"
        case .certificateEnding: "once the certificate has expired, connections to the server fail"
        case .issuerOther: "if the ID tokens have another issuer, every sign-in fails"
        case .endpointOther: "if an address belongs to another provider, every sign-in fails"
        case .clientRefused: "every sign-in fails after consent"
        case .discoveryUnavailable, .discoveryInvalid:
            "the program uses the document that it fetched before; without such a document, nobody can sign in with this provider"
        case .keysUnusable: "no ID token can be verified, so every sign-in fails"
        case .keysOld: "tokens with a new key are rejected"
        case .versionOld: "LinkedIn retires a version after about a year; profiles then fail"
        case .versionRejected:
            "profiles work with the other version; once in 24 hours, the program tries the rejected version first"
        case .versionRetired: "LinkedIn responds with 426, and the program cannot fetch profiles"
        case .socketMissing, .socketSilent, .socketDenied: "the web server responds with 500, 502 or 503"
        case .socketOpen: "a local user can act as the web server, and can invent the address of a visitor"
        case .userNotAllowed: "the program closes every connection of the web server"
        case .programSilent: "visitors wait, then see 502 or 504"
        case .programUnhealthy: "requests wait until the web server gives up"
        case .programOtherSettings: "you look at the wrong site, or a change of the settings has not been loaded"
        case .settingsNotLoaded: "a change of the settings takes effect only after a reload or a restart"
        case .programReplaced: "an upgrade, with its corrections, takes effect only after a restart"
        case .descriptorsFew: "the program soon accepts no connections"
        case .siteUnreachable: "visitors cannot reach the site either"
        case .siteProxy:
            "visitors do not use this proxy, but the program sends kept forms to the site through it, so kept forms are lost"
        case .siteOtherAddress:
            "the browser gets the sign-in cookie at one address, but LinkedIn sends the browser to the other address"
        case .siteGateway: "nobody can sign in, and guards reject everyone"
        case .siteRouteMissing: "sign-ins cannot begin or end"
        case .siteOtherProgram: "sign-ins lead to another site"
        case .cookieLost: "every sign-in ends with a page about the sign-in cookie"
        case .cookieChanged: "browsers drop the cookie, or send it where they should not"
        case .queryLost: "the program cannot understand LinkedIn's callback"
        case .bodyLost: "forms that visitors send are lost"
        case .buffersSmall: "sign-ins that start at a page with a long address fail with 502 or 414"
        case .parametersMissing: "the program cannot know what the client asked for"
        case .parametersDuplicate: "programs differ in which of two values they use"
        case .addressShared: "all visitors share one limit, and the log shows the proxy's address"
        case .guardMissing: "everyone can open the location"
        case .guardBypassed: "everyone can open the location with this spelling"
        case .guardFailing: "nobody can open the location"
        case .identityAccepted:
            "outside guarded locations, an application that reads these headers accepts any identity that a client sends"
        case .identityForged: "every member whom the guard admits can act as any user of the application"
        case .serverUnreadable: "check cannot say whether the guards are safe"
        case .serverProgram: "nobody can sign in, or the guards of one site ask the program of another site"
        case .serverBypass: "everyone can open the location, or some of its files"
        case .serverIdentity: "a member, or everyone, can act as any user of the application"
        case .serverLog: "anyone who can read the log can try to sign in with a code that was not used"
        case .settingNote, .startUncertain, .serverUnsafe, .serverDoubtful, .serverNote: "the finding says why"
        case .notChecked: "doctor does not find a fault in what it did not check"
        }
    }

    /// The tables of all codes as Markdown: those that `doctor` reports, and those that only `check` reports.
    package static var tables: String {
        let ofCheck: Set = [
            settingNote, startUncertain, serverUnreadable, serverProgram, serverBypass, serverIdentity, serverLog,
            serverUnsafe, serverDoubtful, serverNote,
        ]
        return table(allCases.filter { !ofCheck.contains($0) }) + "\n\nOnly `check` reports the following codes:\n\n"
            + table(allCases.filter(ofCheck.contains))
    }

    private static func table(_ codes: [FindingCode]) -> String {
        let rows = codes.map { "| `\($0.rawValue)` | \($0.severity.rawValue) | \($0.meaning) | \($0.reason) |" }
        return (["| code | severity | what was found | why it matters |", "| --- | --- | --- | --- |"] + rows)
            .joined(separator: "\n")
    }
}
