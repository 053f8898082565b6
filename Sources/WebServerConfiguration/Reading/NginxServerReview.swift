import Guard
import Settings

/// Finds unsafe guards in one `server` of nginx.
struct NginxServerReview {
    let server: NginxServer
    /// All servers, in which the include line of this server or its guards can be by mistake.
    let others: [NginxServer]
    let guards: [NginxGuard]

    init(_ server: NginxServer, among others: [NginxServer]) {
        (self.server, self.others) = (server, others)
        guards = server.guards
    }

    func add(to review: inout ServerReview) {
        checkQuestions(&review)
        if isStray {
            checkStray(&review)
        } else {
            checkSites(&review)
            for printed in NginxPrintedGuard.all(in: server) { printed.add(to: &review) }
        }
        review.find(.bypass) { checkOpenLocations(&$0) }
        for guarded in guards {
            checkRule(guarded, &review)
            review.find(.bypass) { checkWays(around: guarded, &$0) }
            let location = guarded.location
            if location.kind == .exact {
                let prefixes = guards.map(\.location).filter(\.isPrefix).map(\.path)
                review.judge(onlyPath: location.path, of: location.text, prefixes, at: location.place)
            }
            checkQuestion(of: guarded, &review)
            checkAnswers(of: guarded, &review)
            review.find(.bypass) { guarded.checkEarlyAnswers(&$0) }
            if settings(of: guarded, review).acceptsPersonalTokens { guarded.checkTokens(&review) }
            guarded.checkCache(&review)
            guarded.checkInterception(&review)
        }
        let known = review.problems.count
        if let front = review.printed {
            NginxPrinted(server: server, guards: guards, front: front).add(to: &review)
        }
        if review.problems.count == known { checkParameters(&review) }
        checkPages(&review)
        checkConnections(&review)
        for callback in server.callbacks { review.find(.log) { checkLogs(of: callback, &$0) } }
        if !guards.isEmpty {
            checkPaths(&review)
            review.find(.bypass) { checkErrorPages(&$0) }
            review.find(.bypass) { checkSlashes(&$0) }
            review.find(.identity) { checkIdentities(&$0) }
        }
    }

    /// The addresses to which the guards and the callbacks lead.
    var programs: [String] { (guards.map(\.question) + server.callbacks).flatMap(server.addresses) }

    /// Finds locations of print-config without the parameters that their common include file has.
    private func checkParameters(_ review: inout ServerReview) {
        guard let callback = server.callbacks.first(where: { $0.parameter(Action.parameter) == nil }) else { return }
        let command = server.sites.first.map { ": \(review.command(for: server.included($0)))" }
        review.complain(
            callback.place,
            "\(callback.text) passes no fastcgi_param \(Action.parameter) to linkedin-signin, so nobody can sign in, and "
                + "guards respond with 500: the -parameters.conf file of print-config is empty or changed. Print the files of the "
                + "site again\(command ?? "")"
        )
    }

    /// Finds `auth_request` with a path that no location has: nginx gets 404 for it and answers 500.
    private func checkQuestions(_ review: inout ServerReview) {
        var missing: Set<String> = []
        for location in server.locations {
            guard let path = location.asked else { continue }
            if let name = location.askedSite, server.block.value(of: "$signin_\(name)_server") == nil {
                // One include line is missing, whatever the number of guards.
                let isNew = missing.insert(name).inserted
                if isNew || !server.sites.isEmpty { complainOfMissingFile(for: location, of: name, &review) }
                continue
            }
            if let question = server.location(at: path) {
                // The file of print-config answers 403 to a guard without a rule.
                if question.block.contains(where: { $0.name == "return" && $0.arguments.first == "403" }) {
                    review.complain(location.place, missingRule(location, review))
                }
                continue
            }
            review.complain(
                location.place,
                "auth_request \(path) leads to no location of this server, so nginx responds with 500. Include the -server.conf file "
                    + "of print-config nginx --write in this server block"
            )
        }
    }

