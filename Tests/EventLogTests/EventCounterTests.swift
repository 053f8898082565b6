import HTTP
import TestSupport
import Testing

@testable import EventLog

struct EventCounterTests {
    private func counts(_ counter: EventCounter) -> [String: Int] {
        counter.counts.reduce(into: [:]) {
            $0["\($1.key.name?.rawValue ?? "other") \($1.key.reason ?? "-")"] = $1.value
        }
    }

    @Test func `events are counted by name and reason, also below the minimum level`() {
        let counter = EventCounter()
        let log = Log(least: .error, count: counter.count) { _ in }
        for client in ["192.0.2.1", "192.0.2.2"] {
            log(LogEvent(.warning, .signInFailed, reason: "state-used", fields: [("remote", client)]))
        }
        log(LogEvent(.debug, .listening))
        #expect(counts(counter) == ["sign-in-failed state-used": 2, "listening -": 1])
    }

    @Test func `any number of reasons takes limited memory`() {
        let counter = EventCounter()
        for number in 0..<10_000 { counter.count(LogEvent(.info, .swept, reason: "r\(number)")) }
        let counts = counts(counter)
        #expect(counts.count == EventCounter.capacity + 1)
        #expect(counts["other -"] == 10_000 - EventCounter.capacity)
        counter.count(LogEvent(.info, .swept, reason: "r0"))
        #expect(self.counts(counter)["swept r0"] == 2)
    }
}
