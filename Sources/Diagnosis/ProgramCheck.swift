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

    /// Asks for `/healthz`, `/readyz` and `/login`; blocks the calling thread.
    package func run() -> Findings {
        var findings = Findings()
        do throws(Client.Failure) {
            let health = try ask(.health)
            findings.process = health.process
            findings.report += judge(health, .health, .programUnhealthy, Self.remediesOfHealth)
            findings.report += judge(try ask(.readiness), .readiness, .programNotReady, Self.remediesOfReadiness)
            let login = try ask(.login)
            findings.login = login
            findings.report += LoginAnswer(login.status, login.headers).report(
                of: configuration,
                subject: "\(name) \(configuration.mount.path(SitePath.login.rawValue))",
                .programOtherSettings
            )
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

    private func ask(_ path: SitePath) throws(Client.Failure) -> Client.Answer {
        try client.ask(Self.parameters(.get, configuration.mount.path(path.rawValue)))
    }

    private static let remediesOfHealth = [
        "the log has thread-hung with the cause, such as a network drive that does not answer",
        "run: systemctl restart linkedin-signin.service",
    ]
    private static let remediesOfReadiness = ["look up the reason in docs/operate.md, and in the log"]

    private func judge(
        _ answer: Client.Answer,
        _ path: SitePath,
        _ code: FindingCode,
        _ remedies: [String]
    ) -> Report {
        struct Body: Decodable {
            let reasons: [String]?
        }
        var report = Report()
        let subject = "\(name) \(configuration.mount.path(path.rawValue))"
        if answer.status == 200 {
            report.pass(subject, "ok")
        } else if answer.status == 404 {
            let what = "HTTP 404: the program has another path in SIGNIN_BASE_URL, or is another version"
            report.add(.programOtherSettings, subject, what, remedies: LoginAnswer.remedies)
        } else {
            let reasons = (try? JSONDecoder().decode(Body.self, from: Data(answer.body)))?.reasons ?? []
            let what = "HTTP \(answer.status)" + (reasons.isEmpty ? "" : ": \(reasons.joined(separator: ", "))")
            report.add(code, subject, what, remedies: remedies)
        }
        return report
    }

    private func report(_ failure: Client.Failure) -> Report {
        var report = Report()
        let start = [
            "run: systemctl start linkedin-signin.socket linkedin-signin.service",
            "why it ended: journalctl -u linkedin-signin -n 20",
        ]
        switch failure.reason {
        case .missing: report.add(.socketMissing, name, failure.detail, remedies: start)
        case .refused: report.add(.socketSilent, name, failure.detail, remedies: start)
        case .denied:
            let what = "this user may not connect; run this command with sudo"
            report.add(.notChecked, name, what)
        case .closed where !configuration.listening.allowedUsers.isEmpty:
            let what =
                "the program closed the connection: SIGNIN_ALLOWED_USERS lacks this user; run this command with sudo"
            report.add(.notChecked, name, what)
        case .closed, .timedOut, .malformed, .tooLarge:
            report.add(
                .programSilent,
                name,
                failure.detail,
                remedies: [
                    "if LinkedIn cannot be reached either, correct that first: /readyz waits for LinkedIn's keys",
                    "is it linkedin-signin that listens there? ss -xlp | grep \(name)",
                ] + Self.remediesOfHealth
            )
        }
        return report
    }
}
