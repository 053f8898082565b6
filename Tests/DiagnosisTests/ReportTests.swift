import Encoding
import Settings
import Testing

@testable import Diagnosis

@Suite struct ReportTests {
    @Test func `a report without findings has no severity`() {
        var report = Report()
        report += Report(passed: "settings", "valid")
        #expect(report.severity == nil)
        #expect(report.text == "ok       settings: valid")
    }

    @Test func `the worst finding decides the severity and comes first`() throws {
        var report = Report()
        report += Report(.notChecked, "process", "unknown")
        report += Report(.storeLow, "/var", "1 MiB free", remedies: ["remove old logs"])
        report += Report(.socketMissing, "/run/socket", "No such file", remedies: ["start it"])
        #expect(report.severity == .fault)
        let codes = report.byCause.text.split(separator: "\n").compactMap { line in
            FindingCode.allCases.first { line.split(separator: " ").contains(Substring($0.rawValue)) }
        }
        #expect(codes == [.socketMissing, .storeLow, .notChecked])
    }

    @Test func `a text of a server cannot change the terminal or add lines`() {
        var report = Report()
        report += Report(.siteRouteMissing, "a\u{1b}[2J", "b\nok       settings: valid", remedies: ["c\u{9b}d"])
        report += Report(passed: "e\u{202e}", "f\r")
        #expect(!report.text.unicodeScalars.contains { ["\u{1b}", "\u{9b}", "\u{202e}", "\r"].contains($0) })
        #expect(!report.text.contains("\nok       settings"))
    }

    @Test func `the JSON has all findings with their codes and remedies`() {
        var report = Report()
        report += Report(.storeLow, "/var", "1 MiB \"free\"", remedies: ["delete"])
        #expect(report.json.contains(#""code" : "store-low""#) && report.json.contains(#""status" : "warning""#))
        #expect(report.json.contains(#"1 MiB \"free\""#))
    }

    @Test func `every code explains itself`() {
        for code in FindingCode.allCases {
            #expect(code.meaning.count > 10 && code.reason.count > 10, "\(code)")
            #expect(code.rawValue.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == 0x2d })
        }
        #expect(Set(FindingCode.allCases.map(\.meaning)).count == FindingCode.allCases.count)
    }

    @Test func `check reports faults as problems, and the rest by severity`() {
        var report = Report(problems: [.init(subject: "A", message: "is wrong", place: "file:3")])
        report += Report(.secretShared, about: "secrets", notes: ["a group can read it"])
        report += Report(passed: "B", "valid")
        report += Report(
            .storeFull,
            "/var",
            "the file system is full",
            remedies: ["remove old logs", "or other files"]
        )
        #expect(report.problems.first == .init(subject: "A", message: "is wrong", place: "file:3"))
        #expect(report.problems.last == .init(subject: "/var", message: "the file system is full; remove old logs"))
        #expect(report.sentences(.warning) == ["secrets: a group can read it"] && report.sentences(.note).isEmpty)
        #expect(report.findings(from: .warning).findings.count == 3 && report.faults.findings.count == 2)
        #expect(report.text.contains("settings-invalid  file:3: A"))
    }

    @Test func `the remedy of a problem is apart from what was seen, whatever the words are`() {
        let advice = Advice("has a list; remove one", "name only one")
        let report = Report(problems: [.init(subject: "A", advice), .init(subject: "B", message: "wrong; write b")])
        #expect(report.findings.map(\.what) == ["has a list; remove one", "wrong; write b"])
        #expect(report.findings.map(\.remedies) == [["name only one"], []])
        #expect(report.problems.map(\.message) == ["has a list; remove one; name only one", "wrong; write b"])
    }

    @Test func `a fault is left out only for the cause of another fault, not for equal words`() {
        let closed = { (directory: String) in
            Advice("is closed", denial: .directory(directory, isLinked: false))
        }
        let settings = Report(
            problems: [.init(subject: "file", message: "does not exist"), .init(subject: "other", closed("/etc/a"))]
        )
        let rules = ["/srv/list does not exist", closed("/etc/a"), closed("/etc/b")] as [Advice]
        let report = Report(problems: rules.map { .init(subject: "rule", $0) }).unrepeated(in: settings)
        #expect(report.problems.map(\.message) == ["/srv/list does not exist", "is closed"])
    }

    @Test(arguments: [true, false])
    func `a restart follows a correction that names no restart`(restarts: Bool) {
        let units = UnitCommands(site: InstalledSite(named: "example.org"))
        let advice = Advice("is wrong", "correct the value", restarts: restarts)
        var report = Report(problems: [.init(subject: "A", advice)], causing: .noStart)
        report += Report(.programSilent, "socket", "no answer", restarting: units, explainedBy: .noStart)
        let restart = restarts ? [] : ["then \(units.restart)"]
        #expect(report.byCause.findings.map(\.remedies) == [["correct the value"] + restart])
    }

    @Test(arguments: [("SIGNIN_A", true), ("SIGNIN_B", false)])
    func `a reload waits for the correction of a changed setting`(changed: String, waits: Bool) {
        var report = Report(problems: [.init(subject: "SIGNIN_A", message: "is wrong")])
        let causes: Set<Cause> = [.changed(changed)]
        report += Report(.settingsNotLoaded, "socket", "SIGNIN_A", remedies: ["reload"], causing: causes)
        let remedies = report.byCause.findings.last?.remedies
        #expect(remedies == [waits ? "first correct SIGNIN_A, which has a fault; then reload" : "reload"])
    }

    @Test func `the JSON of check has the place of a problem and no settings without any`() {
        var shown = CheckReport()
        #expect(shown.json.contains(#""status" : "ok""#) && !shown.json.contains("redirect_url"))
        shown.report = Report(problems: [.init(subject: "A", message: "is wrong", place: "file:3")])
        #expect(shown.json.contains(#""place" : "file:3""#) && shown.json.contains(#""status" : "error""#))
        #expect(!shown.json.contains(#""settings""#) && shown.lines.isEmpty)
        shown.report = Report(.startUncertain, about: "a.service", notes: ["file sets A="])
        #expect(shown.json.contains(#""status" : "warning""#) && shown.lines == ["warning: a.service: file sets A="])
    }
}
