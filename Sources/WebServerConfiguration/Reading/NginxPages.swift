import Settings

/// Finds directives outside the pages for signing in that keep visitors from signing in.
struct NginxPages {
    let server: NginxServer
    let guards: [NginxGuard]

    func add(to review: inout ServerReview) {
        checkRewrites(&review)
        checkConditions(&review)
        checkHosts(&review)
        checkListening(&review)
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

    /// The conditions outside all locations with which nginx rejects a request of a sign-in or sign-out.
    private var rejections: [(NginxDirective, String)] {
        answers.compactMap { line, verdict, answer in
            guard case .always(let requests) = verdict, answer.arguments.first.flatMap({ Int($0) }) ?? 0 >= 400 else {
                return nil
            }
            return (line, "nginx rejects \(requests)")
        }
    }

    /// The conditions outside all locations with which nginx responds to requests of a sign-in or sign-out, or may do so.
    private var answers: [(line: NginxDirective, verdict: SignInRequests.Verdict, answer: NginxDirective)] {
        conditions.compactMap { line, condition in
            guard let answer = line.block.named("return").first, !(condition.isOfHost && answer.isRedirect) else {
                return nil
            }
            let verdict = values.verdict(on: condition)
            if case .never = verdict { return nil }
            return (line, verdict, answer)
        }
    }

    private var values: NginxSignInValues { NginxSignInValues(server: server) }

    /// The conditions outside all locations, without those about files.
    private var conditions: [(line: NginxDirective, condition: NginxCondition)] {
        server.directive.block.named("if").compactMap { line in NginxCondition(line).map { (line, $0) } }
    }

    /// Finds conditions about what only some clients send, or with a redirect, which an operator may intend.
    private func checkConditions(_ review: inout ServerReview) {
        guard !server.pages.isEmpty else { return }
        let rejected = Set(rejections.map(\.0.place))
        for (line, _, answer) in answers where !rejected.contains(line.place) {
            review.warn(
                line.place,
                "nginx responds with \(answer.text) to all requests for which the condition \(line.text) outside all locations "
                    + "holds, so these requests do not reach linkedin-signin. If visitors with such requests should sign in or out, move this line into "
                    + "the locations that need it"
            )
        }
    }

    /// Finds redirects of the host of the site to another host, such as that with `www`.
    private func checkHosts(_ review: inout ServerReview) {
        guard let path = server.pages.first?.path else { return }
        for (line, condition) in conditions where condition.isOfHost {
            guard case .always(let requests) = values.verdict(on: condition),
                let answer = line.block.named("return").first ?? server.rewrite(of: path, in: line)?.line,
                answer.isRedirect, let host = values.otherHost(after: answer)
            else { continue }
            review.complain(
                answer.place,
                "\(answer.text) in \(line.text) outside all locations redirects \(requests), the host in SIGNIN_BASE_URL, to "
                    + "\(host), so nobody can sign in. If visitors should use \(host), write this host in SIGNIN_BASE_URL, and print "
                    + "the files again with print-config; else change this condition"
            )
        }
    }

    /// Finds addresses at which nginx expects the PROXY protocol, which browsers do not speak.
    private func checkListening(_ review: inout ServerReview) {
        guard !server.pages.isEmpty else { return }
        let all = server.directive.block.named("listen")
        let used = server.hasTLS ? all.filter { $0.arguments.contains("ssl") } : all
        let own = server.directive.block.named("set_real_ip_from")
        let proxies = (own.isEmpty ? server.http.named("set_real_ip_from") : own).compactMap(\.arguments.first)
        let isOfProxies = !proxies.isEmpty && !proxies.contains { $0.hasSuffix("/0") }
        for line in used where line.arguments.contains("proxy_protocol") {
            let text = "\(line.text) makes nginx reject each connection to this address without the PROXY protocol"
            // A browser may connect to another address of the server.
            guard !isOfProxies, used.allSatisfy({ $0.arguments.contains("proxy_protocol") }) else {
                review.note(line.place, text + ", so HAProxy must connect there with send-proxy")
                continue
            }
            review.warn(
                line.place,
                "\(text), so no browser can connect. Name only the addresses of HAProxy in set_real_ip_from, or remove "
                    + "proxy_protocol from this line"
            )
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

    /// A line outside all locations that leads paths of pages or guards to other paths.
    private struct Hit {
        let line: NginxDirective
        /// The condition around it; nil if it applies to all requests.
        let condition: NginxDirective?
        var paths: [String] = []
        var guards: [String] = []
        var isOfPages = false
    }

    /// Finds a `rewrite` outside all locations, after which nginx chooses the location of the new path.
    private func checkRewrites(_ review: inout ServerReview) {
        var hits: [SourcePlace: Hit] = [:]
        let all: [(NginxDirective?, NginxCondition?)] = [(nil, nil)] + conditions.map { ($0, $1) }
        for (line, condition) in all {
            for page in server.pages {
                if let condition, case .never = values.verdict(on: condition) { continue }
                guard let (rewrite, _) = server.rewrite(of: page.path, in: line),
                    !(condition?.isOfHost == true && rewrite.isRedirect)
                else { continue }
                hits[rewrite.place, default: Hit(line: rewrite, condition: line)].paths.append(page.path)
                hits[rewrite.place]?.isOfPages = true
            }
            for guarded in guards where guarded.rule.map(GuardedLocation.admitsEverybody) != true {
                let location = guarded.location
                let path = location.path + (location.kind == .exact ? "" : "x")
                guard !location.isExpression, condition.map({ mayHold($0, for: path) }) ?? true,
                    let (rewrite, target) = server.rewrite(of: path, in: line),
                    !rewrite.isRedirect, !NginxEarlyAnswers(guarded: guarded, server: server).isGuarded(target)
                else { continue }
                hits[rewrite.place, default: Hit(line: rewrite, condition: line)].paths.append(location.path)
                hits[rewrite.place]?.guards.append(location.directive.text)
            }
        }
        for (place, hit) in hits.sorted(by: { $0.key.description < $1.key.description }) {
            let visitors = hit.condition == nil ? "nobody" : "no visitor with such requests"
            let effects =
                (hit.guards.isEmpty ? [] : ["nginx does not ask the guard of \(hit.guards.joined(separator: ", "))"])
                + (hit.isOfPages ? ["\(visitors) can sign in"] : [])
            let text =
                "\(hit.line.text) \(hit.condition.map { "in \($0.text) " } ?? "")outside all locations leads requests for "
                + "\(hit.paths.joined(separator: ", ")) to other paths before nginx chooses a location, so "
                + "\(effects.joined(separator: ", and ")). Move this line into the locations that need it"
            if hit.condition == nil { review.complain(place, text) } else { review.warn(place, text) }
        }
    }

    /// Whether a condition may hold for a request for a guarded path, which any client can send.
    private func mayHold(_ condition: NginxCondition, for path: String) -> Bool {
        switch condition.variable {
        case "$uri", "$document_uri", "$request_uri": condition.holds(for: path)
        case "$host", "$http_host": if case .never = values.verdict(on: condition) { false } else { true }
        default: values.values(of: condition.variable)?.isEmpty != true
        }
    }
}
