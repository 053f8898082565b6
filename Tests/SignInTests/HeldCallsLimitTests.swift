import OpenID
import Sessions
import TestSupport
import Testing

import struct Foundation.Date

@testable import SignIn

struct HeldCallsLimitTests {
    @Test func `the oldest failures are forgotten when there are too many`() throws {
        let calls = HeldCalls(limit: 3)
        let sessions = (0..<5).map { Session.example(subject: "member-\($0)") }
        for (number, session) in sessions.enumerated() {
            let now = Date.testStart.addingTimeInterval(Double(number))
            let error = OpenIDError(.resourceUnavailable)
            calls.add(try #require(HeldCall(error, isNewToken: false, now: now)), for: session)
        }
        let now = Date.testStart.addingTimeInterval(10)
        #expect(sessions.map { calls.hold(for: $0, now: now) != nil } == [false, false, true, true, true])
        #expect(sessions.allSatisfy { calls.hold(for: $0, now: now.addingTimeInterval(60)) == nil })
    }
}
