import Synchronization

/// Passes events of a minimum level to a writer.
package struct Log: Sendable {
    /// The minimum level, which all copies share.
    private final class Threshold: Sendable {
        let rank: Atomic<Int>

        init(_ level: LogLevel) {
            rank = Atomic(level.rank)
        }
    }

    private let threshold: Threshold
    private let write: @Sendable (LogEvent) -> Void

    /// - Parameters:
    ///   - least: The minimum level; events below it are dropped.
    ///   - write: Writes one event; it must not block, because the session check calls it.
    package init(least: LogLevel = .info, write: @escaping @Sendable (LogEvent) -> Void) {
        threshold = Threshold(least)
        self.write = write
    }

    /// Writes an event if its level is high enough.
    package func callAsFunction(_ event: LogEvent) {
        guard event.level.rank >= threshold.rank.load(ordering: .relaxed) else { return }
        write(event)
    }

    /// Replaces the minimum level, in all copies of this value.
    package func drop(below least: LogLevel) {
        threshold.rank.store(least.rank, ordering: .relaxed)
    }
}
