import Encoding
import HTTP
import OpenID
import Settings

/// Asks for a guarded path and for its other spellings without a session, and for the path with the session of a member.
struct GuardCheck: Sendable {
    let visitor: SiteCheck
    let path: String
    let remedies: WebServerRemedies

    private var units: UnitCommands { UnitCommands(site: visitor.configuration.site) }

    func run() async -> Report {
        let subject = visitor.site.origin + path
        guard let answer = try? await visitor.get(path) else { return Report(.siteUnreachable, subject, "no response") }
        var report = Report()
        switch answer.status {
        case 200..<300:
            let lines = remedies(
                nginx: [
                    "in the location: include …-guard-….conf; of print-config --write, or its auth_request lines",
                    "look in nginx -T for another location that nginx prefers for this path, such as location =",
                ],
                lighttpd: [
                    "the printed $HTTP[\"url\"] =^ of the guarded location with \"mode\" => \"authorizer\"",
                    "remove a later condition with a fastcgi.server of its own, which replaces the guard",
                ]
            )
            let what = "HTTP \(answer.status) without a session"
            return Report(.guardMissing, subject, what, remedies: remedies.review + lines)
        case 401: report += Report(passed: subject, "asks to sign in")
        case 300..<400 where leadsToSignIn(answer): report += Report(passed: subject, "redirects to the sign-in")
        case 403, 500...599:
            let server = remedies(
                nginx: ["the error log of nginx has the cause"],
                lighttpd: ["the error log of lighttpd has the cause"]
            )
            let program = "the log of the program has access-denied with the rule and the reason: \(units.lastLines)"
            let lines = (answer.status == 403 ? [] : server) + [program, "run doctor with --require RULE"]
            let what = "HTTP \(answer.status) without a session, instead of 401"
            report += Report(.guardFailing, subject, what, remedies: lines + remedies.print)
        case 429:
            return Report(.notChecked, subject, "HTTP 429: too many requests")
        default:
            return Report(.notChecked, subject, "HTTP \(answer.status): name a path that exists with --guarded")
        }
        report += await checkSpellings()
        report += await checkPassword()
        return report
    }

    private func leadsToSignIn(_ answer: ClientResponse) -> Bool {
        let location = answer.headers[.location] ?? ""
        return location.hasPrefix(visitor.configuration.first.options.authorizationEndpoint)
            || location.hasPrefix(visitor.path(.login))
            || location.hasPrefix(visitor.configuration.mount.origin + visitor.path(.login))
    }

    /// What an answer to another spelling says about the guard.
    private enum Spelling: Sendable {
        case guarded
        case open(String)
        /// The spelling, and why the answer says nothing.
        case unclear(String)
    }

    /// Asks for a spelling of the guarded path.
    ///
    /// - Parameters:
    ///   - spelling: The path.
    ///   - decoys: The same spelling of paths that do not exist.
    ///   - names: The texts in which these paths and the guarded path differ.
    /// - Returns: What the answers say.
    private func ask(_ spelling: String, _ decoys: [String], without names: [String]) async -> Spelling {
        do throws(TransportError) {
            let answer = try await visitor.get(spelling)
            switch answer.status {
            case 200..<300: break
            case 429, 500...599: return .unclear("\(spelling) (HTTP \(answer.status))")
            default: return .guarded
            }
            // An application may answer every path with 200, and may repeat the address in its page.
            var pages: Set<String> = []
            for decoy in decoys {
                let other = try await visitor.get(decoy)
                switch other.status {
                case 200..<300: pages.insert(Self.page(of: other, without: names))
                case 429, 500...599: return .unclear("\(spelling) (HTTP \(other.status) to \(decoy))")
                default: return .open(spelling)
                }
            }
            guard pages.count == 1 else {
                return .unclear(
                    "\(spelling) (HTTP \(answer.status), as for each path: doctor cannot tell which page this is)"
                )
            }
            return pages.contains(Self.page(of: answer, without: names)) ? .guarded : .open(spelling)
        } catch {
            return .unclear("\(spelling) (no response: \(error.detail))")
        }
    }

    /// The body of an answer without some texts, in lower case.
    private static func page(of answer: ClientResponse, without names: [String]) -> String {
        let text = String(decoding: answer.body, as: UTF8.self).lowercased()
        return names.reduce(text) { $0.replacing($1.lowercased(), with: "") }
    }

