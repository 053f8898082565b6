/// Finds directives of a guarded location with which nginx answers, or leaves the location, before it asks the guard.
///
/// nginx runs `return` and `rewrite` in its rewrite phase and `auth_request` in its access phase, which comes later.
struct NginxEarlyAnswers {
    let guarded: NginxGuard
    let server: NginxServer

    func add(to review: inout ServerReview) {
        let block = guarded.location.directive.block
        for directive in block + block.named("if").flatMap(\.block) {
            switch directive.name {
            case "return": checkReturn(directive, &review)
            case "rewrite": checkRewrite(directive, &review)
            case "try_files": checkFiles(directive, &review)
            default: break
            }
        }
    }

    private var text: String { guarded.location.directive.text }

    /// Ignores rejections, which show nothing that is guarded, and redirects to guarded paths.
    private func checkReturn(_ directive: NginxDirective, _ review: inout ServerReview) {
        guard let first = directive.arguments.first else { return }
        let code = Int(first)
        if let code, (400...599).contains(code) { return }
        if directive.isRedirect, let address = directive.arguments.last, isGuarded(address) { return }
        review.complain(
            directive.place,
            "\(directive.text) in the guarded \(text) responds without the guard, because nginx runs return before "
                + "auth_request. Remove this line, or move it to a location that need not be guarded"
        )
    }

    /// Ignores `break`: the request stays in the location, and nginx asks the guard afterwards.
    private func checkRewrite(_ directive: NginxDirective, _ review: inout ServerReview) {
        guard directive.arguments.count >= 2 else { return }
        let address = directive.arguments[1]
        let staysHere = guarded.location.finalRewrites.contains(directive)
        let isRedirect = directive.isRedirect
        guard isRedirect || !staysHere, !isGuarded(address) else { return }
        let effect = isRedirect ? "redirects to \(address)" : "leads to \(address)"
        let remedy = isRedirect ? "Remove this line" : "Guard \(address) too, or write break at the end of this line"
        review.complain(
            directive.place,
            "\(directive.text) in the guarded \(text) \(effect) without the guard, because nginx runs rewrite before "
                + "auth_request. \(remedy)"
        )
    }

    /// nginx asks the guard before it looks for files, but a client can also request the last address of the list directly.
    private func checkFiles(_ directive: NginxDirective, _ review: inout ServerReview) {
        guard let address = directive.arguments.last, address.hasPrefix("/"), !isGuarded(address) else { return }
        review.note(
            directive.place,
            "\(directive.text) in the guarded \(text) leads to \(address), which is not guarded: a client that asks for that "
                + "address passes no guard. Guard it too, or end this line with a named location, such as @application, "
                + "which no client can ask for"
        )
    }

    /// Whether every path that an address may stand for is guarded, or is a page of linkedin-signin.
    func isGuarded(_ address: String) -> Bool {
        guard address.hasPrefix("/"), !address.hasPrefix("//") else { return false }
        let path = address.prefix { $0 != "?" && $0 != "#" }
        let known = String(path.prefix { $0 != "$" })
        guard let location = server.location(at: known), !isOpen(location) else { return false }
        if path.count == known.count, [.exact, .finalPrefix].contains(location.kind) { return true }
        return server.locations.allSatisfy { other in !isOpen(other) || !mayTake(known, other, from: location) }
    }

    /// Whether nginx may prefer another location for a path that begins with known text.
    private func mayTake(_ known: String, _ other: NginxLocation, from location: NginxLocation) -> Bool {
        switch other.kind {
        case .exact, .prefix, .finalPrefix: other.path != known && other.path.hasPrefix(known)
        case .expression(let ignoresCase):
            location.kind == .prefix && PathPattern.mayMatch(other.path, below: known, ignoringCase: ignoresCase)
        case .named: false
        }
    }

    private func isOpen(_ location: NginxLocation) -> Bool {
        guard NginxGuard(location, in: server) == nil else { return false }
        return server.target(of: location) != server.target(of: guarded.question)
    }
}
