/// Finds other servers and locations of nginx that serve the files of guarded locations without a guard.
struct NginxFolders {
    let servers: [NginxServer]

    /// A guarded location, the folder or file behind it, and another path to it.
    private typealias Leak = (folder: String, path: String, location: NginxLocation)

    func add(to review: inout ServerReview) {
        let guards = servers.flatMap { server in
            server.locations.compactMap { NginxGuard($0, in: server) }.filter { guarded in
                guarded.rule.map(GuardedLocation.admitsEverybody) != true
                    && server.servesFiles(guarded.location, at: guarded.location.path)
            }.map { (server: server, location: $0.location) }
        }
        for server in servers {
            var reported: Set<SourcePlace> = []
            for other in [server.whole] + server.locations {
                guard let files = other.files, !reported.contains(files.place),
                    let found = guards.lazy.compactMap({ leak(of: $0.location, of: $0.server, in: other, of: server) })
                        .first
                else { continue }
                reported.insert(files.place)
                complain(other, in: server, files.text, found, at: files.place, &review)
            }
            for other in server.locations where other.admitsEveryone && server.servesAnyFiles(other, at: other.path) {
                guard let root = other.root, !reported.contains(root.place) else { continue }
                for (path, line) in other.filePaths {
                    let found = guards.first { guarded in
                        !isBelow(other, of: server, guarded.location, of: guarded.server)
                            && guarded.location.takes(path, below: root.arguments.first ?? "")
                    }
                    guard let location = found?.location, let folder = location.folder else { continue }
                    complain(other, in: server, line.text, (folder, other.path, location), at: line.place, &review)
                }
            }
        }
    }

    private func isBelow(
        _ other: NginxLocation,
        of server: NginxServer,
        _ guarded: NginxLocation,
        of owner: NginxServer
    ) -> Bool {
        owner.directive.place == server.directive.place && other.path.hasPrefix(guarded.path)
    }

    /// The path at which another location serves the files of a guarded one; nil if it serves none of them.
    private func leak(
        of guarded: NginxLocation,
        of owner: NginxServer,
        in other: NginxLocation,
        of server: NginxServer
    ) -> Leak? {
        guard !isBelow(other, of: server, guarded, of: owner), let folder = guarded.folder,
            let path = other.path(to: folder, isFile: guarded.kind == .exact),
            server.choice(for: path).directive == other.directive, server.isOpen(other, at: path)
        else { return nil }
        return (folder, path, guarded)
    }

    private func complain(
        _ other: NginxLocation,
        in server: NginxServer,
        _ files: String,
        _ guarded: Leak,
        at place: SourcePlace,
        _ review: inout ServerReview
    ) {
        let names = server.directive.block.named("server_name").map { " with \($0.text)" }.first ?? ""
        let text =
            "the server\(names) (\(server.directive.place)) serves \(guarded.folder) at \(guarded.path) without the guard of "
            + "\(guarded.location.directive.text) (\(guarded.location.place)), because it has \(files)"
        // The operator writes this line to show that the folder is meant to be open.
        if other.effective("auth_request").last != nil { return review.note(place, text + " and auth_request off") }
        review.complain(
            place,
            text
                + ". Name a path without guarded files here, guard \(guarded.path) in that server too, or let that "
                + "server only redirect: return 301 https://$host$request_uri;"
        )
    }
}

extension NginxServer {
    /// The `server` as the location for paths that no location takes.
    fileprivate var whole: NginxLocation { NginxLocation(directive, within: [http], depth: -1) }

    /// The location that nginx chooses for a path.
    fileprivate func choice(for path: String) -> NginxLocation {
        let location = location(at: path) ?? whole
        if [.exact, .finalPrefix].contains(location.kind) { return location }
        return locations.first { other in
            guard case .expression(let ignoresCase) = other.kind, let pattern = try? Regex(other.path) else {
                return false
            }
            return path.firstMatch(of: ignoresCase ? pattern.ignoresCase() : pattern) != nil
        } ?? location
    }

    /// Whether nginx answers requests for a path in a location with files, to everyone.
    fileprivate func isOpen(_ location: NginxLocation, at path: String) -> Bool {
        location.admitsEveryone && servesFiles(location, at: path)
    }

