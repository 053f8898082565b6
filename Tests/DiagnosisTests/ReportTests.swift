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
