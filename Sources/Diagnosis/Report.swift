import Encoding
import POSIX

import class FoundationEssentials.JSONEncoder

/// What a diagnosis found, and what it looked at without a finding.
package struct Report: Sendable, Equatable {
    /// A check without a finding.
    package struct Passed: Sendable, Equatable, Encodable {
        package let subject: String
        /// What was seen.
        package let what: String
    }

    /// The cause of all findings about settings of one site with the state directory of another.
    package static let otherSite = "another site"
    /// The cause of findings about a program with other settings.
    package static let otherProgram = "another program"
    /// The cause of findings about a web server that gets no answer from the program.
    static let programStopped = "program stopped"

    package private(set) var findings: [Finding] = []
    package private(set) var passed: [Passed] = []

    package init() {}

    package mutating func add(_ finding: Finding) {
        findings.append(finding)
    }

    /// - Parameters:
    ///   - code: The kind of finding.
    ///   - subject: The setting, file, address or location that it is about.
    ///   - what: What was seen.
    ///   - remedies: The lines to change or the commands to run, the most probable first.
    ///   - causes: What fails by itself, such as a setting of an endpoint.
    ///   - explanations: What explains this finding if all of it fails.
    package mutating func add(
        _ code: FindingCode,
        _ subject: String,
        _ what: String,
        remedies: [String] = [],
        causing causes: Set<String> = [],
        explainedBy explanations: Set<String> = []
    ) {
        var finding = Finding(code, subject, what, remedies: remedies)
        (finding.causes, finding.explainedBy) = (causes, explanations)
        findings.append(finding)
    }

    /// The same with one finding for each cause.
    ///
    /// Consequences of a fault become a part of it, and equal remarks about what was not checked become one.
    package var byCause: Report {
        var report = self
        report.findings = []
        let causes = findings.reduce(into: Set<String>()) { $0.formUnion($1.causes) }
        let isExplained: (Finding) -> Bool = { !$0.explainedBy.isEmpty && $0.explainedBy.isSubset(of: causes) }
        for finding in findings where !isExplained(finding) {
            var finding = finding
            let others = findings.filter { isExplained($0) && !$0.explainedBy.isDisjoint(with: finding.causes) }
            finding.consequences += others.map { "\($0.subject): \($0.what)" }
            report.join(finding)
        }
        return report
    }

    private mutating func join(_ finding: Finding) {
        let equal = findings.firstIndex { other in
            finding.code == .notChecked && other.code == .notChecked && other.what == finding.what
                && other.remedies == finding.remedies
        }
        guard let equal else { return findings.append(finding) }
        let subject = "\(findings[equal].subject), \(finding.subject)"
        findings[equal] = Finding(.notChecked, subject, finding.what, remedies: finding.remedies)
    }

    /// Adds that a check needs the server key, which this command cannot read.
    mutating func addUnreadableKey(_ subject: String) {
        // sudo gives no more rights to root.
        let what =
            ActingUser.isRoot
            ? "the server key cannot be read from the state directory or the database"
            : "the server key cannot be read; run this command with sudo"
        add(.notChecked, subject, what)
    }

    package mutating func pass(_ subject: String, _ what: String) {
        passed.append(Passed(subject: subject, what: what))
    }

    package static func += (left: inout Report, right: Report) {
        left.findings += right.findings
        left.passed += right.passed
    }

    /// The highest severity; nil without a finding.
    package var severity: Severity? { findings.map(\.code.severity).max() }
}

// MARK: - Output

extension Report {
    /// A block for each finding, the worst last, where a terminal shows it; a line for each check that passed.
    package var text: String {
        let lines = passed.map { PrintableText.of("ok       \($0.subject): \($0.what)") }
        let order = findings.enumerated().sorted {
            ($0.element.code.severity, $0.offset) < ($1.element.code.severity, $1.offset)
        }
        return (lines + order.map { Self.block($0.element) }).joined(separator: "\n")
    }

    private static func block(_ finding: Finding) -> String {
        let severity = finding.code.severity.rawValue
        let head = severity + String(repeating: " ", count: 9 - severity.utf8.count) + finding.code.rawValue
        return
            (["", "\(head)  \(finding.subject)", "  what: \(finding.what)", "  why:  \(finding.code.reason)"]
            + finding.consequences.map { "  also: \($0)" } + finding.remedies.map { "  do:   \($0)" })
            // A server may have sent a part of it.
            .map(PrintableText.of).joined(separator: "\n")
    }

    /// The same as one JSON object.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let body = JSONBody(status: severity?.rawValue ?? "ok", findings: findings, passed: passed)
        // Texts and lists always have a JSON form.
        return (try? encoder.encode(body)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private struct JSONBody: Encodable {
        let status: String
        let findings: [Finding]
        let passed: [Passed]
    }
}

extension FindingCode {
    /// The table of all codes, as Markdown.
    package static var table: String {
        let rows = allCases.map { "| `\($0.rawValue)` | \($0.severity.rawValue) | \($0.meaning) | \($0.reason) |" }
        return (["| code | severity | what was found | why it matters |", "| --- | --- | --- | --- |"] + rows)
            .joined(separator: "\n")
    }
}
