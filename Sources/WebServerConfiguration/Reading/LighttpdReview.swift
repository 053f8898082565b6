import POSIX

/// Finds unsafe guards in a configuration of lighttpd.
struct LighttpdReview {
    private let source: SourcePlace
    let root: LighttpdBlock
    let scopes: [LighttpdScope]
    let guards: [LighttpdScope]
    /// The conditions with the pages of linkedin-signin.
    let routes: [LighttpdScope]
    let sites: [LighttpdSite]
    /// The guards of hosts without the pages of linkedin-signin: an include line is missing or in the wrong block.
    private let strays: [LighttpdScope]

    init(_ text: String, source: String) {
        self.source = SourcePlace(file: source, line: 1)
        root = LighttpdParser.block(text, file: source)
        scopes = LighttpdScope.all(root)
        guards = scopes.filter { scope in scope.gateways.contains(where: \.isAuthorizer) }
        let routes = scopes.filter(\.isOfPages)
        strays = guards.filter { guarded in !routes.contains { $0.mayMeet(guarded) } }
        sites = routes.compactMap(LighttpdSite.init)
        self.routes = routes
    }

    func add(to review: inout ServerReview) {
        guard !root.settings.isEmpty else {
            return review.find(.unreadable) {
                $0.complain(
                    source,
                    "there are no settings: pass all that `lighttpd -pp` prints. It prints none if the configuration has an error: "
                        + "run lighttpd -tt -f /etc/lighttpd/lighttpd.conf as root, and correct the error that it shows"
                )
            }
        }
        var roots: Set<[String]> = []
        for guarded in guards {
            checkRule(guarded, &review)
            review.find(.bypass) { checkOrder(of: guarded, &$0) }
            review.find(.bypass) { checkErrorHandlers(around: guarded, &$0) }
            if !strays.contains(where: { $0.order == guarded.order }) {
                review.find(.bypass) { checkFolders(of: guarded, &roots, &$0) }
            }
            if let path = guarded.onlyPath {
                let prefixes = guards.filter { $0.onlyPath == nil && $0.mayMeet(guarded) }.map(\.prefix)
                review.judge(onlyPath: path, of: guarded.text, prefixes, at: guarded.place)
            }
            checkProgram(of: guarded, &review)
            review.find(.identity) { checkIdentities(around: guarded, &$0) }
        }
        review.find(.bypass) { checkWays(&$0) }
        checkRewrites(&review)
        review.find(.bypass) { checkIndexes(&$0) }
        review.find(.bypass) { checkNames(&$0) }
        checkVariables(&review)
        checkFields(&review)
        checkRoot(&review)
        checkLetters(&review)
        checkConnections(&review)
        for site in sites {
            site.checkHost(&review)
            site.checkAnswers(among: scopes, guards: guards, &review)
            review.find(.bypass) { site.checkGuards(among: guards, strays: strays, &$0) }
        }
        for pages in routes { review.find(.log) { checkLogs(pages, &$0) } }
        let used = (routes + guards).flatMap { scope in scope.addresses.map { ($0, scope.place) } }
        // The files of an earlier version do not say of which site they are.
        let known = sites.count == routes.count ? sites.map(\.included) : []
        review.find(.program) {
            $0.judge(programs: Dictionary(used) { first, _ in first }, sites: known, at: source)
        }
        let (user, group) = (root.setting("server.username"), root.setting("server.groupname")?.value.text)
        review.find(.program) {
            $0.judge(user: user?.value.text, group: group, of: used.map(\.0), at: user?.place ?? source)
        }
        if let front = review.printed { checkPrinted(front, &review) }
        guard !used.isEmpty else {
            return review.complain(
                source,
                "no site of this lighttpd uses linkedin-signin, so nothing is guarded. Add the include lines that print-config "
                    + "lighttpd --write --lines prints to the $HTTP[\"host\"] block of the site"
            )
        }
        guard !guards.isEmpty else {
            guard review.problems.isEmpty else { return }
            return review.note(source, "no condition asks linkedin-signin, so nothing is guarded")
        }
        guard !checkGlobalFile(&review) else { return }
        review.find(.bypass) { checkParsing(&$0) }
        checkModules(&review)
    }

