extension NginxGuard {
    /// Finds directives of the guarded location with which nginx answers, or leaves the location, before it asks the guard.
    ///
    /// nginx runs `return` and `rewrite` in its rewrite phase and `auth_request` in its access phase, which comes later.
    func checkEarlyAnswers(_ review: inout ServerReview) {
        let block = location.block
        for directive in block + block.named("if").flatMap(\.block) {
            if directive.name == "try_files" { checkFiles(directive, &review) }
            guard let (effect, remedy) = answer(of: directive) else { continue }
            review.complain(
                directive.place,
                "\(directive.text) in the guarded \(location.text) \(effect) without the guard, because nginx runs "
                    + "\(directive.name) before auth_request. \(remedy)"
            )
        }
    }

    /// What a line does without the guard, and how to correct it; nil if it shows nothing that is guarded.
    private func answer(of line: NginxDirective) -> (effect: String, remedy: String)? {
        switch (line.name, line.arguments.count) {
        case ("return", 1...):
            let leadsToGuard = line.isRedirect && line.arguments.last.map(isGuarded) == true
            guard !line.isRejection, !leadsToGuard else { return nil }
            return ("responds", "Remove this line, or move it to a location that need not be guarded")
        case ("rewrite", 2...):
            let address = line.arguments[1]
            guard !isGuarded(address) else { return nil }
            if line.isRedirect { return ("redirects to \(address)", "Remove this line") }
            // With `break`, the request stays in the location, and nginx asks the guard afterwards.
            guard !location.finalRewrites.contains(line) else { return nil }
            return ("leads to \(address)", "Guard \(address) too, or write break at the end of this line")
        default: return nil
        }
    }

    /// nginx asks the guard before it looks for files, but a client can also request the last address of the list directly.
    private func checkFiles(_ directive: NginxDirective, _ review: inout ServerReview) {
        guard let address = directive.arguments.last, address.hasPrefix("/"), !isGuarded(address) else { return }
        review.note(
            directive.place,
            "\(directive.text) in the guarded \(location.text) leads to \(address), which is not guarded: a client that asks for that "
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
        case .expression: location.kind == .prefix && other.mayMatch(below: known)
        case .named: false
        }
    }

    private func isOpen(_ location: NginxLocation) -> Bool {
        guard NginxGuard(location, in: server) == nil else { return false }
        return server.target(of: location) != server.target(of: question)
    }
}
