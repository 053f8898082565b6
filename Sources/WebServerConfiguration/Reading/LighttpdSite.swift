import Settings

/// What the site file of print-config says about itself: the address of the site, and the guards that were printed with it.
struct LighttpdSite {
    /// The setting with these facts, among the pages of linkedin-signin; lighttpd itself does not use it.
    static let variable = "var.linkedin_signin"

    /// The condition with the pages of linkedin-signin.
    let pages: LighttpdScope
    let guarded: [GuardedLocation]
    let address: WebURL
    /// Whether browsers connect to lighttpd without a proxy, as far as its lines tell.
    private let isDirect: Bool
    /// The directory of the include files; nil for a whole configuration, and for files of an earlier version.
    private let directory: String?

    /// Nil for a file of an earlier version, and for lines of an operator.
    init?(_ pages: LighttpdScope) {
        guard let facts = pages.block.setting(Self.variable)?.value, let text = facts["site"]?.text,
            let address = WebURL(text)
        else { return nil }
        self.pages = pages
        self.address = address
        directory = facts["directory"]?.text
        let scopes = LighttpdScope.all(pages.chain[0])
        isDirect =
            scopes.having("ssl.engine").contains { $0.setting.value.text == "enable" }
            && scopes.having("extforward.forwarder").isEmpty
        let members = facts["guards"]?.members ?? []
        guarded = members.compactMap { member in
            guard let path = member.key, let rule = member.value.text else { return nil }
            return GuardedLocation(path: path, rule: rule)
        }
    }

    var name: SiteName { SiteName(address, Mount(address)) }

    var included: IncludedSite {
        IncludedSite(
            identifier: name.identifier,
            fileName: name.fileName,
            guarded: guarded,
            options: directory.map { IncludedSite.write($0, usual: LighttpdIncludes.usualDirectory) } ?? ""
        )
    }

    /// The path of the include file for the top level; nil for a whole configuration.
    var globalFile: String? {
        directory.map { directory in
            let isUsual = directory == LighttpdIncludes.usualDirectory
            return LighttpdIncludes.path("global", of: name.fileName, in: isUsual ? nil : directory)
        }
    }

    /// Whether a condition on the host holds for requests of browsers to the site; a proxy may pass them without the port.
    func receives(_ condition: LighttpdCondition) -> Bool {
        let authority = String(address.origin.drop { $0 != "/" }.dropFirst(2))
        return (isDirect ? [authority] : [authority, address.host]).contains(where: condition.admits(authority:))
    }

    /// Finds the pages of another site, whose program answers there, and pages that no browser reaches.
    func checkHost(_ review: inout ServerReview) {
        let line = "$HTTP[\"host\"] == \"\(address.host)\""
        for condition in pages.conditions where condition.isHost && !condition.isUnreadable {
            let value = condition.value.lowercased()
            // There is another finding about capital letters.
            let hasCapitals = ["==", "=^", "=$"].contains(condition.comparison) && condition.value != value
            if condition.comparison == "==", value.withoutPort != address.host {
                review.complain(
                    ofFilesAt: [value],
                    pages.place,
                    "\(condition.text) includes the files of another site, \(address). If the host of this site is "
                        + "\(address.host), write \(line) there; else include the files that print-config lighttpd --write "
                        + "writes for this site"
                )
            } else if !hasCapitals, !receives(condition) {
                review.complain(
                    pages.place,
                    "\(condition.text) with the pages of linkedin-signin holds for no request of a browser to \(address), so "
                        + "nobody can sign in there, and guards in this block do not guard. Write \(line) there"
                )
            }
        }
    }

    /// Whether a guard outside the site is one that the site lacks, because its include line is in the wrong block.
    func lacks(_ stray: LighttpdScope, among guards: [LighttpdScope]) -> Bool {
        guarded.contains { location in
            stray.isPrinted(for: location) && !guards.contains { $0.mayMeet(pages) && $0.guards(location) }
        }
    }

