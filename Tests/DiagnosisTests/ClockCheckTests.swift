import Testing

import struct FoundationEssentials.Date

@testable import Diagnosis

@Suite struct ClockCheckTests {
    private static let noon = 1_795_348_800.0  // Sun, 22 Nov 2026 12:00:00 GMT

    private func check(before: Double, after: Double) throws -> ClockCheck {
        try #require(
            ClockCheck(
                server: "a.example",
                date: "Sun, 22 Nov 2026 12:00:00 GMT",
                before: Date(timeIntervalSince1970: Self.noon + before),
                after: Date(timeIntervalSince1970: Self.noon + after)
            )
        )
    }

    @Test func `dates of HTTP are read`() {
        #expect(HTTPDate.parse("Thu, 01 Jan 1970 00:00:00 GMT")?.timeIntervalSince1970 == 0)
        #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT")?.timeIntervalSince1970 == 784_111_777)
        #expect(HTTPDate.parse("Thu, 29 Feb 2024 23:59:59 GMT")?.timeIntervalSince1970 == 1_709_251_199)
        #expect(HTTPDate.parse("Sun, 22 Nov 2026 12:00:00 GMT")?.timeIntervalSince1970 == Self.noon)
        for text in [
            "", "now", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 9223372036854775807:49:37 GMT", "Sun, 06 Nov 1994 08:9223372036854775807:37 GMT",
            "Sun, 06 Nov 1994 08:49:9223372036854775807 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 x:08:49:37 GMT",
        ] {
            #expect(HTTPDate.parse(text) == nil)
        }
    }

    @Test func `a clock within the second of the date agrees`() throws {
        #expect(try check(before: -0.2, after: 0.4).ahead == 0)
        #expect(try check(before: 0.9, after: 1.4).ahead == 0)
        #expect(try check(before: 0.3, after: 0.9).report(leeway: 60, service: .timesyncd).severity == nil)
    }

    @Test func `a slow answer is not a wrong clock`() throws {
        #expect(try check(before: -9, after: 0.5).ahead == 0)
    }

    @Test func `seconds are a warning, and a minute behind or an hour ahead is a fault`() throws {
        #expect(try check(before: 6, after: 6.2).ahead == 5)
        #expect(try check(before: -5.2, after: -5).ahead == -5)
        let report = { (seconds: Double, service: ClockService?) in
            try check(before: seconds, after: seconds).report(leeway: 60, service: service)
        }
        #expect(try report(6, .timesyncd).findings.map(\.code) == [.clockDrifting])
        #expect(try report(602, .chrony).findings.map(\.code) == [.clockDrifting], "ID tokens do not look expired")
        #expect(try report(3_600, .chrony).findings.map(\.code) == [.clockOff])
        let behind = try report(-61, .timesyncd)
        #expect(behind.findings.map(\.code) == [.clockOff])
        #expect(behind.findings.first?.what == "61 s behind a.example")
    }
}