    /// Whether this server includes files of print-config, and only other servers have their guards.
    private var isStray: Bool {
        let names = server.sites
        return !names.isEmpty && !asks(names, server) && others.contains { asks(names, $0) }
    }

    /// Whether a server has a guard of one of these sites.
    private func asks(_ sites: [String], _ server: NginxServer) -> Bool {
        server.locations.compactMap(\.askedSite).contains(where: sites.contains)
    }

    /// Without the files in the server of the guards, the finding about that server names this one.
    private func checkStray(_ review: inout ServerReview) {
        guard let site = server.sites.first,
            let other = others.first(where: { asks([site], $0) && $0.sites.contains(site) })
        else { return }
        review.complain(
            server.place,
            "this server includes the files of $signin_\(site), but only another server (\(other.place)) has its guards. "
                + "Remove the include line of the -server.conf file from this server block; or, if this server has guarded "
                + "files too, include the guard files in its locations"
        )
    }

    /// The guard file of print-config rejects all requests if the file for the `server` block is missing: nginx responds with 500,
    /// because the page for 403 is in the missing file too.
    private func complainOfMissingFile(for location: NginxLocation, of site: String, _ review: inout ServerReview) {
        if let own = server.sites.first {
            return review.complain(
                location.place,
                "\(location.text) has the guard of another site, whose variables begin with $signin_\(site), and this "
                    + "server includes the files of $signin_\(own). Include here the guard file of the same site"
            )
        }
        let file = location.effective("auth_request").last?.place.file ?? ""
        let start =
            file.contains("/linkedin-signin-") ? file.firstRange(of: "-guard").map { file[..<$0.lowerBound] } : nil
        let line = start.map { "include \($0)-server.conf;" } ?? "the include line of the site's -server.conf file"
        let wrong = others.first { $0.sites.contains(site) && !asks([site], $0) }
        let remedy =
            wrong.map { "Move this line from the server block at \($0.place) to" } ?? "Add to"
        review.complain(
            location.place,
            "\(location.text) has a guard of print-config, but this server does not include the file that goes "
                + "with it, so nginx responds with 500 to everybody. \(remedy) the server block (\(server.place)): \(line)"
        )
    }

    private func settings(of guarded: NginxGuard, _ review: ServerReview) -> RuleSettings {
        review.settings(for: guarded.site, at: Set(server.addresses(of: guarded.question)))
    }

    private func checkRule(_ guarded: NginxGuard, _ review: inout ServerReview) {
        review.judge(
            rule: guarded.rule,
            with: settings(of: guarded, review),
            at: guarded.location.place,
            missing: missingRule(guarded.location, review)
        )
    }

    private func missingRule(_ location: NginxLocation, _ review: ServerReview) -> String {
        let site = location.askedSite.map(server.included)
        let remedy = site.map {
            "Print the files of the site again, with the rule in place of \(GuardedLocation.unknownRule): \(review.command(for: $0))"
        }
        return "\(location.text) is guarded without a rule, so the guard rejects everybody. "
            + (remedy ?? "Pass the rule to linkedin-signin with fastcgi_param SIGNIN_REQUIRE")
    }

    private func checkWays(around guarded: NginxGuard, _ review: inout ServerReview) {
        for other in server.locations where other.depth == guarded.location.depth && isOpen(other) {
            guard isBefore(other, guarded.location) else { continue }
            review.complain(
                other.place,
                "\(other.text) responds to requests for the guarded \(guarded.location.text) "
                    + "(\(guarded.location.place)) without the guard, because nginx prefers it. Write location ^~ there, or move "
                    + "this location into it"
            )
        }
    }