    /// Whether requests for a path in a location get the files that it names for them.
    fileprivate func servesFiles(_ location: NginxLocation, at path: String) -> Bool {
        let files = location.effective("try_files").flatMap(\.arguments)
        return servesAnyFiles(location, at: path) && (files.isEmpty || files.contains { $0.contains("$") })
    }

    /// Whether neither an application, nor a redirect, nor a fixed answer takes requests for a path in a location.
    fileprivate func servesAnyFiles(_ location: NginxLocation, at path: String) -> Bool {
        let hasTLS = directive.block.named("listen").contains { $0.arguments.contains("ssl") }
        let redirects = directive.block.named("if").filter { condition in
            !hasTLS && ["$scheme", "$https"].contains { condition.text.contains($0) }
        }
        let block = directive.block + redirects.flatMap(\.block) + location.directive.block
        return block.named("return").isEmpty && !block.named("rewrite").contains { $0.redirects(path) }
            && NginxApplication.all(of: location).isEmpty
    }
}

extension NginxLocation {
    /// The `root` or `alias` in force: its directory without a slash at the end, and the path that leads to the directory.
    fileprivate var files: (directory: String, path: String, text: String, place: SourcePlace)? {
        guard [.exact, .prefix, .finalPrefix].contains(kind), let found = root,
            let directory = found.arguments.first, !directory.contains("$"),
            found.name == "root" || self.directive.block.contains(found)
        else { return nil }
        return (directory.withoutSlash, found.name == "alias" ? path.withoutSlash : "", found.text, found.place)
    }

    /// The `root` or `alias` in force.
    fileprivate var root: NginxDirective? {
        scopes.last { $0.contains(where: \.isDirectory) }?.last(where: \.isDirectory)
    }

    /// Whether no guard, no password and no other rule keeps visitors out.
    fileprivate var admitsEveryone: Bool {
        let isOff: (String) -> Bool = { name in ["off", nil].contains(effective(name).last?.arguments.first) }
        return isOff("auth_request") && isOff("auth_basic") && isOff("ssl_reject_handshake")
            && !effective("deny").contains { $0.arguments == ["all"] } && directive.block.named("internal").isEmpty
    }

    /// The paths below `root` that a location serves without a choice of another location, and their lines.
    ///
    /// nginx chooses a location for the last path of `try_files`, and after a `rewrite` without `break`.
    fileprivate var filePaths: [(path: String, line: NginxDirective)] {
        guard kind != .named, root?.name == "root" else { return [] }
        let block = directive.block
        let rewrites = (block + block.named("if").flatMap(\.block)).named("rewrite").filter {
            $0.arguments.count == 3 && $0.arguments[2] == "break"
        }
        // Locations do not inherit try_files.
        let pairs =
            rewrites.map { ($0.arguments[1], $0) }
            + block.named("try_files").flatMap { line in line.arguments.dropLast().map { ($0, line) } }
        return pairs.filter { $0.0.hasPrefix("/") }
    }

    /// Whether a path below a directory, up to its first variable, is in the folder of this location, or is its file.
    fileprivate func takes(_ path: String, below directory: String) -> Bool {
        guard let folder else { return false }
        let file = directory.withoutSlash + path.prefix { $0 != "$" && $0 != "?" }
        return kind == .exact ? file == folder : (file + "/").hasPrefix(folder.withoutSlash + "/")
    }

    /// The directory, or the file, to which the path of the location leads.
    fileprivate var folder: String? { files.map { $0.directory + path.dropFirst($0.path.utf8.count) } }

    /// A path of this location to a folder or to a directory in the folder; nil if it has none.
    fileprivate func path(to folder: String, isFile: Bool) -> String? {
        guard let files else { return nil }
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

    /// Whether a `rewrite` redirects requests for a path.
    fileprivate func redirects(_ path: String) -> Bool {
        guard arguments.count > 1, let pattern = try? Regex(arguments[0]) else { return false }
        let isRedirect =
            arguments.contains("permanent") || arguments.contains("redirect")
            || ["http://", "https://", "$scheme"].contains { arguments[1].hasPrefix($0) }
        return isRedirect && path.firstMatch(of: pattern) != nil
    }
}

extension String {
    fileprivate var withoutSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