    private func checkSpellings() async -> Report {
        var report = Report()
        let decoys = Self.decoys(of: path)
        let others = decoys.map(Self.spellings)
        let names = ([path] + decoys).map { String(Self.prefix(of: $0).dropFirst(2)) }.filter { !$0.isEmpty }
        let answers = await withTaskGroup(of: Spelling.self) { group in
            for (index, spelling) in Self.spellings(of: path).enumerated() {
                group.addTask { await ask(spelling, others.map { $0[index] }, without: names) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let unclear = answers.compactMap { if case .unclear(let text) = $0 { text } else { nil } }.sorted()
        if !unclear.isEmpty {
            let what = "other spellings without a clear response: \(unclear.joined(separator: "  "))"
            report += Report(.notChecked, visitor.site.origin + path, what)
        }
        let open = answers.compactMap { if case .open(let text) = $0 { text } else { nil } }.sorted()
        if open.isEmpty, unclear.isEmpty {
            let what = "none of \(answers.count) other spellings opens without a session"
            report += Report(passed: visitor.site.origin + path, what)
        }
        if !open.isEmpty {
            let lines = remedies(
                nginx: [
                    "write the guard in a location ^~, set merge_slashes on, and remove other locations for these spellings",
                    "guard both: --location \(Self.prefix(of: path)) guards the path with and without a slash",
                ],
                lighttpd: [
                    "keep server.http-parseopts of the printed configuration, and remove other conditions for these spellings",
                    "guard both: --location \(Self.prefix(of: path)) guards the path with and without a slash",
                ]
            )
            let what = "HTTP 200 without a session: \(open.joined(separator: "  "))"
            report += Report(.guardBypassed, visitor.site.origin + path, what, remedies: remedies.review + lines)
        }
        return report
    }

    /// The first segment of a path.
    private static func prefix(of path: String) -> String {
        "/" + path.dropFirst().prefix { $0 != "/" }
    }

    /// Paths that do not exist, and that differ from a guarded path only in letters of the first segment.
    ///
    /// Its first letter and its case are the same.
    private static func decoys(of path: String) -> [String] {
        let name = prefix(of: path).dropFirst()
        let rest = path.dropFirst(1 + name.count)
        return [11, 17].map { length in
            let letters = randomText(length)
            return "/\(name.prefix(1))\(name == name.uppercased() ? letters.uppercased() : letters)\(rest)"
        }
    }

    /// A random text that no page contains by chance.
    private static func randomText(_ length: Int) -> String {
        String((0..<length).map { _ in "bcdfghjklmnpqrstvwxz".randomElement() ?? "x" })
    }

    /// Spellings that some server or application reads as the same path, always in the same order.
    static func spellings(of path: String) -> [String] {
        let first = String(prefix(of: path).dropFirst())
        let rest = String(path.dropFirst(1 + first.utf8.count))
        guard let letter = first.utf8.first else { return [] }
        let escaped = "%" + String(letter, radix: 16) + first.dropFirst()
        let flipped = first == first.uppercased() ? first.lowercased() : first.uppercased()
        var spellings = [
            "//\(first)\(rest)", "/\(flipped)\(rest)", "/\(escaped)\(rest)", "/./\(first)\(rest)",
            "/%2e/\(first)\(rest)",
            "/x/../\(first)\(rest)", "/x/%2e%2e/\(first)\(rest)", "/x%2f..%2f\(first)\(rest)", "/%2f\(first)\(rest)",
            "/\(first);x\(rest)", "/\(first)%00\(rest)", "/%5c\(first)\(rest)", "//x/\(first)\(rest)",
            #"/\x/\#(first)\#(rest)"#,
        ]
        if rest.hasPrefix("/") {
            spellings += ["/\(first)/\(rest)", "/\(first)%2f\(rest.dropFirst())", "/\(first)/.\(rest)"]
            spellings.append(#"/\#(first)\\#(rest.dropFirst())"#)
        }
        if rest == "/" { spellings.append("/\(first)") }
        if rest.isEmpty { spellings.append("/\(first)/") }
        return spellings
    }

    /// Sends a name and a password that nobody has, as `curl -u name:x` does.
    ///
    /// Web servers make `REMOTE_USER` of the name.
    private func checkPassword() async -> Report {
        let subject = "\(visitor.site.origin)\(path) with a password"
        let credentials = "Basic " + Base64.encode(Array("linkedin-signin-doctor:x".utf8))
        let answer: ClientResponse
        do throws(TransportError) {
            answer = try await visitor.get(path, headers: [("Authorization", credentials)])
        } catch {
            return Report(.notChecked, subject, "no response to a request with a name and a password: \(error.detail)")
        }
        switch answer.status {
        case 200..<300:
            let lines = remedies(
                nginx: ["remove satisfy any from the location, or let it admit nobody by a password"],
                lighttpd: ["remove auth.require for this path, or the users whom it admits"]
            )
            let what = "HTTP \(answer.status) without a session, with an invented name and password"
            return Report(.guardBypassed, subject, what, remedies: lines + remedies.print)
        case 429, 500...599:
            return Report(.notChecked, subject, "HTTP \(answer.status) to a request with a name and a password")
        default:
            var report = Report(passed: subject, "an invented name and password open nothing")
            guard let member = visitor.member else {
                let what =
                    "whether the application gets REMOTE_USER from a member's client, as with curl -u name:x, cannot be "
                    + "seen without a session: name a file with a session by --cookie-file"
                report += Report(.notChecked, subject, what, remedies: remedies.print)
                return report
            }
            report += await checkApplication(as: member)
            return report
        }
    }

    /// Sends invented identities with the session of a member, and looks for them in the page of the application.
    private func checkApplication(as member: String) async -> Report {
        let subject = "\(visitor.site.origin)\(path) with the session of --cookie-file"
        // Another server could use the session.
        guard visitor.site.origin == visitor.configuration.mount.origin else {
            return Report(.notChecked, subject, "the session is sent only to \(visitor.configuration.mount.origin)")
        }
        let names = (["Authorization"] + visitor.identityFields).map { ($0, Self.randomText(20)) }
        let password = ("Authorization", "Basic " + Base64.encode(Array("\(names[0].1):x".utf8)))
        // One field in each request, because the printed configuration rejects requests with some of the fields.
        let requests = [[], [password]] + names.dropFirst().map { [$0] }
        var (forged, report): ([String], Report) = ([], Report())
        for (number, fields) in requests.enumerated() {
            let sent = (["the session"] + fields.map(\.0)).joined(separator: " and ")
            do throws(TransportError) {
                let headers = [("Accept", "text/html,*/*")] + fields
                let answer = try await visitor.get(path, cookie: member, headers: headers)
                let page = Self.page(of: answer, without: [])
                let shown = names.filter { page.contains($0.1) && !forged.contains($0.0) }.map(\.0)
                forged += shown
                let isClear = answer.status == 200 || (number > 1 && [400, 403].contains(answer.status))
                if isClear || !shown.isEmpty { continue }
                report += Report(.notChecked, subject, "HTTP \(answer.status) to a request with \(sent)")
            } catch {
                report += Report(.notChecked, subject, "no response to a request with \(sent): \(error.detail)")
            }
            if number == 0 {
                let remedy =
                    "write into the file the Cookie header that the browser of a member sends who is signed in, whom the "
                    + "guard admits, and to whom the application responds with 200"
                return Report(.notChecked, subject, report.findings[0].what, remedies: [remedy])
            }
        }
        if !forged.isEmpty {
            let what =
                "the page shows an invented name that the client sent in \(forged.joined(separator: ", ")), as with "
                + (forged[0] == "Authorization" ? "curl -u name:x" : "curl -H '\(forged[0]): name'")
            let lines = remedies(
                nginx: [
                    "include the -fastcgi.conf file of print-config nginx --write in the location, instead of fastcgi_params "
                        + "and fastcgi.conf; for an application on HTTP, include the -proxy.conf file"
                ],
                lighttpd: [
                    "the lines with $REQUEST_HEADER of the printed configuration; let the application read REMOTE_USER and "
                        + "AUTH_…, and never HTTP_X_AUTH_… or the password of the client"
                ]
            )
            report += Report(.identityForged, subject, what, remedies: lines + remedies.print)
        } else if report.findings.isEmpty {
            let what =
                "the page shows no invented name that a client sends; doctor cannot see this for an application whose page "
                + "shows no user name"
            report += Report(passed: subject, what)
        }
        return report
    }
}