    /// The identifier of the site of a guard; nil if it is not known, or if several sites have the same host.
    private func site(of guarded: LighttpdScope) -> String? {
        let names = Set(sites.filter { $0.pages.mayMeet(guarded) }.map(\.name.identifier))
        return names.count == 1 ? names.first : nil
    }

    private func checkRule(_ guarded: LighttpdScope, _ review: inout ServerReview) {
        review.judge(
            rule: guarded.rule,
            with: review.settings(for: site(of: guarded), at: guarded.asked),
            at: guarded.place,
            missing: "\(guarded.text) is guarded without a rule, so the guard rejects everybody. A condition with a "
                + "setenv.add-environment of its own does not inherit the rule: add SIGNIN_REQUIRE to it"
        )
    }

    /// Finds later lists that lighttpd uses in place of those of guards, for all requests to which both apply.
    private func checkWays(_ review: inout ServerReview) {
        let pages = Set(routes.map(\.place))
        // A condition that asks the program itself, such as that of /healthz, opens nothing.
        let own = Set(routes.flatMap(\.addresses))
        for other in scopes {
            let later = guards.filter {
                other.order > $0.order && other.mayMeet($0) && other.mayHold(below: $0.prefix)
            }
            checkEnvironment(of: other, behind: later, &review)
            let hosts = other.gateways
            guard let setting = other.block.setting("fastcgi.server"), !hosts.contains(where: \.isAuthorizer),
                !pages.contains(other.place)
            else { continue }
            let replaced = later.filter { guarded in
                hosts.isEmpty || !own.union(guarded.asked).isSuperset(of: other.addresses)
            }
            guard !replaced.isEmpty else { continue }
            let remedy =
                hosts.isEmpty
                ? "Remove this line, or guard this path with the rule anyone"
                : "Move the application into the fastcgi.server of the guard"
            review.complain(
                setting.place,
                "the \(hosts.isEmpty ? "empty " : "")fastcgi.server of \(other.text) \(hosts.isEmpty ? "removes" : "replaces") the "
                    + "guard of \(replaced.names) if both apply, because lighttpd uses the last one. \(remedy)"
            )
        }
    }

    /// Finds a list of variables that lighttpd uses in place of that of a guard, without the rule or with another one.
    private func checkEnvironment(of other: LighttpdScope, behind guards: [LighttpdScope], _ review: inout ServerReview)
    {
        guard other.gateways.isEmpty, let setting = other.block.setting("setenv.add-environment") else { return }
        let replaced = guards.filter { setting.value["SIGNIN_REQUIRE"]?.text != $0.rule }
        guard !replaced.isEmpty else { return }
        review.complain(
            setting.place,
            "the setenv.add-environment of \(other.text) replaces that of the guard of \(replaced.names), and with it the rule, if "
                + "both apply. Move the variables into the setenv.add-environment of the guard"
        )
    }

    /// Finds paths in lower case: lighttpd converts a path only after it has compared it with the condition of a guard.
    private func checkNames(_ review: inout ServerReview) {
        for (scope, setting) in scopes.having("server.force-lowercase-filenames") {
            guard setting.value.text == "enable", let guarded = guards.first(where: scope.mayApply) else { continue }
            review.complain(
                setting.place,
                "server.force-lowercase-filenames lets a path with capital letters reach the files of the guarded "
                    + "\(guarded.text) without the guard, because lighttpd compares the path with the condition before it "
                    + "converts the path to lower case. Remove this line"
            )
        }
    }

