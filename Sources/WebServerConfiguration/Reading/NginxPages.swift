import Settings

/// Finds directives that the pages for signing in inherit from the blocks around them, and that keep visitors from signing in.
struct NginxPages {
    let server: NginxServer

    func add(to review: inout ServerReview) {
        let pages = server.locations.filter { location in
            location.kind == .exact && location.hasAction && server.target(of: location) != nil
                && (location.path.hasSuffix(SitePath.login.rawValue) || SitePath.isCallback(location.path))
                && location.directive.block.named("internal").isEmpty
        }
        var reported: Set<SourcePlace> = []
        for page in pages {
            for (line, effect) in obstacles(of: page) where reported.insert(line.place).inserted {
                review.complain(
                    line.place,
                    "\(line.text) is in force in \(page.directive.text) of linkedin-signin, so \(effect), and nobody can sign in. "
                        + "Remove this line, or move it into the locations that need it"
                )
            }
            if let line = page.effective("auth_basic").last, line.arguments != ["off"],
                reported.insert(line.place).inserted
            {
                review.note(
                    line.place,
                    "\(line.text) is in force in \(page.directive.text) of linkedin-signin, so only visitors with a password of "
                        + "auth_basic can sign in. If others should sign in too, move this line into the locations that need it"
                )
            }
        }
    }

    private func obstacles(of page: NginxLocation) -> [(NginxDirective, String)] {
        let hidden = page.effective("fastcgi_hide_header").filter { $0.arguments.first?.lowercased() == "set-cookie" }
        let kept = page.effective("fastcgi_pass_request_headers").suffix(1).filter { $0.arguments == ["off"] }
        let admitted = page.accessLines.contains { $0.name == "allow" }
        let denied = admitted ? [] : page.accessLines.filter { $0.arguments == ["all"] }
        let returns = server.directive.block.named("return")
        return hidden.map { ($0, "no browser gets a cookie of linkedin-signin") }
            + returns.map { ($0, "nginx responds with this line to every request") }
            + kept.map { ($0, "linkedin-signin gets no cookie") } + denied.map { ($0, "nginx rejects all visitors") }
    }
}
