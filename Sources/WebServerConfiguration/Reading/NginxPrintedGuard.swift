/// A guard in the server file of print-config: an internal location with the rule.
struct NginxPrintedGuard {
    /// The identifier of the site.
    let site: String
    let guarded: GuardedLocation
    private let question: NginxLocation
    private let server: NginxServer

    /// All guards of the included server files, whether or not a location uses them.
    static func all(in server: NginxServer) -> [NginxPrintedGuard] {
        server.locations.compactMap { NginxPrintedGuard($0, in: server) }
    }

    private init?(_ question: NginxLocation, in server: NginxServer) {
        guard question.kind == .exact, let printed = NginxLocation.printed(question.path),
            let rule = question.requirement.flatMap(question.block.value)
        else { return nil }
        site = printed.site
        guarded = GuardedLocation(path: printed.path, rule: rule)
        (self.question, self.server) = (question, server)
    }

    func add(to review: inout ServerReview) {
        let users = server.locations.filter { $0.asked == question.path }
        guard !guarded.admitsEverybody, !isUsedOutside, !checkRule(&review),
            !users.contains(where: takesRequests)
        else { return }
        let own = server.locations.filter { $0.path == guarded.path }
        // Another guard is a choice of the operator; one that does not exist is an error of its own.
        if own.contains(where: { $0.rejectsAll || $0.asked != nil }) { return }
        // The operator writes this line to show that the location is meant to be open.
        if let open = own.first(where: { $0.block.named("auth_request").last?.arguments.first == "off" }) {
            return review.note(
                open.place,
                "\(open.text) is not guarded, although print-config printed the rule “\(guarded.rule)” for it, "
                    + "because it has auth_request off"
            )
        }
        if let wrong = users.first {
            return review.complain(
                wrong.place,
                "\(wrong.text) has the guard that print-config printed for \(guarded.path), and does not take the "
                    + "requests for \(guarded.path), so everyone may be able to open \(guarded.path). Write this guard in "
                    + "location ^~ \(guarded.prefix)"
            )
        }
        review.misses(
            guarded,
            of: server.included(site),
            in: file,
            at: server.place,
            remedy: "Add to location ^~ \(guarded.prefix) in this server block: \(line)"
        )
    }

    /// Finds the location of this guard with the printed guard of another path, and returns whether there is such a location.
    private func checkRule(_ review: inout ServerReview) -> Bool {
        let others = Self.all(in: server).filter { $0.site == site && $0.guarded.rule != guarded.rule }
        let wrong = server.locations.lazy.filter { [guarded.path, guarded.prefix].contains($0.path) }.compactMap {
            location in
            others.first { $0.question.path == location.asked }.map { (location, $0.guarded) }
        }
        guard let (location, other) = wrong.first else { return false }
        review.complain(
            location.place,
            "\(location.text) has the guard that print-config printed for \(other.path), so its rule is "
                + "“\(other.rule)” and not the rule “\(guarded.rule)” that was printed for \(guarded.path). Write here in place "
                + "of that guard: \(line)"
        )
        return true
    }

    private var isUsedOutside: Bool {
        let outer = [server.http, server.block].flatMap { $0.named("auth_request") }
        return outer.contains { $0.arguments.first == question.path }
    }

    /// Whether a location takes the requests for the path of the guard, or may do so.
    private func takesRequests(_ location: NginxLocation) -> Bool {
        switch location.kind {
        // A guard of one address is a choice of the operator.
        case .exact, .expression: true
        case .prefix, .finalPrefix: guarded.prefix.hasPrefix(location.path)
        case .named: false
        }
    }

    /// The line that guards a location.
    private var line: String { file.map { "include \($0);" } ?? "auth_request \(question.path);" }

    /// The include file of the guard; nil for a whole configuration.
    private var file: String? {
        let file = question.place.file
        guard file.hasSuffix("-server.conf") else { return nil }
        return file.dropLast("server.conf".count) + NginxIncludes.guardName(guarded) + ".conf"
    }
}