    /// Finds printed guards that the site lacks, among the guards of all sites; strays have another finding.
    func checkGuards(among guards: [LighttpdScope], strays: [LighttpdScope], _ review: inout ServerReview) {
        let own = guards.filter { $0.mayMeet(pages) }
        var outside: [String: (place: SourcePlace, paths: [String])] = [:]
        for location in guarded where !location.admitsEverybody {
            let printed = own.filter { $0.guards(location) }
            let obstacles = printed.map { ($0.place, $0.conditionsExcluding(location, of: self)) }
            if obstacles.contains(where: \.1.isEmpty) {
                checkRule(of: location, printed, &review)
                continue
            }
            if let (place, conditions) = obstacles.first {
                outside[conditions.map(\.text).joined(separator: ", "), default: (place, [])].paths.append(
                    location.path
                )
                continue
            }
            if strays.contains(where: { $0.isPrinted(for: location) }) { continue }
            let file = "linkedin-signin-\(name.fileName)-\(LighttpdIncludes.guardName(location)).conf"
            review.misses(
                location,
                of: included,
                in: directory.map { "\($0)/\(file)" },
                at: pages.place,
                remedy: "Include \(file) in the site, before its -site.conf file. If that file is lost, first "
                    + "print it again (\(review.command(for: included)))"
            )
        }
        for (conditions, (place, paths)) in outside.sorted(by: { $0.key < $1.key }) {
            let paths = paths.joined(separator: ", ")
            review.complain(
                place,
                "each guard that print-config printed for \(paths) is inside \(conditions), so it does not take all requests for "
                    + "its path, and everyone may be able to open \(paths). Move the include line of each of these guards out of "
                    + "this block, before the -site.conf file"
            )
        }
    }
}

extension LighttpdSite {
    /// Finds a guard file with another rule than the list in the site file, which print-config writes with the guard.
    private func checkRule(of location: GuardedLocation, _ printed: [LighttpdScope], _ review: inout ServerReview) {
        // Of the conditions that apply, lighttpd uses the last one. An operator may edit a whole configuration.
        guard directory != nil,
            let guarded = printed.last(where: { $0.prefix == location.path || $0.prefix == location.prefix }),
            let rule = guarded.rule, rule != location.rule
        else { return }
        review.complain(
            guarded.place,
            "the guard of \(guarded.text) has the rule “\(rule)” and not the rule “\(location.rule)” that print-config printed for "
                + "\(location.path). Print the files of the site again, with the rule that you want: "
                + review.command(for: included)
        )
    }

    /// The paths of the pages; an operator may have another home page.
    var paths: [String] {
        guard let condition = pages.block.condition, condition.comparison == "=~" else { return [] }
        let routes = SitePath.allCases.filter { $0 != .home }
        return routes.map { Mount(address).path($0.rawValue) }.filter(condition.holds)
    }

    /// Settings with which lighttpd itself responds to requests, and whether a value of each takes a path.
    private static let answers: [(name: String, effect: String, takes: @Sendable (LighttpdValue, String) -> Bool)] = [
        ("url.redirect", "redirects", { list, path in list.hasPattern(of: path) }),
        ("url.access-deny", "rejects", { list, path in list.hasEnd(of: path) }),
        ("url.access-allow", "rejects", { list, path in !list.members.isEmpty && !list.hasEnd(of: path) }),
        (
            "auth.require", "asks for a password in",
            { list, path in list.members.contains { path.hasPrefix($0.key ?? "") } }
        ),
    ]

    /// Finds lines of an operator with which lighttpd responds to requests for the pages of linkedin-signin itself.
    func checkAnswers(among scopes: [LighttpdScope], guards: [LighttpdScope], _ review: inout ServerReview) {
        let paths = paths
        for (name, effect, takes) in Self.answers {
            var hit: [SourcePlace: (scope: LighttpdScope, paths: [String])] = [:]
            for path in paths {
                for (scope, setting) in scopes.having(name).reversed() where mayApply(scope, to: path) {
                    if takes(setting.value, path) { hit[setting.place, default: (scope, [])].paths.append(path) }
                    // Of the conditions that apply, lighttpd uses the last one.
                    if applies(scope, to: path) { break }
                }
            }
            for (place, (scope, paths)) in hit.sorted(by: { $0.key.description < $1.key.description }) {
                let start = "\(name) \(effect) requests for \(paths.joined(separator: ", "))"
                if name == "auth.require" {
                    let own = guards.filter { guarded in
                        guarded.mayMeet(pages) && scope.mayHold(below: guarded.prefix)
                            && takes(scope.block.setting(name)?.value ?? .list([]), guarded.prefix)
                    }
                    let blocks = ([pages] + own).map { "\($0.text) { auth.require = () }" }.joined(separator: " ")
                    let names = own.map(\.text).joined(separator: ", ")
                    let needed = own.isEmpty ? "" : " and open guarded paths (\(names))"
                    review.warn(
                        place,
                        "\(start), so only visitors with this password can sign in\(needed). If others should do so too, write after "
                            + "the include line of the -site.conf file: \(blocks)"
                    )
                    continue
                }
                let conditions = conditionsOfBrowser(scope)
                guard !conditions.isEmpty else {
                    review.complain(
                        place,
                        "\(start), so they do not reach linkedin-signin. Change this line, so that it does not match the pages of "
                            + "linkedin-signin"
                    )
                    continue
                }
                let names = conditions.map(\.text).joined(separator: " and ")
                let rest = " for which \(names) holds, so they do not reach linkedin-signin. "
                let remedy = "write this line in a condition on $HTTP[\"url\"] without these paths"
                if effect == "rejects", let requests = LighttpdCondition.verdict(on: conditions).requests {
                    review.complain(place, "\(start)\(rest)These are \(requests). To let them reach it, \(remedy)")
                } else {
                    review.warn(place, "\(start)\(rest)If visitors with such requests should sign in or out, \(remedy)")
                }
            }
        }
    }

