import Settings

/// A part of the site that is guarded.
///
/// `/private/` is every path that begins so; `/private` is that path itself and every path below it, and not `/privateer`.
package struct GuardedLocation: Sendable, Equatable {
    /// As the operator wrote it: plain, with or without a slash at its end.
    let path: String
    /// Who may pass, as `SIGNIN_REQUIRE` takes it.
    let rule: String

    /// The path that has no slash at its end and is guarded by itself, if there is one.
    var exact: String? { path.hasSuffix("/") ? nil : path }

    /// What every other guarded path begins with.
    var prefix: String { path.hasSuffix("/") ? path : path + "/" }

    func guards(_ other: String) -> Bool { other == exact || other.hasPrefix(prefix) }
}

extension GuardedLocation {
    /// What keeps the paths from being guarded as they are written.
    static func problems(_ paths: [String], mount: Mount) -> [ConfigurationError.Problem] {
        let routes = Set(SitePath.allCases.map { mount.path($0.rawValue) })
        var seen: Set<String> = []
        return paths.compactMap { path in
            let location = GuardedLocation(path: path, rule: "")
            let isNew = seen.insert(location.prefix).inserted
            let message: String
            if !PlainPath.isPlain(path) {
                message = "“\(path)” is no path to guard: \(PlainPath.rule)"
            } else if let exact = location.exact, routes.contains(exact) {
                message = "“\(path)” is a path of linkedin-signin itself, which no guard may stand before"
            } else if !isNew {
                message = "“\(path)” is there twice"
            } else {
                return nil
            }
            return .init(subject: "--location", message: message)
        }
    }

    /// The program's own pages that it holds, which stay open; nil if there are none.
    func note(mount: Mount) -> String? {
        let open = FrontEnd.visitedRoutes.map(mount.path).filter(guards)
        guard !open.isEmpty else { return nil }
        return "--location \(path) holds the pages of linkedin-signin, which stay open: \(open.joined(separator: " "))"
    }
}
