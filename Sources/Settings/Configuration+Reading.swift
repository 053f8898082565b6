import EventLog
import OpenID

extension Configuration {
    /// Reads and validates every setting.
    ///
    /// - Throws: `ConfigurationError` with all problems.
    package init(_ sources: SettingSources) throws(ConfigurationError) {
        var reader = SettingsReader(sources)
        let mount = reader.mount()
        let product = reader.product()
        let endpoints = LinkedInEndpoints(&reader, product: product)
        credentials = ClientCredentials(
            identifier: reader.required(.clientID),
            secret: reader.required(.clientSecret)
        )
        provider = endpoints.provider
        profile = endpoints.profile
        pages = PageSettings(&reader, mount: mount)
        sessionLifetime = reader.seconds(.sessionLifetime, in: 60...31_536_000)
        requiresLiveToken = reader.isOn(.requireLiveToken)
        acceptsTokens = reader.isOn(.tokenSessions)
        if acceptsTokens, provider.introspectionEndpoint == nil {
            reader.complain(
                .tokenSessions,
                "accepts no token without \(Setting.introspectionEndpoint.name), which must be set for another provider than "
                    + "LinkedIn: set it, or remove \(Setting.tokenSessions.name)"
            )
        }
        personalTokenLife = reader.personalTokenLife()
        profileCache = reader.seconds(.profileCache, in: 0...86_400)
        listening = reader.listening()
        storing = reader.storing()
        keeping = reader.keeping(maxBody: listening.maxBody)
        calling = reader.calling()
        logging = reader.logging()
        logsEmail = reader.isOn(.logEmail)
        texts = sources.compared
        site = sources.site
        needingRestart = Set(Setting.all.filter(sources.needsRestart).map(\.name))
        if reader.isSet(.idleLimit), storing.idleLimit > sessionLifetime {
            reader.complain(
                .idleLimit,
                "is longer than \(Setting.sessionLifetime.name), so it never ends a session: make it shorter, or remove it"
            )
        }
        let problems = sources.problems + sources.mistakes + reader.problems
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }
}

extension SettingsReader {
    /// The longest life of a personal token in seconds; nil if there are none.
    package mutating func personalTokenLife() -> Int? {
        guard text(.personalTokens) != "off" else { return nil }
        let life = seconds(.personalTokens, in: 86_400...31_536_000)
        if isOn(.requireLiveToken) {
            complain(
                .personalTokens,
                "has no effect with \(Setting.requireLiveToken.name)=yes, which accepts only sessions: remove one of them"
            )
        }
        return life
    }

    func optional(_ setting: Setting) -> String? {
        let text = text(setting)
        return text.isEmpty ? nil : text
    }

    package mutating func mount() -> Mount {
        let text = required(.baseURL)
        guard !text.isEmpty else { return .placeholder }
        guard let url = WebURL(text), url.isSecure || url.isLoopback else {
            complain(
                .baseURL,
                "“\(text)” is not an https URL without query (http is accepted for loopback only)"
                    + (text.allSatisfy(\.isASCII) ? "" : "; write a host name with other letters in its xn-- form")
            )
            return .placeholder
        }
        guard PlainPath.isPlainOrEmpty(url.path) else {
            complain(
                .baseURL,
                "“\(text)” has a path with characters other than letters, digits, - . _ ~ and single slashes"
            )
            return .placeholder
        }
        let mount = Mount(url)
        if mount.prefix.hasSuffix("/oauth") {
            let base = mount.origin + mount.prefix.dropLast("/oauth".utf8.count)
            complain(
                .baseURL,
                "“\(text)” ends in /oauth, which is added to it: write \(base), so that \(base)/oauth is the redirect URL"
            )
        }
        return mount
    }

    /// Returns the address of the site, for a command that can do without; nil if it is not set.
    mutating func optionalBaseURL() -> String? {
        isSet(.baseURL) ? mount().baseURL : nil
    }

    /// Returns the page that a setting names by a path or a URL; nil if it is not set.
    mutating func place(_ setting: Setting, _ mount: Mount) -> Place? {
        guard let text = optional(setting) else { return nil }
        let place = Place(text, mount: mount)
        if place == nil {
            complain(
                setting,
                "“\(text)” is not a path such as /members/ or an https URL (http: loopback only, no query); /login, /oauth and /logout cannot be used"
            )
        }
        return place
    }

