import OpenID
import Provider
import Sessions
import TestSupport
import Testing

import struct Foundation.Date

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

    @Test(arguments: [(.unreachable, 2), (.busy, 2), (.full, 30), (.unusable, 30)] as [(StoreError.Code, Double)])
    func `a store that will soon be back holds a profile for two seconds`(code: StoreError.Code, seconds: Double) throws
    {
        let held = try #require(HeldCall(StoreError(code, detail: ""), now: .testStart))
        #expect(held.isInForce(at: .testStart.addingTimeInterval(seconds - 0.1)))
        #expect(!held.isInForce(at: .testStart.addingTimeInterval(seconds)))
    }

    @Test func `a session that another request is changing holds nothing`() {
        #expect(HeldCall(StoreError(.locked, detail: ""), now: .testStart) == nil)
    }
}
