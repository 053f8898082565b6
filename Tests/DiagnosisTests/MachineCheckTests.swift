import Testing

@testable import Diagnosis

@Suite struct MachineCheckTests {
    @Test func `a file system that does not answer is not checked`() {
        let report = MachineCheck.room(in: "/no/such/directory")
        #expect(report.passed.isEmpty && report.findings.map(\.code) == [.notChecked])
        #expect(report.findings.first?.what.contains("No such file") == true)
    }
}
