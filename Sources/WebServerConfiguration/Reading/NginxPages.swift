import Settings

/// Finds directives outside the pages for signing in that keep visitors from signing in.
struct NginxPages {
    let server: NginxServer
    let guards: [NginxGuard]

    func add(to review: inout ServerReview) {
        checkRewrites(&review)
        var reported: Set<SourcePlace> = []
        for page in server.pages {
            for (line, effect) in obstacles(of: page) where reported.insert(line.place).inserted {
                review.complain(
                    line.place,
                    "\(line.text) is in force in \(page.directive.text) of linkedin-signin, so \(effect). "
                        + "Remove this line, or move it into the locations that need it"
                )
            }
            for (line, visitors, remedy) in limits(of: page) where reported.insert(line.place).inserted {
                review.warn(
                    line.place,
                    "\(line.text) is in force in \(page.directive.text) of linkedin-signin, so only \(visitors) can sign in. If "
                        + "others should sign in too, write in the server block (\(server.directive.place)) \(remedy)"
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
        let causes =
            hidden.map { ($0, "no browser gets a cookie of linkedin-signin") }
            + returns.map { ($0, "nginx responds with this line to every request") }
            + kept.map { ($0, "linkedin-signin gets no cookie") } + denied.map { ($0, "nginx rejects all visitors") }
        return causes.map { ($0, "\($1), and nobody can sign in") } + rejections
    }

    /// Variables of conditions, values that they have in a sign-in or sign-out, and the requests with these values.
    private static let needed = [
        ("$args", "code=AQ&state=AQ", "the callback of a sign-in"),
        ("$query_string", "code=AQ&state=AQ", "the callback of a sign-in"),
        ("$request_method", "GET", "GET requests"),
        ("$request_method", "POST", "POST requests, such as those of the sign-out"),
        ("$http_referer", "https://www.linkedin.com/", "visitors who come back from LinkedIn"),
        ("$invalid_referer", "1", "visitors who come back from LinkedIn"),
    ]

    /// The conditions outside all locations with which nginx rejects a request of a sign-in or sign-out.
    private var rejections: [(NginxDirective, String)] {
        let block = server.directive.block
        // A list with hosts may contain that of the provider.
        let hasHosts = block.named("valid_referers").flatMap(\.arguments).contains { $0.contains(".") }
        return block.named("if").compactMap { line in
            guard let condition = NginxCondition(line), condition.variable != "$invalid_referer" || !hasHosts,
                line.block.named("return").contains(where: { $0.arguments.first.flatMap { Int($0) } ?? 0 >= 400 }),
                let lost = Self.needed.first(where: { $0.0 == condition.variable && condition.holds(for: $0.1) })
            else { return nil }
            return (line, "nginx rejects \(lost.2)")
        }
    }

    /// The lines with which only some visitors can sign in, these visitors, and how the others can sign in too.
    private func limits(of page: NginxLocation) -> [(NginxDirective, visitors: String, remedy: String)] {
        let password = page.effective("auth_basic").suffix(1).filter { $0.arguments != ["off"] }
        let certificate = page.effective("ssl_verify_client").suffix(1).filter {
            $0.arguments == ["on"] && server.hasTLS
        }
        return password.map {
            (
                $0, "visitors with a password of auth_basic",
                "auth_basic off; and \($0.text); only in the locations that need a password"
            )
        }
            + certificate.map {
                (
                    $0, "browsers with a client certificate",
                    "ssl_verify_client optional; and in the locations that need a certificate: "
                        + "if ($ssl_client_verify != SUCCESS) { return 403; }"
                )
            }
    }

    /// Finds a `rewrite` outside all locations, after which nginx chooses the location of the new path.
    private func checkRewrites(_ review: inout ServerReview) {
        var hit: [SourcePlace: (line: NginxDirective, paths: [String], guards: [String], pages: Bool)] = [:]
        for page in server.pages {
            guard let (line, _) = server.rewrite(of: page.path) else { continue }
            hit[line.place, default: (line, [], [], true)].paths.append(page.path)
        }
        for guarded in guards where guarded.rule.map(GuardedLocation.admitsEverybody) != true {
            let location = guarded.location
            guard !location.isExpression,
                let (line, target) = server.rewrite(of: location.path + (location.kind == .exact ? "" : "x")),
                !line.isRedirect, !NginxEarlyAnswers(guarded: guarded, server: server).isGuarded(target)
            else { continue }
            hit[line.place, default: (line, [], [], false)].paths.append(location.path)
            hit[line.place]?.guards.append(location.directive.text)
        }
        for (place, (line, paths, guards, isOfPages)) in hit.sorted(by: { $0.key.description < $1.key.description }) {
            let effects =
                (guards.isEmpty ? [] : ["nginx does not ask the guard of \(guards.joined(separator: ", "))"])
                + (isOfPages ? ["nobody can sign in"] : [])
            review.complain(
                place,
                "\(line.text) outside all locations leads requests for \(paths.joined(separator: ", ")) to other paths before nginx "
                    + "chooses a location, so \(effects.joined(separator: ", and ")). Move this line into the locations that need it"
            )
        }
    }
}
