import POSIX

extension LighttpdScope {
    /// The rule that a guard here passes to linkedin-signin; nil if there is none.
    var rule: String? {
        let names = ["setenv.add-environment", "setenv.set-environment"]
        return names.lazy.compactMap { effective($0)?.value["SIGNIN_REQUIRE"]?.text }.first
    }

    /// Whether the rule of a guard here admits visitors without a session.
    var admitsEverybody: Bool { rule.map(GuardedLocation.admitsEverybody) == true }
}

extension LighttpdReview {
    /// Finds a later guard that replaces a guard although its own prefix is not longer.
    func checkOrder(of guarded: LighttpdScope, _ review: inout ServerReview) {
        for other in guards where other.order > guarded.order && other.mayMeet(guarded) {
            guard let rule = other.rule, let own = guarded.rule, rule != own, guarded.prefix.hasPrefix(other.prefix),
                other.mayHold(below: guarded.prefix)
            else { continue }
            review.complain(
                other.place,
                "the guard of \(other.text) replaces the guard of \(guarded.text) (\(guarded.place)) if both apply, because "
                    + "lighttpd uses the last one: the rule “\(rule)” is in force and not “\(own)”. Move the guard of "
                    + "\(other.text) before the guard of \(guarded.text). Files of print-config lighttpd "
                    + "--write are in the right order if lighttpd.conf includes these files in the order of their names"
            )
        }
    }

    /// Finds error handlers: lighttpd passes a request that it rejects before the guard to such an address, without the guard.
    ///
    /// lighttpd uses `server.error-handler` for each status from 400 on, and `server.error-handler-404` for 403 and 404.
    func checkErrorHandlers(around guarded: LighttpdScope, _ review: inout ServerReview) {
        let near = scopes.filter { $0.mayMeet(guarded) }
        for (_, setting) in near.having("server.error-handler") {
            guard let address = setting.value.text, Self.isApplication(address) else { continue }
            review.complain(
                setting.place,
                "server.error-handler passes requests that lighttpd rejects to \(address), without a guard: for example, "
                    + "/private/x%0a. Use server.error-handler-404, which lighttpd does not use for malformed paths"
            )
        }
        let handlers = near.having("server.error-handler-404").map(\.setting)
        guard let handler = handlers.first(where: { Self.isApplication($0.value.text ?? "") }),
            let denied = guarded.effective("url.access-deny"), !denied.value.members.isEmpty
        else { return }
        review.complain(
            guarded.place,
            "url.access-deny (\(denied.place)) applies in the guarded \(guarded.text). lighttpd passes the requests that it "
                + "rejects to server.error-handler-404 (\(handler.place)), without the guard. Add to this condition: "
                + "url.access-deny = ()"
        )
    }

    /// Finds directories from which lighttpd serves the files of a guarded folder without its guard.
    ///
    /// One finding for each line and site is enough: the operator corrects the line for all guards of the site.
    func checkFolders(of guarded: LighttpdScope, _ reported: inout Set<[String]>, _ review: inout ServerReview) {
        let hosts = guarded.conditions.filter(\.isHost)
        let around = scopes.filter { $0.conditions.allSatisfy(guarded.conditions.contains) }
        guard !guarded.admitsEverybody, !around.contains(where: { $0.hasApplication(for: guarded.prefix) })
        else { return }
        // The directory of a virtual host takes the place of a document root if it exists.
        let virtual = around.flatMap { $0.virtualRoots(of: hosts.map(\.value)) }.filter {
            (try? FileStatus(path: $0.value)) != nil
        }
        let document = around.last { $0.documentRoot != nil }?.documentRoot
        for own in virtual + [document].compactMap(\.self) {
            let folder = own.value + guarded.prefix
            for other in scopes {
                for root in roots(of: other, toward: folder, besides: hosts) {
                    guard let rest = Self.path(to: folder, from: root.value) else { continue }
                    let isOtherHost = !other.isWithin(hosts) && root.path.isEmpty
                    let start = root.path.withoutSlash + rest
                    let path = other.prefix.hasPrefix(start) ? other.prefix : start
                    guard other.mayHold(below: path),
                        !guards.contains(where: { $0.covers(path, in: other, for: root.host) }),
                        !isOtherHost || !isReplaced(other, forHostsOtherThan: hosts),
                        reported.insert([root.setting.place.description] + hosts.map(\.text)).inserted
                    else { continue }
                    let host = isOtherHost ? " with \(root.host.map { "the host \($0)" } ?? "another host")" : ""
                    let kind = root.setting.name.hasSuffix("host") ? "host" : "directory"
                    let value = root.setting.value.text ?? root.value
                    // The site itself needs the line, and only there.
                    let block = root.setting == own.setting ? hosts.first : nil
                    let copy =
                        block.map { "Write \(root.setting.name) = \"\(value)\" into the \($0.text) block. " } ?? ""
                    review.complain(
                        root.setting.place,
                        "lighttpd serves \(folder) to requests\(host) at \(path) without the guard of \(guarded.text) "
                            + "(\(guarded.place)), because \(root.setting.name) of \(other.text) is "
                            + "\(value). \(copy)Name here, in place of \(value), a \(kind) without guarded files"
                    )
                }
            }
        }
    }

