import HTTP
import TestSupport
import Testing

import struct Foundation.Date

@testable import EventLog

struct RepeatedEventsTests {
    private let start = ContinuousClock.now

    private func failure(
        _ level: LogLevel = .error,
        reason: String = "store-failed",
        remote: String = "192.0.2.1",
        subject: String = "",
        request: RequestID? = nil,
        detail: String = "d"
    ) -> LogEvent {
        let fields: [LogEvent.Field] = [("subject", subject), ("remote", remote), ("detail", detail)]
        return LogEvent(level, .storeFailed, request: request, reason: reason, fields: fields)
    }

    private func texts(_ events: [LogEvent]) -> [String] {
        events.map { event in event.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ") }
    }

    @Test func `a repeated error is written once, and its repetitions are counted after a minute`() {
        var events = RepeatedEvents()
        #expect(events.receive(failure(), at: start) == .write)
        #expect(events.receive(failure(), at: start + .seconds(1)) == .count(until: start + .seconds(60)))
        for second in 2..<59 {
            #expect(events.receive(failure(), at: start + .seconds(second)) == .count(until: nil))
        }
        #expect(events.due(at: start + .seconds(59)).isEmpty)
        let counted = events.due(at: start + .seconds(60))
        #expect(texts(counted) == ["subject= remote=192.0.2.1 detail=d repeated=58"])
        let line = counted.first?.line(at: Date(timeIntervalSince1970: 0), as: .json)
        #expect(line?.hasSuffix(#""repeated":58}"#) == true)
        #expect(events.due(at: start + .seconds(600)).isEmpty)
    }

    @Test func `an error that goes on has one line a minute`() {
        var events = RepeatedEvents()
        var written = 0
        for second in 0..<600 {
            let now = start + .seconds(second)
            written += events.due(at: now).count
            if events.receive(failure(), at: now) == .write { written += 1 }
        }
        #expect(written == 10)
    }

    @Test func `an event with a request number has a line of its own, up to a limit for each client`() {
        var events = RepeatedEvents()
        for remote in ["192.0.2.1", "2001:db8::1"] {
            for _ in 0..<NumberedEvents.limit {
                #expect(events.receive(failure(remote: remote, request: RequestID()), at: start) == .write)
            }
        }
        // What is over the limit is counted as other events are: one line, then a count.
        #expect(events.receive(failure(request: RequestID()), at: start) == .write)
        #expect(events.receive(failure(request: RequestID()), at: start) == .count(until: start + .seconds(60)))
        #expect(
            events.receive(failure(remote: "2001:db8::ffff", request: RequestID()), at: start) == .count(until: nil)
        )
        #expect(events.receive(failure(remote: "192.0.2.2", request: RequestID()), at: start) == .write)
        #expect(events.receive(failure(request: RequestID()), at: start + .seconds(60)) == .write)
    }

    @Test func `an event that comes back after a quiet minute is written at once`() {
        var events = RepeatedEvents()
        #expect(events.receive(failure(), at: start) == .write)
        #expect(events.receive(failure(), at: start + .seconds(60)) == .write)
    }

    @Test func `other reasons, other details and other clients of a warning are other events`() {
        var events = RepeatedEvents()
        for event in [
            failure(), failure(reason: "other"), failure(detail: "other"), failure(.warning, remote: "192.0.2.8"),
            failure(.warning, remote: "192.0.2.9"),
        ] {
            #expect(events.receive(event, at: start) == .write)
        }
        // An error is not the fault of a client.
        #expect(events.receive(failure(remote: "192.0.2.9"), at: start) != .write)
    }

    @Test func `an event about a member, an information and the answer to a reload are always written`() {
        var events = RepeatedEvents()
        for event in [failure(subject: "s"), failure(.info), LogEvent(.error, .reloadRefused, reason: "r")] {
            #expect(events.receive(event, at: start) == .write)
            #expect(events.receive(event, at: start) == .write)
        }
    }

    @Test func `a flood from countless clients fills neither the memory nor the disk`() {
        var events = RepeatedEvents()
        var written = 0
        for number in 0..<20_000 {
            let remote = "10.0.\(number / 256).\(number % 256)"
            let event = failure(.warning, remote: remote, request: RequestID())
            if events.receive(event, at: start + .milliseconds(number)) == .write { written += 1 }
        }
        #expect(written == NumberedEvents.total + RepeatedEvents.capacity + 1)
        // A minute later, there is room again.
        #expect(events.receive(failure(.warning, remote: "later"), at: start + .seconds(90)) == .write)
    }

    @Test func `what was counted is written when the program stops`() {
        var events = RepeatedEvents()
        _ = events.receive(failure(), at: start)
        #expect(events.finish().isEmpty)
        _ = events.receive(failure(), at: start)
        #expect(texts(events.finish()) == ["subject= remote=192.0.2.1 detail=d repeated=1"])
        #expect(events.finish().isEmpty)
    }
}
