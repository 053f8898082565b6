/// Finds other servers and locations of nginx that serve the files of guarded locations, or ask their applications, without a
/// guard or with a weaker rule.
struct NginxFolders {
    let servers: [NginxServer]

    func add(to review: inout ServerReview) {
        let all = servers.flatMap(\.guards).filter { !$0.admitsEverybody }
        let guards = all.filter { $0.server.servesFiles($0.location, at: $0.location.path) }
        for server in servers {
            let ways = ([server.whole] + server.locations).map { NginxWay(location: $0, server: server) }
            var reported: Set<SourcePlace> = []
            for way in ways {
                guard let files = way.location.files, !reported.contains(files.place),
                    let leak = guards.lazy.compactMap(way.leak).first
                else { continue }
                reported.insert(files.place)
                way.complain(of: leak, files.text, at: files.place, &review)
            }
            for way in ways where server.mayReach(way.location) {
                let isReported = way.location.root.map { reported.contains($0.place) } ?? true
                if !isReported, server.servesAnyFiles(way.location, at: way.location.path) {
                    way.checkFiles(guards, &review)
                }
                way.checkApplications(all, &review)
            }
        }
    }
}

/// A location, or a server as the location of all other paths, from which clients may get what another location guards.
private struct NginxWay {
    let location: NginxLocation
    let server: NginxServer

    /// A guarded location, the folder, file or application behind it, and another path to it.
    typealias Leak = (folder: String, path: String, guarded: NginxGuard)

    /// Finds files that `rewrite` and `try_files` name.
    func checkFiles(_ guards: [NginxGuard], _ review: inout ServerReview) {
        for line in location.finalRewrites + location.block.named("try_files") {
            checkLine(guards, &review) { guarded in
                let files = location.files(of: line, toward: guarded.location.path, in: server)
                guard files.contains(where: guarded.location.takes) else { return nil }
                return guarded.location.folder.map { ($0, line) }
            }
        }
    }

    /// Finds paths of a guarded application that another location of the same server passes to it.
    func checkApplications(_ guards: [NginxGuard], _ review: inout ServerReview) {
        let rewrites = location.finalRewrites
        for pass in location.passes {
            checkLine(guards, &review) { guarded in
                guard guarded.server.directive == server.directive,
                    server.passes(of: guarded.location).contains(where: { $0.address == pass.address })
                else { return nil }
                let leading = rewrites.first { line in
                    location.paths(of: line, toward: guarded.location.path, in: server).contains(
                        where: guarded.location.isTarget
                    )
                }
                // A rewrite has already changed the path that proxy_pass would replace.
                let leads = rewrites.isEmpty && server.leads(location, by: pass.path, to: guarded.location)
                return (leads ? pass.line : leading).map {
                    ("\(guarded.location.path) of the application \(pass.address)", $0)
                }
            }
        }
    }

    /// Finds the first guard that a line here bypasses; `reaches` returns what is behind a guard, and the line that leads to it.
    private func checkLine(
        _ guards: [NginxGuard],
        _ review: inout ServerReview,
        reaches: (NginxGuard) -> (folder: String, line: NginxDirective)?
    ) {
        for guarded in guards where !isBelow(guarded) && isWeaker(than: guarded) {
            guard let (folder, line) = reaches(guarded) else { continue }
            return complain(of: (folder, location.shownPath, guarded), line.text, at: line.place, &review)
        }
    }

    /// Whether everyone, or a member whom the rule of a guard rejects, can use this location.
    private func isWeaker(than guarded: NginxGuard) -> Bool {
        guard location.hasNoOtherLimits else { return false }
        guard !location.admitsEveryone else { return true }
        guard let rule = NginxGuard(location, in: server)?.rule, let strict = guarded.rule else { return false }
        let conditions: (String) -> Set<Substring> = {
            Set($0.split(separator: " ")).subtracting(["member", "preflight"])
        }
        return conditions(rule).isStrictSubset(of: conditions(strict)) || GuardedLocation.admitsEverybody(rule)
    }

    private func isBelow(_ guarded: NginxGuard) -> Bool {
        guarded.server.place == server.place && location.path.hasPrefix(guarded.location.path)
    }

    /// The path at which this location serves the files of a guarded one; nil if it serves none of them.
    func leak(of guarded: NginxGuard) -> Leak? {
        guard !isBelow(guarded), let folder = guarded.location.folder,
            let path = location.path(to: folder, isFile: guarded.location.kind == .exact),
            server.choice(for: path).directive == location.directive,
            // A guard of the usual path of a folder is the choice of the operator.
            location.admitsEveryone || location.root?.name == "alias" && isWeaker(than: guarded),
            server.servesFiles(location, at: path)
        else { return nil }
        return (folder, path, guarded)
    }