    /// The directories from which lighttpd serves files here, those of users and virtual hosts only if they may contain a folder.
    private func roots(
        of scope: LighttpdScope,
        toward folder: String,
        besides hosts: [LighttpdCondition]
    ) -> [LighttpdScope.Root] {
        let names = (hosts + scope.hosts).map(\.value) + folder.split(separator: "/").map(String.init)
        let others = names.flatMap { name in
            // The name itself, the domain around it, and names of which it is one of the last parts or the first.
            [name, String(name.drop { $0 != "." }.dropFirst()), "x.\(name)", "\(name).example", "\(name).example.net"]
        }.filter { host in
            !host.isEmpty && !hosts.allSatisfy { $0.holds(for: host) }
                && scope.conditions.allSatisfy { !$0.isHost || $0.holds(for: host) }
        }
        return [scope.documentRoot, scope.userRoot(toward: folder)].compactMap(\.self) + scope.aliases
            + scope.virtualRoots(of: others)
    }

    /// Finds rewrites of guarded paths and of pages: lighttpd looks for the guard and for the page of the new path only.
    func checkRewrites(_ review: inout ServerReview) {
        for name in ["url.rewrite-once", "url.rewrite", "url.rewrite-repeat", "url.rewrite-if-not-file"] {
            for (other, rules) in scopes.having(name) {
                let target = { (path: String) in
                    rules.value.members.lazy.compactMap { $0.rewriting(path) }.first ?? path
                }
                let open = guards.filter { guarded in
                    let (old, new) = (guarded.sample, target(guarded.sample))
                    return other.mayMeet(guarded) && other.mayHold(below: old) && new != old
                        && !guards.contains { $0.covers(new, in: guarded) }
                }
                let lost = sites.compactMap { site in
                    site.paths.first { site.mayApply(other, to: $0) && target($0) != $0 }.map { (path: $0, site) }
                }
                let paths = Set(open.map(\.sample) + lost.map(\.path)).sorted()
                guard !paths.isEmpty else { continue }
                let effects =
                    (open.isEmpty ? [] : ["lighttpd does not ask the guard of \(open.names)"])
                    + (lost.isEmpty ? [] : ["requests for pages of linkedin-signin do not reach it"])
                // A rule sees the query too.
                let pages = lost.compactMap {
                    $0.1.pages.block.condition?.value.replacing("\\z", with: "(?:\\?|\\z)")
                }
                let patterns = Set(open.map { "^" + $0.prefix } + pages).sorted()
                let text =
                    "\(name) of \(other.text) leads \(paths.map { "\($0) to \(target($0))" }.joined(separator: ", ")), so "
                    + "\(effects.joined(separator: ", and ")), because lighttpd looks for the guard and the page of the new "
                    + "path. Write first in this list: \(patterns.map { "\"\($0)\" => \"\"" }.joined(separator: ", "))"
                // An operator may intend this for requests that few visitors send.
                let isRare = open.isEmpty && lost.allSatisfy { !$0.1.conditionsOfBrowser(other).isEmpty }
                review.find(open.isEmpty ? .other : .bypass) { $0.complain(rules.place, text, isCertain: !isRare) }
            }
        }
    }

    /// Finds an index file at a guarded path, which lighttpd shows for directories without the guard.
    func checkIndexes(_ review: inout ServerReview) {
        for (other, setting) in scopes.having("index-file.names") {
            for file in setting.value.members.compactMap(\.value.text) where file.hasPrefix("/") {
                let open = guards.filter {
                    other.mayMeet($0) && file.hasPrefix($0.prefix) && !other.prefix.hasPrefix($0.prefix)
                        && !$0.admitsEverybody
                }
                guard !open.isEmpty else { continue }
                review.complain(
                    setting.place,
                    "index-file.names of \(other.text) makes lighttpd show \(file) for directories without the guard of "
                        + "\(open.names). Name a file without a slash at its beginning, or one that is not guarded"
                )
            }
        }
    }

    /// The path of a folder below a document root; `/` for a root inside the folder, nil if the two have no file in common.
    private static func path(to folder: String, from root: String) -> String? {
        if (root + "/").hasPrefix(folder.withoutSlash + "/") { return "/" }
        return folder.hasPrefix(root + "/") ? String(folder.dropFirst(root.count)) : nil
    }

    /// Whether a later condition for all other hosts rejects their requests, or sets another document root.
    private func isReplaced(_ scope: LighttpdScope, forHostsOtherThan hosts: [LighttpdCondition]) -> Bool {
        scopes.contains { other in
            let isOfOthers = other.conditions.allSatisfy { $0.isHost && $0.comparison.hasPrefix("!") }
            let denied = other.block.setting("url.access-deny")?.value.members.contains { $0.value.text == "" } == true
            return isOfOthers && !other.conditions.isEmpty && other.order > scope.order
                && (denied || other.documentRoot != nil)
        }
    }

    /// Whether an application may answer at an error handler; false for a static page, and for an empty text.
    private static func isApplication(_ address: String) -> Bool {
        !address.isEmpty && ![".html", ".htm", ".txt"].contains { address.hasSuffix($0) }
    }
}

