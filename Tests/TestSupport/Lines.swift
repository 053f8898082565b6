package import EventLog
package import HTTP
import Synchronization

import struct Foundation.Date

/// Keeps the events that a test's site logs.
package final class Lines: Sendable {
    private let events = Mutex<[LogEvent]>([])

    package init() {}

    package func append(_ event: LogEvent) {
        events.withLock { $0.append(event) }
    }

    /// Whether a warning or an error is about a request.
    package func contains(_ request: RequestID) -> Bool {
        events.withLock { $0.contains { $0.level >= .warning && $0.request == request } }
    }

    package var names: [String] { events.withLock { $0.map(\.name.rawValue) } }
    /// The lines as they are written.
    package var texts: [String] { events.withLock { $0.map { $0.line(at: Date(timeIntervalSince1970: 0)) } } }
    package var reasons: [String] { events.withLock { $0.compactMap(\.reason) } }
}