    /// Complains about what clients get here, and about the line that leads to it.
    func complain(of leak: Leak, _ line: String, at place: SourcePlace, _ review: inout ServerReview) {
        let names = server.block.named("server_name").first.map { " with \($0.text)" } ?? ""
        let (guarded, own) = (leak.guarded.location, NginxGuard(location, in: server)?.rule)
        let strict = leak.guarded.rule ?? ""
        let rule = own.map { "with the rule “\($0)” and not the rule “\(strict)”" } ?? "without the guard"
        let text =
            "the server\(names) (\(server.place)) serves \(leak.folder) at \(leak.path) \(rule) of "
            + "\(guarded.text) (\(guarded.place)), because it has \(line)"
        // The operator writes this line to show that the folder is meant to be open.
        if own == nil, location.effective("auth_request").last != nil {
            return review.note(place, text + " and auth_request off")
        }
        review.complain(
            place,
            leak.path.contains("../")
                ? text + ". Write a slash at the end of the path of \(location.text)"
                : text
                    + ". Name a path without guarded files here, guard \(leak.path) in that server \(own == nil ? "too" : "with that rule")"
                    + ", or let that server only redirect: return 301 https://$host$request_uri;"
        )
    }
}

extension NginxServer {
    /// The location that nginx chooses for a path.
    func choice(for path: String) -> NginxLocation {
        let location = location(at: path) ?? whole
        if [.exact, .finalPrefix].contains(location.kind) { return location }
        return locations.first { other in
            guard case .expression(let ignoresCase) = other.kind else { return false }
            return PathPattern.matches(other.path, path, ignoringCase: ignoresCase) == true
        } ?? location
    }

    /// The applications that get requests of a guarded location.
    fileprivate func passes(of guarded: NginxLocation) -> [(address: String, path: String, line: NginxDirective)] {
        let inner = locations.filter {
            $0.path.hasPrefix(guarded.path) || $0.scopes.contains(guarded.block)
        }
        return (inner + locations(after: guarded)).flatMap(\.passes)
    }

    /// Whether a location with this path in `proxy_pass`, which replaces its own path, passes requests for a guarded path.
    fileprivate func leads(_ other: NginxLocation, by path: String, to guarded: NginxLocation) -> Bool {
        guard !path.isEmpty else { return false }
        if guarded.isTarget(path) { return true }
        let request = other.path + guarded.path.dropFirst(path.count)
        return other.kind != .exact && guarded.path.hasPrefix(path) && choice(for: request).directive == other.directive
    }

    /// Whether a request that no guard let pass can get into a location.
    fileprivate func mayReach(_ location: NginxLocation) -> Bool {
        // nginx uses the lines of the server itself only if no location takes a request.
        if location.depth < 0 {
            return !locations.contains { $0.isPrefix && $0.path == "/" }
        }
        guard location.kind == .named else { return true }
        return ([whole] + locations).contains { other in
            other.kind != .named && other.admitsEveryone
                && locations(after: other).contains { $0.directive == location.directive }
        }
    }

    /// Whether requests for a path in a location get the files that it names for them.
    fileprivate func servesFiles(_ location: NginxLocation, at path: String) -> Bool {
        // Locations do not inherit try_files.
        let files = location.block.named("try_files").flatMap(\.arguments)
        return servesAnyFiles(location, at: path) && (files.isEmpty || files.contains { $0.contains("$") })
    }

    /// Whether neither an application, nor a redirect, nor a fixed answer takes requests for a path in a location.
    func servesAnyFiles(_ location: NginxLocation, at path: String) -> Bool {
        let redirects = block.named("if").filter { condition in
            !hasTLS && ["$scheme", "$https"].contains { condition.text.contains($0) }
        }
        let lines = block + redirects.flatMap(\.block) + location.block
        return lines.named("return").isEmpty
            && !lines.named("rewrite").contains { $0.isRedirect && $0.rewriting(path) != nil }
            && NginxApplication.all(of: location).isEmpty
    }
}

extension NginxLocation {
    /// The `root` or `alias` in force: its directory without a slash at the end, and the path that leads to the directory.
    fileprivate var files: (directory: String, path: String, text: String, place: SourcePlace)? {
        guard [.exact, .prefix, .finalPrefix].contains(kind), let found = root,
            let directory = found.arguments.first, !directory.contains("$"),
            found.name == "root" || block.contains(found)
        else { return nil }
        return (directory.withoutSlash, found.name == "alias" ? path.withoutSlash : "", found.text, found.place)
    }

    /// The `root` or `alias` in force.
    fileprivate var root: NginxDirective? {
        scopes.last { $0.contains(where: \.isDirectory) }?.last(where: \.isDirectory)
    }

    /// Whether no guard, no password and no other rule keeps visitors out.
    fileprivate var admitsEveryone: Bool { isOff("auth_request") && hasNoOtherLimits }

    /// Whether no password and no other rule than a guard keeps visitors out.
    fileprivate var hasNoOtherLimits: Bool {
        isOff("auth_basic") && isOff("ssl_reject_handshake") && !effective("deny").contains { $0.arguments == ["all"] }
            && block.named("internal").isEmpty
    }