    /// Finds variables of linkedin-signin in a list that lighttpd applies after that of the guard, wherever the list is.
    private func checkVariables(_ review: inout ServerReview) {
        for (scope, setting) in scopes.having("setenv.set-environment") {
            for name in setting.value.members.compactMap(\.key) where name.hasPrefix("SIGNIN_") {
                let replaced = guards.first { guarded in
                    let own = guarded.effective("setenv.add-environment")?.value
                    return own != nil && own?[name] != setting.value[name] && scope.mayApply(with: guarded)
                        && scope.mayHold(below: guarded.prefix)
                }
                guard let replaced else { continue }
                review.complain(
                    setting.place,
                    "setenv.set-environment of \(scope.text) sets \(name) to “\(setting.value[name]?.text ?? "")” for linkedin-signin "
                        + "too, in place of the value of the guard of \(replaced.text) (\(replaced.place)). Remove \(name) from "
                        + "this line"
                )
            }
        }
    }

    /// Finds a root directory without the sockets of linkedin-signin, to which lighttpd then cannot connect.
    private func checkRoot(_ review: inout ServerReview) {
        guard let setting = root.setting("server.chroot"), let directory = setting.value.text, !directory.isEmpty,
            let socket = (routes + guards).flatMap(\.addresses).first(where: { $0.hasPrefix("/") }),
            (try? FileStatus(path: directory + socket)) == nil
        else { return }
        review.complain(
            setting.place,
            "server.chroot makes lighttpd look for \(socket), the socket of linkedin-signin, at \(directory + socket), which does not "
                + "exist, and for each document root in \(directory). Remove this line"
        )
    }

    /// Finds blocks of linkedin-signin for hosts with capital letters.
    private func checkLetters(_ review: inout ServerReview) {
        for block in (routes + guards).flatMap(\.chain) {
            guard let condition = block.condition, condition.isHost, ["==", "=^", "=$"].contains(condition.comparison),
                condition.value != condition.value.lowercased()
            else { continue }
            review.complain(
                block.place,
                "\(condition.text) with files of linkedin-signin never holds, because lighttpd compares the host of each request in "
                    + "lower case, so nobody can sign in there, and the guards in this block do not guard. Write "
                    + "\"\(condition.value.lowercased())\" there"
            )
        }
    }

    private func checkProgram(of guarded: LighttpdScope, _ review: inout ServerReview) {
        let near = routes.filter { $0.mayMeet(guarded) }
        guard !near.isEmpty else {
            let alone = strays.filter { $0.hosts == guarded.hosts }
            guard alone.first?.order == guarded.order else { return }
            let names = alone.map(\.text).joined(separator: ", ")
            let site = sites.first { $0.lacks(guarded, among: guards) }
            let remedy = site.map {
                "Move the include lines of these guards into the block of \($0.address), before its -site.conf file "
                    + "(\($0.pages.place))"
            }
            return review.complain(
                guarded.place,
                "\(names) \(alone.count == 1 ? "is" : "are") guarded, but no condition has the pages for signing in, such as "
                    + "/oauth. \(remedy ?? "Include the -site.conf file of print-config lighttpd --write")"
            )
        }
        let own = Set(near.flatMap(\.addresses))
        guard own.isDisjoint(with: guarded.asked) else { return }
        let wrong = guards.filter { $0.hosts == guarded.hosts && $0.asked == guarded.asked }
        guard wrong.first?.order == guarded.order else { return }
        let site = sites.first { $0.pages.mayMeet(guarded) }?.included
        let command = site.map { ". Print its files again: \(review.command(for: $0))" } ?? ""
        let names = wrong.map(\.text).joined(separator: ", ") + (wrong.count == 1 ? " asks" : " ask")
        review.complain(
            guarded.place,
            "\(names) \(guarded.asked.sorted().joined(separator: " ")), but visitors of this site sign in at "
                + "\(own.sorted().joined(separator: " ")). The guard of a site must ask the program of the same site"
                + command
        )
    }

