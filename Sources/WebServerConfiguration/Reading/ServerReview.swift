import Encoding
import Guard
import POSIX
package import Settings

/// The findings of `check` about the configuration of a web server.
package struct ServerReview: Sendable {
    /// What a problem is about, for scripts.
    package enum Kind: Sendable {
        case rule, bypass, identity, log, program, unreadable, other
    }

    /// Faults that make a guard, a log or an identity unsafe.
    package private(set) var faults: [(kind: Kind, problem: ConfigurationError.Problem)] = []
    package var problems: [ConfigurationError.Problem] { faults.map(\.problem) }
    /// The kind of the problems that the current check finds.
    private var kind = Kind.other
    /// Lines that keep some visitors from signing in, or admit some without it; an operator may intend this.
    package private(set) var warnings: [ConfigurationError.Problem] = []
    /// Facts that may be intended, but that an operator must know.
    package private(set) var notes: [ConfigurationError.Problem] = []

    /// Whether the site of the settings includes the files of another site, so that none of its own are used.
    private var isOwnReplaced = false

    let server: WebServer
    let settings: RuleSettings
    /// What print-config prints for the settings; nil if they are not known or wrong.
    let printed: FrontEnd?
    /// The options that name the settings, in front of a space.
    let options: String
    /// Whether a path is on a file system in memory.
    let isInMemory: @Sendable (String) -> Bool

    /// - Parameters:
    ///   - text: The output of `nginx -T` or `lighttpd -pp`. Unknown directives are ignored.
    ///   - source: The file with the output, for lines without a file name of their own.
    ///   - server: The web server.
    ///   - settings: The settings for which rules and guards are reviewed.
    ///   - printed: What print-config prints for the settings; nil if they are not known or wrong.
    ///   - options: The options that name the settings, in front of a space, for commands in messages.
    ///   - isInMemory: Whether a path is on a file system in memory.
    package init(
        _ text: String,
        from source: String,
        of server: WebServer,
        settings: RuleSettings = RuleSettings(),
        printed: FrontEnd? = nil,
        options: String = "",
        isInMemory: @escaping @Sendable (String) -> Bool = { MemoryFileSystem.contains($0) }
    ) {
        (self.server, self.settings) = (server, settings)
        (self.printed, self.options) = (printed, options)
        self.isInMemory = isInMemory
        switch server {
        case .nginx: NginxReview(text, source: source).add(to: &self)
        case .lighttpd: LighttpdReview(text, source: source).add(to: &self)
        }
    }

    /// Adds a problem: what is wrong, why it matters, and what to change.
    mutating func complain(_ place: SourcePlace, _ message: String) { add(Advice(message), at: place) }

    private mutating func add(_ advice: Advice, at place: SourcePlace) {
        let problem = ConfigurationError.Problem(subject: place.description, advice)
        if !problems.contains(problem) { faults.append((kind, problem)) }
    }

    /// Lets a check find problems of one kind.
    mutating func find(_ kind: Kind, _ check: (inout ServerReview) -> Void) {
        let outer = self.kind
        self.kind = kind
        check(&self)
        self.kind = outer
    }

    /// Complains, or only warns if an operator may intend what the message is about.
    mutating func complain(_ place: SourcePlace, _ message: String, isCertain: Bool) {
        if isCertain { complain(place, message) } else { warn(place, message) }
    }

    mutating func warn(_ place: SourcePlace, _ message: String) { Self.add(Advice(message), at: place, to: &warnings) }

    mutating func note(_ place: SourcePlace, _ message: String) { Self.add(Advice(message), at: place, to: &notes) }

    private static func add(_ advice: Advice, at place: SourcePlace, to all: inout [ConfigurationError.Problem]) {
        let finding = ConfigurationError.Problem(subject: place.description, advice)
        if !all.contains(finding) { all.append(finding) }
    }

    /// Complains about files of another site that the site of some hosts includes.
    mutating func complain(ofFilesAt hosts: [String], _ place: SourcePlace, _ message: String) {
        isOwnReplaced =
            isOwnReplaced || (settings.mount.flatMap { WebURL($0.origin) }?.host).map(hosts.contains) ?? false
        complain(place, message)
    }

    /// Complains about files that were printed with other settings.
    mutating func lacks(_ missing: [String], of site: IncludedSite, at place: SourcePlace) {
        complain(
            place,
            "the included files of \(site.fileName) lack what print-config prints for these settings: "
                + "\(missing.joined(separator: "; ")). They were printed with other settings or by another version. Print them "
                + "again: \(command(for: site))"
        )
    }

    /// Complains about programs of sites that this machine does not have, and if no site uses the program of the settings.
    ///
    /// Guards and locations for signing in lead to the programs. The sites are those whose files are included, if known.
    mutating func judge(programs: [String: SourcePlace], sites: [IncludedSite], at place: SourcePlace) {
        let sorted = programs.sorted { $0.key < $1.key }
        for (program, place) in sorted { judge(program: Self.path(program), at: place) }
        let unit = WebServerUnit(server.rawValue)
        // With the addresses of several sites, the line is the same.
        if let found = programs.keys.map(Self.path).sorted().lazy.compactMap({ unit?.obstacle(to: $0) }).first {
            warnings.append(found)
        }
        let isUsed = isListening(at: Set(programs.keys))
        guard !isOwnReplaced else { return }
        // Without an option, the settings may be those of a program that this web server does not use.
        let site = sites.first { $0.identifier == name?.identifier }
        guard !programs.isEmpty, !options.isEmpty || site != nil || address != nil && isUsed else { return }
        guard let address, !isUsed else {
            let own = sorted.first { isListening(at: [$0.key]) }
            return judge(sites: sites, at: own?.value ?? place)
        }
        let paths = programs.keys.map(Self.path).sorted()
        complain(
            place,
            "no guard and no location for signing in leads to the program of these settings, which listens at \(address). "
                + "They lead to \(paths.joined(separator: ", ")). If SIGNIN_LISTEN is right, print the files of this "
                + "site again: \(site.map { command(for: $0) } ?? command)"
        )
    }

    /// Complains about the user of the web server if the program of the settings does not let this user connect.
    mutating func judge(user: String?, group: String?, of programs: [String], at place: SourcePlace) {
        guard let user else { return }
        let (paths, service) = (programs.map(Self.path), settings.service)
        let leads: (String?) -> Bool = { $0.map(paths.contains) ?? false }
        if leads(service?.socket), let service, let message = service.messageAboutWebUser(user, group: group) {
            // The settings part of `check` has the same finding.
            complain(place, service.closedSocket.first?.message ?? message)
        }
        if leads(address) || leads(service?.socket), let message = settings.messageAboutRefused(user: user) {
            complain(place, message)
        }
    }

    /// A site that was removed or renamed leaves the web server without a program.
    private mutating func judge(program socket: String, at place: SourcePlace) {
        guard let site = InstalledSite(socket: socket), SiteService(site).socket == socket, site.isMissing else {
            return
        }
        complain(
            place,
            "the guards or the pages for signing in lead to \(socket), the socket of \(site.service), and this machine has no "
                + "\(site.settingsFile). If you removed the site, remove the lines that include its files; if you renamed it, "
                + "run print-config \(server.rawValue) again with --site and the new name"
        )
    }

    private mutating func judge(sites: [IncludedSite], at place: SourcePlace) {
        guard let name, !sites.isEmpty, !sites.contains(where: { $0.identifier == name.identifier }) else { return }
        if let other = sites.first(where: { $0.installed != nil }) {
            return complain(
                place,
                "the included files of \(other.fileName) lead to the program of \(name.fileName). Print the files of "
                    + "\(other.fileName) again: \(command(for: other))"
            )
        }
        let names = Set(sites.map(\.fileName)).sorted().joined(separator: ", ")
        complain(
            place,
            "no site includes the files of \(name.fileName), the site of these settings. The included files are those of "
                + "\(names). Correct SIGNIN_BASE_URL; or, if it is right, print the files again and replace the include lines: "
                + command
        )
    }

    /// The command that prints the files of the site of the settings if this web server includes none of them.
    private var command: String {
        "linkedin-signin print-config \(server.rawValue)\(options) --write, with a --location and a --require for each guard"
    }

    /// Complains about a printed guard that the web server does not use; the remedy is a sentence.
    mutating func misses(
        _ guarded: GuardedLocation,
        of site: IncludedSite,
        in file: String?,
        at place: SourcePlace,
        remedy: String
    ) {
        let remedy = file.flatMap { repair($0, of: site) } ?? remedy
        complain(
            place,
            "no guard of this site has the rule “\(guarded.rule)” that was printed for \(guarded.path), so everyone may be "
                + "able to open \(guarded.path). \(remedy). If everyone may open it, run instead: "
                + command(for: site, without: guarded)
        )
    }

    /// What to do about the include file of a guard that an operator emptied; nil for any other file.
    private func repair(_ file: String, of site: IncludedSite) -> String? {
        // Every guard file of print-config contains this word.
        let word = server == .nginx ? "auth_request" : "authorizer"
        guard let text = (try? OperatorFile(file))?.text, !text.contains(word) else { return nil }
        // print-config replaces only empty files and its own.
        let isEmpty = text.allSatisfy(\.isWhitespace)
        let isOwn = isEmpty || text.hasPrefix(IncludeFiles.mark(server: server, site: ""))
        let removal = isOwn ? "" : "rm \(ShellWord.quoted(file)) && "
        let fault = isEmpty ? "is empty" : "was changed, and has no guard"
        return "\(file) \(fault). Print it again (\(removal)\(command(for: site)))"
    }

    /// Checks the rule of a guard with the settings of its site, or complains with a message if the rule is missing.
    mutating func judge(rule: String?, with settings: RuleSettings, at place: SourcePlace, missing: String) {
        guard let rule, !rule.allSatisfy(\.isWhitespace) else { return find(.rule) { $0.complain(place, missing) } }
        let review = RuleReview(of: rule, settings: settings)
        for problem in review.problems {
            let (advice, what) = (problem.advice, "\(problem.subject): \(problem.advice.what)")
            let message = Advice(what, advice.remedy, restarts: advice.restarts, denial: advice.denial)
            find(.rule) { $0.add(message, at: place) }
        }
        for text in review.notes { note(place, text) }
    }

    /// Notes that a guard for only one path leaves open what is below this path, unless another guard has a prefix of it.
    mutating func judge(onlyPath path: String, of text: String, _ prefixes: [String], at place: SourcePlace) {
        let below = GuardedLocation(path: path, rule: "").prefix
        // The address of a file has nothing below it.
        guard path.split(separator: "/").last?.contains(".") != true, !prefixes.contains(where: below.hasPrefix) else {
            return
        }
        let line = server == .nginx ? "location ^~ \(below)" : "=^ \"\(below)\""
        note(
            place,
            "\(text) guards only this address: paths below \(below) are not guarded. To guard these paths too, write \(line)"
        )
    }
}

