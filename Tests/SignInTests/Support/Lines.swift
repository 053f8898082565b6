import SignIn
import Synchronization

import struct Foundation.Date

/// Keeps the events that a test's site logs.
final class Lines: Sendable {
    private let events = Mutex<[LogEvent]>([])

    func append(_ event: LogEvent) {
        events.withLock { $0.append(event) }
    }

    var names: [String] { events.withLock { $0.map { "\($0.name)" } } }
    /// The lines as they are written.
    var texts: [String] { events.withLock { $0.map { $0.line(at: Date(timeIntervalSince1970: 0)) } } }
    var reasons: [String] { events.withLock { $0.compactMap(\.reason) } }
}
