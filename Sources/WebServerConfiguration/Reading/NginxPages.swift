import Settings

extension NginxServerReview {
    /// Finds directives outside the pages for signing in that keep visitors from signing in.
    func checkPages(_ review: inout ServerReview) {
        checkRewrites(&review)
        checkRemovedSlashes(&review)
        checkConditions(&review)
        var reported: Set<SourcePlace> = []
        for page in server.pages {
            for (line, effect) in obstacles(of: page) where reported.insert(line.place).inserted {
                complain(of: line, at: page, "\(effect), and nobody can sign in", &review)
            }
            for line in policies(of: page) where reported.insert(line.place).inserted {
                review.warn(
                    line.place,
                    "\(line.name) \(line.arguments[0]) is in force in \(page.text) of linkedin-signin, whose pages have their own "
                        + "policy. Browsers apply both, so the pages can lose their style and their forms. Move this line into the "
                        + "locations of your application"
                )
            }
            for (line, visitors, remedy) in limits(of: page) where reported.insert(line.place).inserted {
                review.warn(
                    line.place,
                    "\(line.text) is in force in \(page.text) of linkedin-signin, so only \(visitors) can sign in. If "
                        + "others should sign in too, write in the server block (\(server.place)) \(remedy)"
                )
            }
        }
    }

    private func complain(
        of line: NginxDirective,
        at page: NginxLocation,
        _ effect: String,
        _ review: inout ServerReview
    ) {
        review.complain(
            line.place,
            "\(line.text) is in force in \(page.text) of linkedin-signin, so \(effect). "
                + "Remove this line, or move it into the locations that need it"
        )
    }

    private func obstacles(of page: NginxLocation) -> [(NginxDirective, String)] {
        let hidden = page.effective("fastcgi_hide_header").filter { $0.arguments.first?.lowercased() == "set-cookie" }
        let kept = page.effective("fastcgi_pass_request_headers").suffix(1).filter { $0.arguments == ["off"] }
        let admitted = page.accessLines.contains { $0.name == "allow" }
        let denied = admitted ? [] : page.accessLines.filter { $0.arguments == ["all"] }
        let returns = server.block.named("return")
        return hidden.map { ($0, "no browser gets a cookie of linkedin-signin") }
            + returns.map { ($0, "nginx responds with this line to every request") }
            + kept.map { ($0, "linkedin-signin gets no cookie") } + denied.map { ($0, "nginx rejects all visitors") }
    }

    /// Policies that can forbid the style, the pictures, the script or the forms of a page.
    private func policies(of page: NginxLocation) -> [NginxDirective] {
        // The value of a variable is not known.
        let forbidding = ["default-src", "style-src", "img-src", "script-src", "form-action", "sandbox", "$"]
        return page.effective("add_header").filter { line in
            line.arguments.count > 1 && line.arguments[0].lowercased() == "content-security-policy"
                && forbidding.contains(where: line.arguments[1].lowercased().contains)
        }
    }

    private var values: NginxSignInValues { NginxSignInValues(server: server) }

    /// The conditions outside all locations, without those about files.
    private var conditions: [NginxCondition] { server.block.named("if").compactMap(NginxCondition.init) }

    /// Finds conditions with which nginx responds to requests of a sign-in or sign-out itself.
    private func checkConditions(_ review: inout ServerReview) {
        guard let page = server.pages.first else { return }
        for condition in conditions {
            let (line, verdict) = (condition.line, values.verdict(on: condition))
            let answer = line.block.named("return").first
            let redirect = answer ?? server.rewrite(of: page.path, in: line)?.line
            guard verdict.mayHold else { continue }
            if condition.isOfHost, let redirect, redirect.isRedirect {
                checkHost(redirect, in: line, verdict, &review)
            } else if let answer, answer.isRejection, let requests = verdict.requests {
                complain(of: line, at: page, "nginx rejects \(requests)", &review)
            } else if let answer {
                // An operator may intend a redirect, or a condition about what only some clients send.
                review.warn(
                    line.place,
                    "nginx responds with \(answer.text) to all requests for which the condition \(line.text) outside all "
                        + "locations holds, so these requests do not reach linkedin-signin. "
                        + (condition.variable == NginxCondition.scheme
                            ? "Browsers do not send this field: if no proxy in front of nginx sends it, remove this line"
                            : "If visitors with such requests should sign in or out, move this line into the locations "
                                + "that need it")
                )
            }
        }
    }

    /// Finds a redirect of the host of the site to another host, such as that with `www`.
    private func checkHost(
        _ redirect: NginxDirective,
        in line: NginxDirective,
        _ verdict: SignInRequests.Verdict,
        _ review: inout ServerReview
    ) {
        guard let requests = verdict.requests, let host = values.otherHost(after: redirect) else { return }
        review.complain(
            redirect.place,
            "\(redirect.text) in \(line.text) outside all locations redirects \(requests), the host in SIGNIN_BASE_URL, to "
                + "\(host), so nobody can sign in. If visitors should use \(host), write this host in SIGNIN_BASE_URL, and print "
                + "the files again with print-config; else change this condition"
        )
    }

    /// The lines with which only some visitors can sign in, these visitors, and how the others can sign in too.
    private func limits(of page: NginxLocation) -> [(NginxDirective, visitors: String, remedy: String)] {
        var limits: [(NginxDirective, visitors: String, remedy: String)] = []
        if let line = page.effective("auth_basic").last, line.arguments != ["off"] {
            let remedy = "auth_basic off; and \(line.text); only in the locations that need a password"
            limits.append((line, "visitors with a password of auth_basic", remedy))
        }
        if let line = page.effective("ssl_verify_client").last, line.arguments == ["on"], server.hasTLS {
            let remedy =
                "ssl_verify_client optional; and in the locations that need a certificate: "
                + "if ($ssl_client_verify != SUCCESS) { return 403; }"
            limits.append((line, "browsers with a client certificate", remedy))
        }
        return limits
    }

