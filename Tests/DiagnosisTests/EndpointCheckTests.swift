import Testing

import struct FoundationEssentials.Date

@testable import Diagnosis

@Suite struct EndpointCheckTests {
    @Test(arguments: [
        (-1, "less than a day"), (3_600, "less than a day"), (86_400, "1 day"), (172_799, "1 day"),
        (172_800, "2 days"), (1_209_599, "13 days"),
    ])
    func `the end of a certificate is named in days`(seconds: Int, time: String) {
        let now = 1_800_000_000
        let date = Date(timeIntervalSince1970: Double(now))
        let report = EndpointCheck.certificate(now + seconds, of: "a.example", now: date)
        #expect(report.findings.map(\.what) == ["the certificate expires in \(time)"])
    }

    @Test func `a certificate that is valid for two weeks is not reported`() {
        let report = EndpointCheck.certificate(1_209_600, of: "a.example", now: Date(timeIntervalSince1970: 0))
        #expect(report == Report())
    }
}