    /// Finds locations for paths below a guarded one that nginx prefers to it, and that have no guard.
    private func checkOpenLocations(_ review: inout ServerReview) {
        for other in server.locations where isOpen(other) && !other.rejectsAll {
            let around = guards.filter { guarded in
                isBelow(other, guarded.location)
                    && (server.target(of: other) != server.target(of: guarded.question) || other.depth > 0)
            }
            guard let guarded = around.max(by: { $0.location.path.utf8.count < $1.location.path.utf8.count }),
                [.prefix, .finalPrefix, .exact].contains(other.kind), other.block.named("internal").isEmpty
            else { continue }
            let text =
                "\(other.text) is not guarded, although it is below the guarded "
                + guarded.location.text
            // The operator writes this line to show that the location is meant to be open.
            if other.block.named("auth_request").last?.arguments.first == "off" {
                review.note(other.place, text + ", because it has auth_request off")
            } else {
                review.complain(
                    other.place,
                    text + ". Include the same guard file here, or write auth_request off; here if everyone may open it"
                )
            }
        }
    }

    /// Finds files of another site: its program answers, and visitors sign in there.
    private func checkSites(_ review: inout ServerReview) {
        let names = server.names
        // Other names, such as *.example.com and _, can be those of many hosts.
        let isHost: (String) -> Bool = { name in
            name.first?.isPunctuation == false
                && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
        }
        guard !names.isEmpty, names.allSatisfy(isHost) else { return }
        for site in server.sites where !names.contains(where: { SiteName.mayName(site, host: $0.lowercased()) }) {
            review.complain(
                ofFilesAt: names.map { $0.lowercased() },
                server.place,
                "this server has the server_name \(names.joined(separator: " ")), but it includes the files of another site, "
                    + "whose variables begin with $signin_\(site). Include the files of this site, or add the name of that site "
                    + "to server_name"
            )
        }
    }

    private func isOpen(_ location: NginxLocation) -> Bool { location.asked == nil }

    /// Whether nginx may choose a regular expression instead of a guarded location.
    private func isBefore(_ other: NginxLocation, _ guarded: NginxLocation) -> Bool {
        switch guarded.kind {
        case .prefix: other.mayMatch(below: guarded.path)
        // nginx uses the first expression that matches.
        case .expression:
            other.isExpression && other.place != guarded.place
                && server.locations.first { [other.place, guarded.place].contains($0.place) }?.place == other.place
        case .exact, .finalPrefix, .named: false
        }
    }

    private func isBelow(_ other: NginxLocation, _ guarded: NginxLocation) -> Bool {
        guarded.isPrefix && other.path.hasPrefix(guarded.path) && other.path != guarded.path
    }

    private func checkQuestion(of guarded: NginxGuard, _ review: inout ServerReview) {
        let question = guarded.question
        if question.block.named("internal").isEmpty {
            review.complain(
                question.place,
                "\(question.text) is not internal, so clients can request it. Add the line: internal;"
            )
        }
        guard let asked = server.target(of: question),
            let callback = server.callbacks.first, let own = server.target(of: callback),
            asked != own
        else { return }
        let message =
            "\(question.text) asks \(asked), but visitors of this site sign in at \(own) (\(callback.place)). "
            + "The guard of a site must ask the program of the same site"
        review.find(.program) { $0.complain(question.place, message) }
    }