    /// A path that a line `rewrite` outside all locations leads to another path.
    private typealias Moved = (path: String, line: NginxDirective, guarded: NginxDirective?)

    /// Finds a `rewrite` outside all locations, after which nginx chooses the location of the new path.
    private func checkRewrites(_ review: inout ServerReview) {
        for condition in [nil] + conditions {
            let line = condition?.line
            let all = pages(movedIn: condition) + guards.compactMap { moved($0, in: condition) }
            for (place, hits) in all.grouped(by: \.line.place) {
                let open = hits.compactMap(\.guarded?.text)
                let visitors = line == nil ? "nobody" : "no visitor with such requests"
                let effects =
                    (open.isEmpty ? [] : ["nginx does not ask the guard of \(open.joined(separator: ", "))"])
                    + (open.count == hits.count ? [] : ["\(visitors) can sign in"])
                let text =
                    "\(hits[0].line.text) \(line.map { "in \($0.text) " } ?? "")outside all locations leads requests for "
                    + "\(hits.map(\.path).joined(separator: ", ")) to other paths before nginx chooses a location, so "
                    + "\(effects.joined(separator: ", and ")). Move this line into the locations that need it"
                review.find(open.isEmpty ? .other : .bypass) { $0.complain(place, text, isCertain: line == nil) }
            }
        }
    }

    private func pages(movedIn condition: NginxCondition?) -> [Moved] {
        guard condition.map({ values.verdict(on: $0).mayHold }) ?? true else { return [] }
        return server.pages.compactMap { page in
            guard let rewrite = server.rewrite(of: page.path, in: condition?.line)?.line,
                condition?.isOfHost != true || !rewrite.isRedirect
            else { return nil }
            return (page.path, rewrite, nil)
        }
    }

    private func moved(_ guarded: NginxGuard, in condition: NginxCondition?) -> Moved? {
        let location = guarded.location
        let path = location.path + (location.kind == .exact ? "" : "x")
        guard !guarded.admitsEverybody, !location.isExpression, condition.map({ mayHold($0, for: path) }) ?? true,
            let (rewrite, target) = server.rewrite(of: path, in: condition?.line),
            !rewrite.isRedirect, !guarded.isGuarded(target)
        else { return nil }
        return (location.path, rewrite, location.directive)
    }

    /// Whether a condition may hold for a request for a guarded path, which any client can send.
    private func mayHold(_ condition: NginxCondition, for path: String) -> Bool {
        switch condition.variable {
        case "$uri", "$document_uri", "$request_uri": condition.holds(for: path)
        case "$host", "$http_host": values.verdict(on: condition).mayHold
        default: values.values(of: condition.variable)?.isEmpty != true
        }
    }

    /// Finds a redirect outside all locations that removes the slash of a guarded directory.
    private func checkRemovedSlashes(_ review: inout ServerReview) {
        let hits = guards.compactMap { guarded in
            lineRemovingSlash(of: guarded.location).map { (line: $0, path: guarded.location.path) }
        }
        for (place, hits) in hits.grouped(by: \.line.place) {
            let paths = hits.map(\.path).joined(separator: ", ")
            let isCertain = isForDirectories(hits[0].line)
            let text =
                "\(hits[0].line.text) outside all locations removes the slash at the end of \(paths), and nginx adds the slash "
                + "again or finds no file, so visitors cannot open \(paths)\(isCertain ? "" : " if no such directory exists"). "
                + "Move this line into the locations that need it"
            review.complain(place, text, isCertain: isCertain)
        }
    }

    private func lineRemovingSlash(of location: NginxLocation) -> NginxDirective? {
        let path = String(location.path.dropLast())
        guard !location.isExpression, location.path.hasSuffix("/"), !path.isEmpty,
            let (line, target) = server.rewrite(of: location.path, in: nil), line.isRedirect,
            target.trimmingPrefix(#/(?:https?|\$scheme):\/\/\$(?:http_host|host|server_name)/#) == path
        else { return nil }
        // nginx redirects to the path of an application by itself if no location has the path without the slash.
        if !NginxApplication.all(of: location).isEmpty, server.location(at: path)?.path != path { return line }
        // Where files have no other way, a directory is redirected.
        let other = server.choice(for: path)
        return !hasOtherWay(other) && server.servesAnyFiles(other, at: path) && isForDirectories(line) ? line : nil
    }

    /// Whether a location may respond to the path of a directory with a file outside it.
    private func hasOtherWay(_ location: NginxLocation) -> Bool {
        // The other lines of a server are about all its paths.
        guard location.depth >= 0 else { return !location.block.named("try_files").isEmpty }
        return location.block.contains { line in
            switch line.name {
            case "alias", "rewrite", "try_files": return true
            case "error_page": return line.arguments.contains("404")
            case "if":
                // The include files of a guard have such a condition.
                return !line.block.contains(where: \.isRejection)
            default: return false
            }
        }
    }

    /// Whether a line outside all locations applies to directories, which a condition about files may leave out.
    private func isForDirectories(_ line: NginxDirective) -> Bool {
        let conditions = server.block.named("if").filter { $0.text == "if (!-f $request_filename)" }
        return (server.block + conditions.flatMap(\.block)).contains(line)
    }
}
