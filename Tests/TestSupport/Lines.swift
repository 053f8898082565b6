package import EventLog
import Synchronization

import struct Foundation.Date

/// Keeps the events that a test's site logs.
package final class Lines: Sendable {
    private let events = Mutex<[LogEvent]>([])

    package init() {}

    package func append(_ event: LogEvent) {
        events.withLock { $0.append(event) }
    }

    package var names: [String] { events.withLock { $0.map(\.name.rawValue) } }
    /// The lines as they are written.
    package var texts: [String] { events.withLock { $0.map { $0.line(at: Date(timeIntervalSince1970: 0)) } } }
    package var reasons: [String] { events.withLock { $0.compactMap(\.reason) } }
}