    private func isOff(_ name: String) -> Bool { ["off", nil].contains(effective(name).last?.arguments.first) }

    /// The path for messages.
    fileprivate var shownPath: String { path.isEmpty ? "/" : path }

    /// The files that a `rewrite` or `try_files` of this location names, each up to its first variable.
    ///
    /// A request can repeat the path of a guarded location.
    fileprivate func files(of line: NginxDirective, toward guarded: String, in server: NginxServer) -> [String] {
        guard let root, let directory = root.arguments.first,
            // nginx responds with 500 to a request that a location with alias has rewritten.
            root.name == "root" || block.contains(root) && !isExpression && line.name != "rewrite"
        else { return [] }
        let paths =
            line.name == "rewrite"
            ? self.paths(of: line, toward: guarded, in: server)
            // nginx chooses a location for the last path.
            : line.arguments.dropLast().filter { $0.hasPrefix("/") }
        return paths.map { path in
            let known = path.prefix { $0 != "$" && $0 != "?" }
            // nginx replaces the path of the location by an alias, but puts a path without variables after it.
            let isReplaced = root.name == "alias" && path.contains("$") && known.hasPrefix(self.path)
            let rest = isReplaced ? known.dropFirst(self.path.count) : known
            return (root.name == "alias" ? directory : directory.withoutSlash) + rest
        }.map { $0.replacing("//", with: "/") }
    }

    /// The paths to which a `rewrite` leads: what is known of all of them, and the path for a request that repeats that of a
    /// guarded location.
    fileprivate func paths(of rewrite: NginxDirective, toward guarded: String, in server: NginxServer) -> [String] {
        let target = rewrite.arguments[1].prefix { $0 != "?" }
        let request = path.withoutSlash + guarded
        guard target.hasPrefix("/") else { return [] }
        guard isPrefix, server.choice(for: request).directive == directive,
            let path = rewrite.rewriting(request)
        else { return [String(target)] }
        return [String(target), path]
    }

    /// Whether a path, up to its first variable, is below the path of this location, or is its only path.
    fileprivate func isTarget(_ path: String) -> Bool {
        let known = String(path.prefix { $0 != "$" })
        return kind == .exact ? known == self.path : known.hasPrefix(self.path)
    }

    /// The addresses of the applications that get the requests of this location, with the path in `proxy_pass`.
    fileprivate var passes: [(address: String, path: String, line: NginxDirective)] {
        let lines = passing
        return NginxApplication.Way.allCases.flatMap { way in lines.named(way.pass) }.compactMap { line in
            guard let text = line.arguments.first, !text.contains("$") else { return nil }
            let rest = text.firstRange(of: "://").map { text[$0.upperBound...] }
            guard let rest, !rest.hasPrefix("unix:") else { return (text, "", line) }
            let address = rest.prefix { $0 != "/" }
            return (String(address), String(rest.dropFirst(address.count)), line)
        }
    }

    /// Whether a file is in the folder of this location, or is its file.
    fileprivate func takes(_ file: String) -> Bool {
        guard let folder else { return false }
        return kind == .exact ? file == folder : (file + "/").hasPrefix(folder.withoutSlash + "/")
    }

    /// The directory, or the file, to which the path of the location leads.
    fileprivate var folder: String? { files.map { $0.directory + path.dropFirst($0.path.utf8.count) } }

    /// A path of this location to a folder or to a directory in the folder; nil if it has none.
    fileprivate func path(to folder: String, isFile: Bool) -> String? {
        let roots = [files.map { ($0.directory, $0.path) }, aboveAlias].compactMap(\.self)
        return roots.lazy.compactMap { path(to: folder, isFile: isFile, from: $0) }.first
    }

    /// The directory around an alias, and the path that leads there: nginx puts the rest of `/static../x` after the alias of
    /// `/static`, so `../x` after its slash.
    private var aboveAlias: (directory: String, path: String)? {
        guard let files, let text = root?.arguments.first, root?.name == "alias", kind != .exact,
            text.hasSuffix("/"), !path.hasSuffix("/"), let end = files.directory.lastIndex(of: "/")
        else { return nil }
        return (String(files.directory[..<end]), path + "..")
    }

    private func path(to folder: String, isFile: Bool, from files: (directory: String, path: String)) -> String? {
        var result = files.path + "/"
        if (folder + "/").hasPrefix(files.directory + "/") {
            result = files.path + folder.dropFirst(files.directory.count)
        } else if isFile || !(files.directory + "/").hasPrefix(folder.withoutSlash + "/") {
            return nil
        }
        if result.hasPrefix(path) { return result }
        return !isFile && path.hasPrefix(result) ? path : nil
    }
}

extension NginxDirective {
    fileprivate var isDirectory: Bool { ["root", "alias"].contains(name) }
}
