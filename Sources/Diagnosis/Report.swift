import Encoding
import POSIX
package import Settings

/// What a diagnosis found, and what it looked at without a finding.
package struct Report: Sendable, Equatable {
    /// A check without a finding.
    package struct Passed: Sendable, Equatable, Encodable {
        package let subject: String
        /// What was seen.
        package let what: String
    }

    package private(set) var findings: [Finding] = []
    package private(set) var passed: [Passed] = []

    package init() {}

    /// One finding.
    ///
    /// - Parameters:
    ///   - code: The kind of finding.
    ///   - subject: The setting, file, address or location that it is about.
    ///   - what: What was seen.
    ///   - place: The line that set a value, as `file:line`; nil if no line did.
    ///   - remedies: The lines to change or the commands to run, the most probable first.
    ///   - restart: The units that one of the remedies restarts; nil if none does.
    ///   - restarts: Whether what was seen or a remedy names a command that restarts the service.
    ///   - causes: What fails by itself.
    ///   - explanations: What explains this finding if all of it fails.
    ///   - directives: The directives of systemd units that it is about.
    package init(
        _ code: FindingCode,
        _ subject: String,
        _ what: String,
        at place: String? = nil,
        remedies: [String] = [],
        restarting restart: UnitCommands? = nil,
        restarts: Bool = false,
        causing causes: Set<Cause> = [],
        explainedBy explanations: Set<Cause> = [],
        about directives: Set<String> = []
    ) {
        findings = [
            Finding(
                code: code,
                place: place,
                subject: subject,
                what: what,
                remedies: remedies,
                restart: restart,
                restarts: restarts || restart != nil,
                causes: causes,
                explainedBy: explanations,
                directives: directives
            )
        ]
    }

    /// A finding for each problem of the settings.
    package init(
        problems: [ConfigurationError.Problem],
        _ code: FindingCode = .settingsInvalid,
        causing causes: Set<Cause> = [],
        explainedBy explanations: Set<Cause> = []
    ) {
        for problem in problems {
            self += Report(
                code,
                problem.subject,
                problem.advice.what,
                at: problem.place,
                remedies: [problem.advice.remedy].compactMap(\.self),
                restarts: problem.advice.restarts,
                causing: causes.union(problem.advice.denial.map { [.denied($0)] } ?? []),
                explainedBy: explanations,
                about: problem.advice.directives
            )
        }
    }

    /// The problems without those of a setting that has a fault already, because both have one cause: a file that the unit
    /// hides from the service, for example, cannot be read either.
    package func unreported(_ problems: [ConfigurationError.Problem]) -> [ConfigurationError.Problem] {
        let known = self.problems
        return problems.filter { problem in
            !known.contains {
                $0.subject == problem.subject && ($0.place ?? problem.place) == (problem.place ?? $0.place)
            }
        }
    }

    /// The same without the faults that repeat one of another report, or have a cause of one, such as a directory that the
    /// service cannot enter.
    package func unrepeated(in other: Report) -> Report {
        var report = self
        let (known, causes) = (other.faults.findings.map(\.message), other.faults.findings.flatMap(\.causes))
        report.findings.removeAll { finding in
            let isKnown =
                finding.causes.isEmpty ? known.contains(finding.message) : !finding.causes.isDisjoint(with: causes)
            return finding.code.severity == .fault && isKnown
        }
        return report
    }

    /// A finding for each note, which is a whole sentence.
    package init(_ code: FindingCode, about subject: String = "", notes: [String]) {
        for note in notes { self += Report(code, subject, note) }
    }

    /// A check without a finding.
    package init(passed subject: String, _ what: String) {
        passed = [Passed(subject: subject, what: what)]
    }

    /// A check that needs the server key, which this command cannot read.
    init(keyUnreadableFor subject: String) {
        // sudo gives no more rights to root.
        let what =
            ActingUser.isRoot
            ? "the server key cannot be read from the state directory or the database"
            : "the server key cannot be read; run this command with sudo"
        self.init(.notChecked, subject, what, explainedBy: ActingUser.isRoot ? [.setting(Setting.store.name)] : [])
    }

    /// The same findings about one of several providers, which explain nothing about another one.
    package func about(provider id: String) -> Report {
        var report = self
        report.passed = passed.map { Passed(subject: "\(id): \($0.subject)", what: $0.what) }
        report.findings = findings.map { $0.about(provider: id) }
        return report
    }

    package static func += (left: inout Report, right: Report) {
        left.findings += right.findings
        left.passed += right.passed
    }

    /// The highest severity; nil without a finding.
    package var severity: Severity? { findings.map(\.code.severity).max() }

    /// The same without warnings, notes and what passed.
    package var faults: Report { findings(from: .fault) }

    /// The findings of a severity and of higher ones.
    package func findings(from severity: Severity) -> Report {
        var report = Report()
        report.findings = findings.filter { $0.code.severity >= severity }
        return report
    }

    /// The findings of a code.
    package func findings(_ code: FindingCode) -> Report {
        var report = Report()
        report.findings = findings.filter { $0.code == code }
        return report
    }

    /// The findings of a severity, as whole sentences, each with what to do first.
    package func sentences(_ severity: Severity) -> [String] {
        findings.filter { $0.code.severity == severity }.map { finding in
            let isNamed = finding.subject.isEmpty || finding.what.contains(finding.subject)
            return isNamed ? finding.message : "\(finding.subject): \(finding.message)"
        }
    }

    /// The faults, each with what to do first.
    package var problems: [ConfigurationError.Problem] {
        findings.filter { $0.code.severity == .fault }.map {
            .init(subject: $0.subject, message: $0.message, place: $0.place)
        }
    }

    /// The directives of systemd units that the findings are about.
    package var directives: Set<String> { findings.reduce(into: []) { $0.formUnion($1.directives) } }

    /// The same with one finding for each cause, the worst first.
    ///
    /// Consequences of a fault become a part of it, and equal remarks about what was not checked become one.
    package var byCause: Report {
        var report = self
        report.findings = []
        let causes = findings.reduce(into: Set<Cause>()) { $0.formUnion($1.causes) }
        let isExplained: (Finding) -> Bool = { !$0.explainedBy.isEmpty && $0.explainedBy.isSubset(of: causes) }
        let order = findings.enumerated().sorted {
            ($1.element.code.severity, $0.offset) < ($0.element.code.severity, $1.offset)
        }
        for var finding in order.map(\.element) where !isExplained(finding) {
            let others = findings.filter { isExplained($0) && !$0.explainedBy.isDisjoint(with: finding.causes) }
            finding.consequences += others.map { "\($0.located): \($0.what)" }
            // A service that failed does not start by itself after the correction. The service requires its socket unit, and a
            // restart of the socket unit loses the requests that wait.
            if !finding.restarts, let start = others.compactMap(\.restart).first(where: { $0.site != nil })?.restart {
                finding.remedies.append("then \(start)")
            }
            if [.settingsNotLoaded, .programOtherSettings, .programReplaced].contains(finding.code) {
                delay(&finding, of: ([finding] + others).flatMap(\.causes))
            }
            report.join(finding)
        }
        return report
    }

    /// Warns of the reload, with which the program would get the setting that another finding calls a fault.
    private func delay(_ reload: inout Finding, of changes: [Cause]) {
        for fault in faults.findings {
            // A subject has the names of its settings as words.
            let names = fault.subject.split { !$0.isLetter && $0 != "_" }.map(String.init)
            guard names.contains(where: { changes.contains(.changed($0)) }) else { continue }
            reload.remedies[0] = "first correct \(fault.subject), which has a fault; then \(reload.remedies[0])"
            return
        }
    }

    private mutating func join(_ finding: Finding) {
        let equal = findings.firstIndex { other in
            finding.code == .notChecked && other.code == .notChecked && other.what == finding.what
                && other.remedies == finding.remedies
        }
        guard let equal else { return findings.append(finding) }
        findings[equal].subject += ", \(finding.subject)"
    }
}
