extension Setting {
    /// All settings, in the order of the documentation.
    package static let all: [Setting] = groups.flatMap(\.settings)

    /// The settings by subject, with a title for each group.
    package static let groups: [(title: String, settings: [Setting])] = [
        ("LinkedIn", [clientID, clientSecret, clientSecretFile, product, linkedInVersion]),
        (
            "The site",
            [
                baseURL, siteName, home, afterSignOut, accentColor, logo, providerLogo, templates, pictureOrigins,
                contact,
            ]
        ),
        (
            "The FastCGI socket and its limits",
            [listen, socketMode, socketGroup, allowedUsers, workers, requestTimeout, stopGrace, maxParameters, maxBody]
        ),
        (
            "Sessions",
            [
                stateDirectory, store, storePassword, storePasswordFile, storeKey, storeKeyFile, storeCache,
                rememberedSessions, sessionLifetime, idleLimit, requireLiveToken, profileCache, spentStates,
                tokenSessions, personalTokens,
            ]
        ),
        ("Forms sent without a session", [keptBody, keptTotal]),
        ("Calls to LinkedIn", [connectTimeout, totalTimeout, upstreamCalls, caFile, extraCAFile]),
        (
            "Another provider",
            [
                authorizationEndpoint, tokenEndpoint, userinfoEndpoint, introspectionEndpoint, jwksURI, profileEndpoint,
                revocationEndpoint, issuers, scopes,
            ]
        ),
        ("Monitoring", [adminListen]),
        ("The log", [logLevel, logFormat, logRepeats, logEmail]),
    ]
}