extension LighttpdScope {
    /// A directory without a slash at its end, the path that leads to it, and the host if it is the directory of one host.
    fileprivate struct Root {
        let value: String
        var path = ""
        let setting: LighttpdBlock.Setting
        var host: String?

        init(_ parts: String..., path: String = "", setting: LighttpdBlock.Setting, host: String? = nil) {
            value = parts.flatMap { $0.split(separator: "/") }.map { "/" + $0 }.joined()
            (self.path, self.setting, self.host) = (path, setting, host)
        }
    }

    /// The document root that is set here.
    fileprivate var documentRoot: Root? {
        guard let setting = block.setting("server.document-root"), let text = setting.value.text else { return nil }
        return Root(text, setting: setting)
    }

    /// The aliases that are set here.
    fileprivate var aliases: [Root] {
        guard let setting = block.setting("alias.url") else { return [] }
        return setting.value.members.compactMap { member in
            guard let path = member.key, let text = member.value.text else { return nil }
            return Root(text, path: path, setting: setting)
        }
    }

    /// The directories that mod_evhost and mod_simple_vhost choose for hosts, and the one for all hosts without a directory.
    fileprivate func virtualRoots(of hosts: [String]) -> [Root] {
        var roots: [Root] = []
        if let setting = block.setting("evhost.path-pattern"), let pattern = setting.value.text {
            roots += hosts.map { Root(Self.directory(pattern, of: $0), setting: setting, host: $0) }
        }
        guard let setting = block.setting("simple-vhost.server-root"), let base = setting.value.text else {
            return roots
        }
        let end = effective("simple-vhost.document-root")?.value.text ?? ""
        roots += hosts.map { Root(base, $0, end, setting: setting, host: $0) }
        let usual = effective("simple-vhost.default-host")
        return roots + [usual].compactMap(\.self).map { Root(base, $0.value.text ?? "", end, setting: $0) }
    }

    /// The directory of a host: `%_` is the host, `%0` its last two labels, and `%1` the last one.
    private static func directory(_ pattern: String, of host: String) -> String {
        let labels = host.split(separator: ".")
        return pattern.replacing(#/%([_0-9])/#) { match -> Substring in
            guard let number = Int(match.1) else { return host[...] }
            if number == 0 { return labels.suffix(2).joined(separator: ".")[...] }
            return number <= labels.count ? labels[labels.count - number] : ""
        }
    }

    /// The directory of mod_userdir for the user whose directory contains a folder.
    fileprivate func userRoot(toward folder: String) -> Root? {
        guard let setting = block.setting("userdir.basepath") ?? block.setting("userdir.path"),
            let end = effective("userdir.path")?.value.text, effective("userdir.active")?.value.text != "disable"
        else { return nil }
        let base = Root(effective("userdir.basepath")?.value.text ?? "/home", setting: setting).value
        guard folder.hasPrefix(base + "/") else { return nil }
        let user = String(folder.dropFirst(base.count + 1).prefix { $0 != "/" })
        let named = { effective($0).map { $0.value.members.contains { $0.value.text == user } } }
        guard named("userdir.exclude-user") != true, named("userdir.include-user") != false else { return nil }
        return Root(base, user, end, path: "/~" + user, setting: setting)
    }

    /// A path that it guards.
    fileprivate var sample: String { prefix + (block.condition?.comparison == "=^" ? "x" : "") }

    /// Whether all requests here meet conditions on the host.
    fileprivate func isWithin(_ conditions: [LighttpdCondition]) -> Bool {
        conditions.allSatisfy { condition in
            self.conditions.contains(condition) || hosts.contains { condition.holds(for: $0.value) }
        }
    }

    /// Whether it guards a path for each request of another scope, or for those with a host.
    fileprivate func covers(_ path: String, in other: LighttpdScope, for host: String? = nil) -> Bool {
        let rest = conditions.filter { condition in
            !condition.isURL && !(condition.isHost && host.map(condition.holds) == true)
        }
        return path.hasPrefix(prefix) && other.isWithin(rest)
    }

    /// Whether an application answers all requests for a path, so that no file does.
    fileprivate func hasApplication(for path: String) -> Bool {
        let names = LighttpdReview.gateways.values + ["fastcgi.server"]
        return names.compactMap { block.setting($0) }.flatMap(\.value.members).contains { member in
            let isGuard = member.value.members.contains { $0.value["mode"]?.text == "authorizer" }
            return !isGuard && path.hasPrefix(member.key ?? "")
        }
    }
}

extension LighttpdValue.Member {
    /// The path to which a rule of `url.rewrite` leads a request; nil if the rule does not apply to it.
    fileprivate func rewriting(_ request: String) -> String? {
        guard let key, let target = value.text else { return nil }
        // With an empty text, lighttpd keeps the path and reads no other rule.
        return PathPattern.rewriting(request, by: key, to: target.isEmpty ? request : target)
    }
}