    private func checkIdentities(around guarded: LighttpdScope, _ review: inout ServerReview) {
        // Without the pages of the site, its whole file is missing.
        guard routes.contains(where: { $0.mayMeet(guarded) }) else { return }
        let refused = ["url.access-allow", "url.access-deny"].flatMap { scopes.having($0) }.map(\.scope)
        let conditions = refused.filter { $0.mayMeet(guarded) }.compactMap(\.block.condition)
        let names = Set(conditions.filter { $0.variable == "REQUEST_HEADER" }.map { $0.key.lowercased() })
        let missing = review.identities.map(\.header).filter { !names.contains($0.lowercased()) }
        guard !missing.isEmpty else { return }
        review.complain(
            guarded.place,
            "\(missing.joined(separator: ", ")) from clients are not rejected, so an application could accept a forged "
                + "identity. Include the -site.conf file of print-config lighttpd --write"
        )
    }

    /// Finds the loss of the include file for the top level or of its line, which would be several findings, and returns whether
    /// there is such a finding.
    private func checkGlobalFile(_ review: inout ServerReview) -> Bool {
        let missing = missingModules.map(\.name)
        guard missing.count > (acceptsDotSegments ? 0 : 1), let site = sites.first, let file = site.globalFile else {
            return false
        }
        let parsing = acceptsDotSegments ? ", and server.http-parseopts accepts paths with dot segments" : ""
        review.complain(
            root.setting("server.modules")?.place ?? source,
            "lighttpd does not include \(file) at the top level, or this file was changed: server.modules lacks "
                + "\(missing.joined(separator: ", "))\(parsing), so everyone may be able to open the guarded paths. If this file "
                + "is lost or was changed, print it again: \(review.command(for: site.included))"
        )
        return true
    }

    private var acceptsDotSegments: Bool {
        root.setting("server.http-parseopts")?.value["url-path-dotseg-reject"]?.text != "enable"
    }

    private func checkParsing(_ review: inout ServerReview) {
        let options = root.setting("server.http-parseopts")
        let place = options?.place ?? source
        if acceptsDotSegments {
            review.complain(
                place,
                "server.http-parseopts accepts paths with dot segments, which an application may read as another path than "
                    + "lighttpd does. Set \"url-path-dotseg-reject\" => \"enable\" and \"url-path-dotseg-remove\" => \"disable\""
            )
        }
        guard options?.value["url-normalize-required"]?.text == "enable" else { return }
        review.complain(
            place,
            "server.http-parseopts enables url-normalize-required, so lighttpd before 1.4.85 splits a URL at its last ? into "
                + "path and query, and an application at its first. Set \"url-normalize-required\" => \"disable\""
        )
    }
}

extension LighttpdReview {
    private func checkLogs(_ routes: LighttpdScope, _ review: inout ServerReview) {
        let alone = scopes.filter { scope in
            guard scope.mayMeet(routes), let condition = scope.block.condition, condition.isURL else { return false }
            return condition.comparison == "=="
                ? condition.value.hasSuffix("/oauth")
                : condition.comparison == "=~" && condition.value.contains("/oauth(?:/")
                    && condition.value.hasSuffix(")?\\z")
        }
        let places = alone + [routes]
        if places.lazy.compactMap({ $0.block.setting("server.errorlog") }).first?.value.text != "/dev/null" {
            review.complain(
                routes.place,
                "the error log contains the query of the callback, and so authorization codes, while linkedin-signin is down. "
                    + "Include the file that print-config writes for the site"
            )
        }
        let formats = places.lazy.compactMap { $0.block.setting("accesslog.format") }.first
        let format = formats ?? routes.effective("accesslog.format")
        let isWritten = ["accesslog.filename", "accesslog.use-syslog"].contains { !scopes.having($0).isEmpty }
        guard isWritten, format.map({ Self.holdsQuery($0.value.text ?? "") }) ?? true else { return }
        review.complain(
            format?.place ?? routes.place,
            "the access log contains the query of the callback, and so authorization codes. Include the -site.conf file of "
                + "print-config lighttpd --write, or write %m %U %H instead of %r"
        )
    }

    /// `%r` is the request line and `%q` the query.
    private static func holdsQuery(_ format: String) -> Bool {
        format.split(separator: "%", omittingEmptySubsequences: false).dropFirst().contains { part in
            let sign = part.drop { "<>".contains($0) }.first
            return sign == "r" || sign == "q"
        }
    }
}
