/// A kind of finding; the raw value is a stable identifier for scripts.
package enum FindingCode: String, CaseIterable, Sendable {
    // Settings and files.
    case settingsInvalid = "settings-invalid"
    case secretShared = "secret-shared"
    case fileUnreadable = "file-unreadable"
    case fileWritable = "file-writable"
    case redirectLocal = "redirect-local"
    case ruleInvalid = "rule-invalid"
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
    case nameUnresolved = "name-unresolved"
    case endpointUnreachable = "endpoint-unreachable"
    case endpointUntrusted = "endpoint-untrusted"
    case endpointUnexpected = "endpoint-unexpected"
    case certificateEnding = "certificate-ending"
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
    package var severity: Severity { entry.severity }
    /// What was found, for the table of the documentation.
    package var meaning: String { entry.meaning }
    /// Why it matters.
    package var reason: String { entry.reason }

    private typealias Entry = (severity: Severity, meaning: String, reason: String)

    private var entry: Entry {
        settingsEntry ?? machineEntry ?? providerEntry ?? programEntry ?? siteEntry ?? guardEntry
            ?? (.note, "something could not be checked", "a fault there stays unseen")
    }

    private var settingsEntry: Entry? {
        switch self {
        case .settingsInvalid: (.fault, "a setting is wrong", "the program does not start, or keeps its old settings")
        case .secretShared:
            (.warning, "a group can read the file of a secret", "anyone with the secret can act as your application")
        case .fileUnreadable:
            (.fault, "the program's user cannot read a file", "a reload is refused, or a rule admits nobody")
        case .fileWritable:
            (
                .warning, "other users can change a list, the logo or the settings",
                "they can admit themselves or change pages"
            )
        case .redirectLocal:
            (.note, "the redirect URL is on this machine", "browsers on other machines cannot come back from LinkedIn")
        case .ruleInvalid: (.fault, "a rule or one of its lists is wrong", "the guard admits nobody")
        case .ruleNote: (.note, "a rule or one of its lists may not do what you expect", "members may be rejected")
        case .storeUnusable:
            (.fault, "the state directory or the database cannot be used", "no session can be stored or found")
        case .storeNote:
            (
                .note, "the store relies on a setting of the database or the disk",
                "sessions can be lost; the finding says when"
            )
        case .storeFull: (.fault, "the disk of the state directory is full", "nobody can sign in")
        case .storeLow: (.warning, "the disk of the state directory is almost full", "soon nobody can sign in")
        default: nil
        }
    }

    private var machineEntry: Entry? {
        switch self {
        case .entropyMissing:
            (.fault, "the system has no random numbers yet", "no session and no sign-in can be made")
        case .clockOff:
            (
                .fault, "the clock differs from LinkedIn's by more than a minute",
                "if it is slow, ID tokens look future-dated; if it is fast, they look expired; every sign-in fails"
            )
        case .clockDrifting:
            (.warning, "the clock differs from LinkedIn's by some seconds", "a minute behind, every sign-in fails")
        default: nil
        }
    }

    private var providerEntry: Entry? {
        switch self {
        case .nameUnresolved:
            (.fault, "the name of a server of LinkedIn does not resolve", "sign-ins fail, or pages have no profile")
        case .endpointUnreachable:
            (.fault, "a server of LinkedIn cannot be reached", "sign-ins fail, or pages have no profile")
        case .endpointUntrusted:
            (
                .fault, "the certificate of a server is not accepted",
                "the connection may be intercepted, so nothing is sent"
            )
        case .endpointUnexpected:
            (.fault, "a server answered something unexpected", "the address is wrong, or that server has a fault")
        case .certificateEnding:
            (.warning, "a certificate ends within 14 days", "after that, connections to that server fail")
        case .clientRefused: (.fault, "LinkedIn rejects the client ID or secret", "every sign-in fails after consent")
        case .keysUnusable:
            (.fault, "the key set of LinkedIn has no usable key", "no ID token can be verified, so every sign-in fails")
        case .keysOld:
            (.warning, "the key set comes from a cache that is over a day old", "tokens with a new key are rejected")
        case .versionOld:
            (
                .warning, "the newest LinkedIn-Version is at least nine months old",
                "LinkedIn retires a version after about a year; profiles then fail"
            )
        case .versionRejected:
            (
                .warning, "LinkedIn rejects the first LinkedIn-Version and accepts another",
                "profiles work, with the other version; each day begins with a rejected request"
            )
        case .versionRetired:
            (
                .fault, "every LinkedIn-Version is at least a year old, or LinkedIn accepts none of them",
                "LinkedIn answers 426, and profiles fail"
            )
        default: nil
        }
    }

    private var siteEntry: Entry? {
        switch self {
        case .siteUnreachable: (.fault, "the site cannot be reached", "visitors cannot reach it either")
        case .siteOtherAddress:
            (
                .fault, "the site has another address than SIGNIN_BASE_URL",
                "the browser gets a cookie for one address and comes back from LinkedIn to the other, without it"
            )
        case .siteGateway:
            (.fault, "the web server gets no answer from the program", "nobody can sign in, and guards reject everyone")
        case .siteRouteMissing:
            (.fault, "the web server does not pass a path to the program", "sign-ins cannot begin or end")
        case .siteOtherProgram:
            (.fault, "the web server passes the path to a program with other settings", "sign-ins lead to another site")
        case .cookieLost:
            (.fault, "a cookie does not arrive", "every sign-in ends with a page about the sign-in cookie")
        case .cookieChanged:
            (.fault, "the attributes of a cookie are changed on the way", "browsers drop or expose the cookie")
        case .queryLost: (.fault, "the query does not arrive", "the callback of LinkedIn cannot be understood")
        case .bodyLost: (.fault, "the body of a POST request does not arrive", "forms are lost")
        case .buffersSmall:
            (.fault, "the web server does not accept a long header", "sign-ins from long addresses end with 502 or 414")
        case .parametersMissing:
            (.fault, "FastCGI parameters are missing or wrong", "the program cannot know what the client asked for")
        case .parametersDuplicate:
            (.warning, "a FastCGI parameter arrives more than once", "programs differ in which of two values they use")
        case .addressShared:
            (
                .warning, "all requests seem to come from one address, that of a proxy",
                "all visitors share one limit, and the log shows the proxy's address"
            )
        default: nil
        }
    }

    private var guardEntry: Entry? {
        switch self {
        case .guardMissing: (.fault, "a location answers without a session", "everyone can read it")
        case .guardBypassed:
            (
                .fault, "another spelling of a guarded path answers without a session",
                "everyone can read it with that spelling"
            )
        case .guardFailing:
            (.fault, "a guard rejects a visitor instead of asking to sign in", "nobody gets in")
        case .identityAccepted:
            (
                .warning, "the site accepts X-Auth-… headers from clients",
                "an application that reads them where no guard replaces them accepts any identity that a client names"
            )
        default: nil
        }
    }

    private var programEntry: Entry? {
        switch self {
        case .socketMissing: (.fault, "there is no socket", "the web server answers 500, 502 or 503")
        case .socketSilent: (.fault, "no process listens at the socket", "the web server answers 500, 502 or 503")
        case .socketDenied:
            (.fault, "the web server's user cannot connect to the socket", "the web server answers 500, 502 or 503")
        case .socketOpen:
            (
                .warning, "every user of this machine can connect to the socket",
                "a local user can pretend to be the web server, also about the address of a visitor"
            )
        case .userNotAllowed:
            (
                .fault, "SIGNIN_ALLOWED_USERS lacks the web server's user",
                "the program closes every connection of the web server"
            )
        case .programSilent: (.fault, "the program does not answer", "visitors wait, then see 502 or 504")
        case .programUnhealthy: (.fault, "threads of the program hang", "requests wait until the web server gives up")
        case .programNotReady:
            (.fault, "the program cannot use its store or LinkedIn's keys", "nobody can sign in")
        case .programOtherSettings:
            (
                .fault, "the running program has other settings",
                "you look at the wrong site, or a change of the settings has not been loaded"
            )
        case .settingsNotLoaded:
            (
                .warning, "the running program has other values of settings",
                "a change of the settings takes effect only after a reload or a restart"
            )
        case .programReplaced:
            (
                .warning, "the running program is another file than this command",
                "an upgrade, with its corrections, takes effect only after a restart"
            )
        case .descriptorsFew:
            (.warning, "the program has almost no free file descriptors", "it soon accepts no connections")
        default: nil
        }
    }
}
