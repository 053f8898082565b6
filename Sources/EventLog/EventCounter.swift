import Synchronization

/// Counts events by their names and reasons: the one place where outcomes become numbers.
package final class EventCounter: Sendable {
    /// What is told apart.
    package struct Kind: Hashable, Sendable {
        package let level: LogLevel
        /// Nil for all events for which there is no room.
        package let name: EventName?
        /// A literal in the source, or one of few names from the system.
        package let reason: String?
        /// How a member signed in, if not in a browser.
        package let by: String?

        static let other = Kind(level: .info, name: nil, reason: nil, by: nil)
    }

    /// Several times the number of events and reasons in the source, so that a mistake there cannot use all memory.
    static let capacity = 1024

    private let counted = Mutex<[Kind: Int]>([:])

    package init() {}

    package func count(_ event: LogEvent) {
        let kind = Kind(event)
        counted.withLock { counted in
            let hasRoom = counted.count < Self.capacity || counted[kind] != nil
            counted[hasRoom ? kind : .other, default: 0] += 1
        }
    }

    /// How many events of each kind there were.
    package var counts: [Kind: Int] { counted.withLock(\.self) }
}

extension EventCounter.Kind {
    init(_ event: LogEvent) {
        let by = event.fields.first { "\($0.name)" == "by" }?.value
        self.init(level: event.level, name: event.name, reason: event.reason, by: by)
    }
}