    /// Whether the settings of a block apply to requests of a sign-in or sign-out for a path.
    func mayApply(_ scope: LighttpdScope, to path: String) -> Bool {
        let conditions = conditionsOfBrowser(scope)
        // Only the query of a callback is known.
        return LighttpdCondition.verdict(on: conditions).mayHold
            && (SitePath.isCallback(path) || !conditions.contains(where: \.isQuery))
            && applies(scope, to: path, besides: conditions.contains)
    }

    /// Whether a block and a guard both apply to a request of the site, besides their conditions on the path and the browser.
    func mayApply(_ scope: LighttpdScope, with guarded: LighttpdScope) -> Bool {
        let isHere = applies(guarded, to: guarded.prefix) { !$0.isHost || pages.conditions.contains($0) }
        return isHere
            && applies(scope, to: guarded.prefix) { $0.isURL || $0.isOfBrowser || guarded.conditions.contains($0) }
    }

    /// The conditions of a block on what a browser sends that the pages themselves do not have.
    func conditionsOfBrowser(_ scope: LighttpdScope) -> [LighttpdCondition] {
        scope.conditions.filter { ($0.isOfBrowser || isDirect && $0.isOfProxy) && !pages.conditions.contains($0) }
    }

    /// Whether the settings of a block apply to all requests of the site for a path, if the ignored conditions hold.
    func applies(
        _ scope: LighttpdScope,
        to path: String,
        besides isIgnored: (LighttpdCondition) -> Bool = { _ in false }
    ) -> Bool {
        scope.conditions.allSatisfy { condition in
            if isIgnored(condition) { return true }
            if condition.isURL { return condition.holds(for: path) }
            return condition.isHost ? receives(condition) : pages.conditions.contains(condition)
        }
    }
}

extension LighttpdValue {
    /// Whether a list has an end of a path.
    fileprivate func hasEnd(of path: String) -> Bool { members.contains { $0.value.text.map(path.hasSuffix) ?? false } }

    /// Whether a key of a list is a pattern of a path.
    fileprivate func hasPattern(of path: String) -> Bool {
        members.compactMap(\.key).contains { PathPattern.matches($0, path) == true }
    }
}

extension LighttpdScope {
    /// Whether it replaces a printed guard: it is the guard of the same path, or one around it with the same rule.
    fileprivate func guards(_ location: GuardedLocation) -> Bool {
        rule == location.rule ? location.path.hasPrefix(prefix) : location.path == prefix
    }

    /// Whether it is the guard that print-config printed for a location, or one like it.
    fileprivate func isPrinted(for location: GuardedLocation) -> Bool {
        rule == location.rule && [location.path, location.prefix].contains(prefix)
    }

    /// The conditions around a guard with which it does not take all requests of a site for a path.
    fileprivate func conditionsExcluding(_ location: GuardedLocation, of site: LighttpdSite) -> [LighttpdCondition] {
        conditions.dropLast().filter { condition in
            if condition.isURL { return !condition.holds(forAllOf: location) }
            return !site.pages.conditions.contains(condition)
                && !(condition.isHost && (condition.isUnreadable || site.receives(condition)))
        }
    }
}
