import Encoding
import Settings

import class FoundationEssentials.JSONEncoder

/// What `check` prints.
package struct CheckReport: Sendable {
    package var report = Report()
    /// Every setting with its source.
    package var settings: [ShownSetting] = []
    /// What the operator has to do at each provider: register this URL, and add LinkedIn's products; empty if the settings do
    /// not say it.
    package var duties: [(provider: String, redirectURL: String, products: [String])] = []

    package init() {}

    /// Lines for standard output; the problems go to standard error.
    package var lines: [String] {
        let remarks = [Severity.warning, .note].flatMap { severity in
            report.sentences(severity).map { "\(severity.rawValue): \($0)" }
        }
        let above = settings.map(\.line) + dutyLines
        return above + (above.isEmpty ? remarks : remarks.map { "\n\($0)" })
    }

    private var dutyLines: [String] {
        duties.flatMap { provider, redirectURL, products in
            let names = products.map { "“\($0)”" }.joined(separator: ", ")
            return ["\nregister this redirect URL at \(provider): \(redirectURL)"]
                + (products.isEmpty ? [] : ["add to the application at LinkedIn: \(names)"])
        }
    }

    /// The same as one JSON object.
    package var json: String {
        // The command calls a fault an error.
        let status = report.severity.map { $0 == .fault ? "error" : $0.rawValue }
        return Body(
            status: status ?? "ok",
            problems: report.problems.map { .init(subject: $0.subject, message: $0.message, place: $0.place) },
            warnings: report.sentences(.warning),
            notes: report.sentences(.note),
            findings: report.findings,
            settings: settings.isEmpty ? nil : settings,
            redirectURL: duties.first?.redirectURL,
            redirectURLs: duties.count > 1 ? duties.map(\.redirectURL) : nil,
            products: duties.first?.products
        ).json
    }

    private struct Body: Encodable {
        struct Problem: Encodable {
            let subject: String
            let message: String
            let place: String?
        }

        let status: String
        let problems: [Problem]
        let warnings: [String]
        let notes: [String]
        let findings: [Finding]
        let settings: [ShownSetting]?
        let redirectURL: String?
        /// The same for each of several providers.
        let redirectURLs: [String]?
        let products: [String]?

        enum CodingKeys: String, CodingKey {
            case status, problems, warnings, notes, findings, settings, products
            case redirectURL = "redirect_url"
            case redirectURLs = "redirect_urls"
        }
    }
}

/// What `doctor` prints.
extension Report {
    /// A line for each check that passed, and a block for each finding.
    package var text: String {
        let lines = passed.map { PrintableText.of("ok       \($0.subject): \($0.what)") }
        return (lines + findings.map(Self.block)).joined(separator: "\n")
    }

    private static func block(_ finding: Finding) -> String {
        let severity = finding.code.severity.rawValue
        let head = severity + String(repeating: " ", count: 9 - severity.utf8.count) + finding.code.rawValue
        return
            (["", "\(head)  \(finding.located)", "  what: \(finding.what)", "  why:  \(finding.code.reason)"]
            + finding.consequences.map { "  also: \($0)" } + finding.remedies.map { "  do:   \($0)" })
            // A server may have sent a part of it.
            .map(PrintableText.of).joined(separator: "\n")
    }

    /// The same as one JSON object.
    package var json: String {
        Body(status: severity?.rawValue ?? "ok", findings: findings, passed: passed).json
    }

    private struct Body: Encodable {
        let status: String
        let findings: [Finding]
        let passed: [Passed]
    }
}

extension Encodable {
    /// One object on several lines.
    fileprivate var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        // Texts and lists always have a JSON form.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