    /// Returns the site's name, by default the host; the pages have room for 100 characters.
    mutating func siteName(_ mount: Mount) -> String {
        guard let name = optional(.siteName) else { return WebURL(mount.origin)?.host ?? mount.origin }
        if name.count > 100 || name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            complain(.siteName, "is longer than 100 characters or contains a control character")
        }
        return name
    }

    fileprivate mutating func product() -> LinkedInProduct {
        let product = choice(.product, fallback: LinkedInProduct.openid)
        guard product.rawValue == text(.product) else { return product }
        for setting in product.unusedSettings where isSet(setting) {
            complain(
                setting,
                "has no effect with \(Setting.product.name)=\(product.rawValue): remove it, or change the product"
            )
        }
        return product
    }

    mutating func absolutePath(_ setting: Setting) -> String {
        let text = text(setting)
        if !text.hasPrefix("/") { complain(setting, "“\(text)” is not an absolute path") }
        return text
    }

    /// Returns the file or directory that a setting names; nil if it is not set.
    ///
    /// A relative path would name another file for the service than for the commands of an operator.
    mutating func optionalPath(_ setting: Setting) -> String? {
        guard isSet(setting) else { return nil }
        let path = absolutePath(setting)
        return path.hasPrefix("/") ? path : nil
    }

    mutating func pictureSources() -> PictureSources {
        do {
            return try PictureSources(alsoFrom: list(.pictureOrigins))
        } catch {
            complain(.pictureOrigins, "\(error)")
            return .linkedIn
        }
    }

    package mutating func listening() -> Configuration.Listening {
        let address = ListenAddress(text(.listen))
        if address == nil {
            let text = text(.listen)
            complain(.listen, "“\(text)” is not one of unix:/PATH (at most 103 bytes), tcp:127.0.0.1:PORT, inherited")
        }
        return Configuration.Listening(
            listen: address ?? .automatic,
            socketMode: octal(.socketMode, in: 0o600...0o777),
            socketGroup: optional(.socketGroup),
            allowedUsers: list(.allowedUsers),
            admin: admin(beside: address),
            workers: count(.workers, in: 0...256),
            requestTimeout: seconds(.requestTimeout, in: 1...300),
            stopGrace: seconds(.stopGrace, in: 0...300),
            maxParameters: bytes(.maxParameters, in: 4096...16_777_216),
            maxBody: bytes(.maxBody, in: 1024...104_857_600)
        )
    }

    fileprivate mutating func logging() -> LogOptions {
        LogOptions(
            least: choice(.logLevel, fallback: LogLevel.info),
            format: choice(.logFormat, fallback: LogFormat.logfmt),
            writesRepeats: isOn(.logRepeats)
        )
    }

    private mutating func admin(beside listen: ListenAddress?) -> ListenAddress? {
        guard let text = optional(.adminListen) else { return nil }
        switch ListenAddress(text) {
        case let address? where address == listen:
            complain(.adminListen, "is the same address as \(Setting.listen.name)")
            return nil
        case .unix(let path): return .unix(path: path)
        case .loopback(let host, let port): return .loopback(host: host, port: port)
        default:
            complain(.adminListen, "“\(text)” is not one of unix:/PATH (at most 103 bytes), tcp:127.0.0.1:PORT")
            return nil
        }
    }

    /// Seconds without requests after which a session ends.
    package mutating func idleLimit() -> Int { seconds(.idleLimit, in: 60...31_536_000) }

    mutating func storing() -> Configuration.Storing {
        Configuration.Storing(
            directory: absolutePath(.stateDirectory),
            database: database(),
            cache: seconds(.storeCache, in: 0...5),
            remembered: count(.rememberedSessions, in: 0...1_000_000),
            idleLimit: idleLimit(),
            spentStates: count(.spentStates, in: 100...10_000_000)
        )
    }

    mutating func keeping(maxBody: Int) -> Configuration.Keeping {
        let keeping = Configuration.Keeping(
            bodyLimit: bytes(.keptBody, in: 0...104_857_600),
            total: bytes(.keptTotal, in: 65_536...1_099_511_627_776)
        )
        // If another setting is wrong, the comparison with it would report a second, misleading problem.
        guard !problems.contains(where: { [Setting.maxBody.name, Setting.keptTotal.name].contains($0.subject) }) else {
            return keeping
        }
        if keeping.bodyLimit > maxBody { complain(.keptBody, "is more than \(Setting.maxBody.name)") }
        if keeping.bodyLimit > keeping.total { complain(.keptBody, "is more than \(Setting.keptTotal.name)") }
        return keeping
    }

    package mutating func calling() -> Configuration.Calling {
        let calling = Configuration.Calling(
            connectTimeout: seconds(.connectTimeout, in: 1...60),
            totalTimeout: seconds(.totalTimeout, in: 1...120),
            concurrentCalls: count(.upstreamCalls, in: 1...1024),
            caFile: optionalPath(.caFile),
            extraCAFile: optionalPath(.extraCAFile)
        )
        for (setting, file) in [(Setting.caFile, calling.caFile), (.extraCAFile, calling.extraCAFile)] {
            guard let file, !AuthorityFile.holdsCertificate(file) else { continue }
            complain(setting, "“\(file)” cannot be read, or contains no PEM certificate")
        }
        if calling.connectTimeout > calling.totalTimeout {
            complain(.connectTimeout, "is longer than \(Setting.totalTimeout.name)")
        }
        return calling
    }
}