    private func checkAnswers(of guarded: NginxGuard, _ review: inout ServerReview) {
        let location = guarded.location
        if let line = location.satisfyingAny {
            let ways = location.accessLines.filter { $0.name == "allow" } + location.effective("auth_basic").suffix(1)
            if let open = location.admissionOfEveryAddress {
                let names = names { $0.satisfyingAny != nil && $0.admissionOfEveryAddress == open }
                review.complain(
                    open.place,
                    "\(open.text) admits everyone to the guarded \(names) without signing in, because "
                        + "satisfy any is in force there. Remove satisfy any, or allow only the addresses that need not sign in"
                )
            } else if ways.contains(where: { $0.arguments != ["off"] }),
                server.http.contains(line) || server.block.contains(line)
            {
                review.warn(
                    line.place,
                    "satisfy any outside all locations is in force in the guarded \(names { $0.satisfyingAny == line }), so visitors "
                        + "whom allow or auth_basic admits need not sign in there. Remove this line, or write it only in the guarded "
                        + "locations that these visitors may open"
                )
            } else {
                review.note(
                    location.place,
                    "\(location.text) has satisfy any: visitors whom allow or auth_basic admits need not sign in"
                )
            }
        }
        let pages = location.effective("error_page").filter { $0.arguments.dropLast().contains("401") }
        if let page = pages.first {
            // nginx uses the first page for a status, and the printed guard has one that leads visitors to sign in.
            guard let site = guarded.site else { return }
            let leads: (NginxDirective) -> Bool = { $0.arguments.last == "@signin_\(site)_sign_in" }
            guard !leads(page) else { return }
            let text =
                "\(page.text) is in force in the guarded \(location.text) in place of the error_page 401 of the guard, "
                + "so nginx leads nobody to sign in there"
            // Both pages in one block are a mistake; without that of the guard, the page is a choice of the operator.
            guard pages.contains(where: leads) else { return review.note(page.place, text) }
            return review.complain(page.place, text + ". Remove 401 from this line")
        }
        review.note(
            location.place,
            "\(location.text) has no error_page 401, so visitors who are signed out see the 401 page of nginx"
        )
    }

    /// The guarded locations of a kind, for one message about all of them.
    private func names(_ isIncluded: (NginxLocation) -> Bool) -> String {
        guards.map(\.location).filter(isIncluded).map(\.text).joined(separator: ", ")
    }

    private func checkPaths(_ review: inout ServerReview) {
        guard !server.callbacks.isEmpty else {
            return review.complain(
                server.place,
                "this server guards locations, but has no location for signing in, such as /oauth. Include the -server.conf file "
                    + "of print-config nginx --write in this server block"
            )
        }
        let accepted = Self.spellings.filter { !$0.targets.allSatisfy(server.refuses) }.map(\.kind)
        guard !accepted.isEmpty else { return }
        let text =
            "this server accepts paths \(accepted.joined(separator: ", and paths ")). An application may read them as other paths "
            + "than nginx does, so they can bypass a guard. Run print-config nginx --write again, and include its -server.conf "
            + "file in this server block"
        review.find(.bypass) { $0.complain(server.place, text) }
    }

    /// nginx passes a request that the server file rejects with 400 to such a location, with the rejected path.
    ///
    /// A page with a path is safe: nginx rejects the request again when it looks for a location for that path.
    private func checkErrorPages(_ review: inout ServerReview) {
        for page in server.whole.effective("error_page") where page.arguments.dropLast().contains("400") {
            let named = server.locations.first { $0.kind == .named && $0.path == page.arguments.last }
            guard let named, !NginxApplication.all(of: named).isEmpty else { continue }
            review.complain(
                page.place,
                "\(page.text) passes requests that this server rejects to the application of \(named.path), which may read a "
                    + "guarded path in them. Name a static page, or remove 400 from this line"
            )
        }
    }

    /// Request targets that some applications read as the path of another location.
    private static let spellings = [
        (kind: "with dot segments", targets: ["/a/../b", "/a/%2e%2e/b", "/a/..%2fb", "/a/..;/b"]),
        (kind: "that begin with //", targets: ["//a/b"]),
        (kind: #"with \"#, targets: [#"/\a/b"#, #"/a\b"#]),
    ]

    /// Without merging, `//private/` matches no location for `/private/`, but it reaches the same file.
    private func checkSlashes(_ review: inout ServerReview) {
        guard let directive = server.whole.effective("merge_slashes").last, directive.arguments.first == "off" else {
            return
        }
        review.complain(
            directive.place,
            "merge_slashes off lets //private/ reach the files of /private/ without its guard. Remove this line"
        )
    }
}