extension ServerReview {
    /// The settings for a guard of a site, if the configuration names it: other sites may have another product, and other limits.
    func settings(for site: String?, at programs: Set<String>) -> RuleSettings {
        var isOwn = isListening(at: programs)
        if let site, let name { isOwn = site == name.identifier }
        return isOwn ? settings : settings.ofOtherSites
    }

    /// What applications of the site learn about members.
    var identities: [IdentityField] {
        IdentityField.all(claims: settings.applicationClaims, alwaysGroups: false)
    }

    /// The name of the site of the settings.
    var name: SiteName? {
        guard let mount = settings.mount, let origin = WebURL(mount.origin) else { return nil }
        return SiteName(origin, mount)
    }

    /// The address in the settings; nil if it is not known.
    private var address: String? {
        switch settings.listen {
        case .unix(let socket): socket
        case .loopback(let host, let port): "\(host):\(port)"
        // systemd can pass any socket to a program without an address of its own.
        case .automatic, .inherited, nil: nil
        }
    }

    /// Whether the program of the settings may be at one of the addresses.
    private func isListening(at programs: Set<String>) -> Bool {
        switch settings.listen {
        case .unix(let socket): programs.contains { Self.path($0) == socket }
        case .loopback(_, let port): programs.contains { Self.path($0).hasSuffix(":\(port)") }
        case .automatic, .inherited, nil: true
        }
    }

    private static func path(_ program: String) -> String {
        let path = program.hasPrefix("unix:") ? program.dropFirst("unix:".count) : program[...]
        return String(path.hasSuffix(":") ? path.dropLast() : path)
    }
}
