package import FastCGI
package import HTTP
package import Settings

import struct FoundationEssentials.Data
import class FoundationEssentials.JSONDecoder

/// Asks the running program over FastCGI, as the web server does.
package struct ProgramCheck {
    /// What the program said, for a comparison with the answers of the web server.
    package struct Findings {
        package var report = Report()
        /// The answer to `GET /login`; nil if there was none.
        package var login: Client.Answer?
        /// The process that answered.
        package var process: Int32?
    }

    /// How the settings of the program are found out.
    package struct Comparison {
        fileprivate let proof: String?
        fileprivate let open: (String) -> [String: String]?

        /// - Parameters:
        ///   - proof: The cookie that proves that this command can read the server key; nil if it cannot.
        ///   - open: Opens the hashes of the program's settings.
        package init(proof: String?, open: @escaping (_ sealed: String) -> [String: String]?) {
            self.proof = proof
            self.open = open
        }
    }

    private let client: Client
    private let name: String
    private let configuration: Configuration

    /// - Parameters:
    ///   - place: Where the program listens.
    ///   - configuration: The settings that the program should have.
    package init(_ place: Client.Place, _ configuration: Configuration) {
        client = Client(place)
        name =
            switch place {
            case .unix(let path): path
            case .tcp(let host, let port): "\(host):\(port)"
            }
        self.configuration = configuration
    }

    /// Asks for `/healthz`, `/readyz` and `/login`, and for the settings; blocks the calling thread.
    ///
    /// - Parameters:
    ///   - hashes: A hash of each setting that the program should have, by name.
    ///   - comparison: How the settings of the program are found out.
    /// - Returns: The findings.
    package func run(comparing hashes: [String: String], _ comparison: Comparison) -> Findings {
        var findings = Findings()
        do throws(Client.Failure) {
            let health = try ask(.health)
            findings.process = health.process
            findings.report += judge(health, .health, .programUnhealthy, remediesOfHealth)
            // The same cause would make every other request fail too.
            guard health.status != 404 else { return findings }
            findings.report += judge(try ask(.readiness), .readiness, .programNotReady, Self.remediesOfReadiness)
            let login = try ask(.login, query: configuration.queryOfFirst)
            findings.login = login
            findings.report += LoginAnswer(login.status, login.headers).report(
                of: configuration,
                subject: "\(name) \(configuration.mount.path(SitePath.login.rawValue))",
                .programOtherSettings
            )
            findings.report += try compare(hashes, comparison)
        } catch {
            findings.report += report(error)
        }
        return findings
    }

    /// The variables with which a web server passes a request (RFC 3875 §4.1).
    package static func parameters(_ method: Method, _ path: String, query: String = "") -> [(String, String)] {
        [
            ("REQUEST_METHOD", method.rawValue), ("SCRIPT_NAME", path), ("QUERY_STRING", query),
            ("REQUEST_URI", query.isEmpty ? path : "\(path)?\(query)"), ("SERVER_PROTOCOL", "HTTP/1.1"),
            ("GATEWAY_INTERFACE", "CGI/1.1"), ("REMOTE_ADDR", "127.0.0.1"), ("HTTP_ACCEPT", "application/json"),
            ("HTTP_USER_AGENT", "linkedin-signin doctor"),
        ]
    }

    private var units: UnitCommands { UnitCommands(site: configuration.site) }

    private func ask(_ path: SitePath, query: String = "") throws(Client.Failure) -> Client.Answer {
        try client.ask(Self.parameters(.get, configuration.mount.path(path.rawValue), query: query))
    }

    /// Finds settings of which the program has other values, such as those from before a change.
    private func compare(
        _ hashes: [String: String],
        _ comparison: Comparison
    ) throws(Client.Failure) -> Report {
        let path = configuration.mount.path(SitePath.login.rawValue)
        let subject = "\(name) POST \(path)"
        guard let proof = comparison.proof else { return Report(keyUnreadableFor: subject) }
        let answer = try client.ask(Self.parameters(.post, path) + [("HTTP_COOKIE", proof)])
        let seen = try? JSONDecoder().decode(RequestDescription.self, from: Data(answer.body))
        guard let running = seen?.settings.flatMap(comparison.open) else {
            let what =
                "HTTP \(answer.status): the program did not report its settings: it has another server key, or is "
                + "another version"
            return Report(.notChecked, subject, what)
        }
        let known = Setting.all.map(\.name)
        // The settings of providers that files add.
        let others = Set(hashes.keys).union(running.keys).subtracting(known).sorted()
        let changed = (known + others).filter { hashes[$0] != running[$0] }
        guard !changed.isEmpty else { return Report(passed: subject, "the program has these settings") }
        // systemd passes a credential only to a new process.
        let passed = configuration.providers.filter(\.secretNeedsRestart).map(\.secretName)
        let needsRestart = !configuration.needingRestart.union(passed).isDisjoint(with: changed)
        let difference =
            configuration.site == nil
            ? "the running program and this command have different settings"
            : "the settings have changed since the running program read them"
        let (changes, names) = Self.changes(changed, from: running, to: hashes)
        let remedies =
            [
                needsRestart ? units.restart : units.reload,
                "or the log has reload-refused with the reason: \(units.lastLines)",
            ] + (configuration.site == nil ? ["or run this command with the environment of the service"] : [])
        // A restart with a secret that the provider refuses would end a program that works.
        let refusable = Set(configuration.providers.map(\.secretName) + [Setting.clientID.name])
        return Report(
            .settingsNotLoaded,
            subject,
            "\(difference); \(changes)",
            remedies: remedies,
            restarting: needsRestart ? units : nil,
            causing: Set(names.map(Cause.changed)),
            explainedBy: refusable.isSuperset(of: changed) ? Set(changed.map(Cause.refused)) : [.otherProgram]
        )
    }

    /// The names of the settings, and each provider whose file is new or gone, in place of the names of all its settings: a
    /// text, and the names in the text, without the files of the providers.
    private static func changes(
        _ names: [String],
        from running: [String: String],
        to hashes: [String: String]
    ) -> (text: String, names: [String]) {
        let file = { (name: String) in name.firstRange(of: " in ").map { String(name[$0.upperBound...]) } }
        let (before, now) = (Set(running.keys.compactMap(file)), Set(hashes.keys.compactMap(file)))
        let others = names.filter { name in file(name).map { before.contains($0) == now.contains($0) } ?? true }
        let providers = now.symmetricDifference(before).sorted().map { path in
            let id = path.split(separator: "/").last ?? ""
            return "the provider \(id) is \(now.contains(path) ? "new" : "removed") (\(path))"
        }
        let values = others.isEmpty ? [] : ["other values: \(others.joined(separator: ", "))"]
        return ((values + providers).joined(separator: "; "), others.map { String($0.prefix { $0 != " " }) })
    }

    private var remediesOfHealth: [String] {
        ["the log has thread-hung with the cause, such as a network drive that does not answer", units.restart]
    }
    private static let remediesOfReadiness = ["look up the reason in docs/log.md, and in the log"]

    private func judge(
        _ answer: Client.Answer,
        _ path: SitePath,
        _ code: FindingCode,
        _ remedies: [String]
    ) -> Report {
        struct Body: Decodable {
            let reasons: [String]?
        }
        let subject = "\(name) \(configuration.mount.path(path.rawValue))"
        if answer.status == 200 {
            return Report(passed: subject, "ok")
        } else if answer.status == 404 {
            let what = "HTTP 404: the program has another path in SIGNIN_BASE_URL, or is another version"
            return Report(
                .programOtherSettings,
                subject,
                what,
                remedies: LoginAnswer.remedies(units),
                causing: [.otherProgram],
                explainedBy: [.otherSite]
            )
        } else {
            let reasons = (try? JSONDecoder().decode(Body.self, from: Data(answer.body)))?.reasons ?? []
            let what = "HTTP \(answer.status)" + (reasons.isEmpty ? "" : ": \(reasons.joined(separator: ", "))")
            return Report(code, subject, what, remedies: remedies, explainedBy: Set(reasons.map(Self.cause(of:))))
        }
    }

    /// What explains a reason of the program.
    private static func cause(of reason: String) -> Cause {
        if reason == "keys-unavailable" { return .setting(Setting.jwksURI.name) }
        return reason.hasPrefix("store-") ? .setting(Setting.store.name) : .reason(reason)
    }

    private func report(_ failure: Client.Failure) -> Report {
        let unanswered = { (code: FindingCode, remedies: [String]) in
            Report(
                code,
                name,
                failure.detail,
                remedies: remedies,
                restarting: units,
                causing: .silence,
                explainedBy: .noStart
            )
        }
        let start = [units.start, "why it ended: \(units.lastLines)"]
        switch failure.reason {
        case .missing: return unanswered(.socketMissing, start)
        case .refused: return unanswered(.socketSilent, start)
        case .denied:
            let what = "this user may not connect; run this command with sudo"
            return Report(.notChecked, name, what)
        case .closed where !configuration.allowedUsers.isEmpty:
            let what =
                "the program closed the connection: SIGNIN_ALLOWED_USERS lacks this user; run this command with sudo"
            return Report(.notChecked, name, what, explainedBy: [.userRefused])
        case .closed, .timedOut, .malformed, .tooLarge:
            let remedies = [
                "look at the last lines of the log: \(units.lastLines)",
                "if LinkedIn cannot be reached either, correct that first: /readyz waits for LinkedIn's keys",
                "if the process that listens at \(name) is not linkedin-signin, stop it; this command shows it: ss -lxtnp | grep \(name)",
            ]
            return unanswered(.programSilent, remedies + remediesOfHealth)
        }
    }
}
