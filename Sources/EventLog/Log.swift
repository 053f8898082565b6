package import HTTP
import Synchronization

/// What the settings say about the log.
package struct LogOptions: Sendable, Equatable {
    /// The minimum level; events below it are dropped.
    package var least: LogLevel
    package var format: LogFormat
    /// Whether repetitions of one event have a line each; otherwise they are counted.
    package var writesRepeats: Bool

    package init(least: LogLevel = .info, format: LogFormat = .logfmt, writesRepeats: Bool = false) {
        self.least = least
        self.format = format
        self.writesRepeats = writesRepeats
    }
}

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
    private let count: @Sendable (LogEvent) -> Void
    private let write: @Sendable (LogEvent) -> Void
    private let adopt: @Sendable (LogOptions) -> Void
    /// Whether a warning or an error about a request was written a moment ago: an error page shows only the number of such a
    /// request.
    package let hasLine: @Sendable (RequestID) -> Bool

    /// - Parameters:
    ///   - least: The minimum level; events below it are dropped.
    ///   - count: Receives every event, also those below the minimum level; it must not block.
    ///   - adopt: Receives new options of the writer.
    ///   - hasLine: Returns whether a recent warning or error about a request was written.
    ///   - write: Writes one event; it must not block, because the session check calls it.
    package init(
        least: LogLevel = .info,
        count: @escaping @Sendable (LogEvent) -> Void = { _ in },
        adopt: @escaping @Sendable (LogOptions) -> Void = { _ in },
        hasLine: @escaping @Sendable (RequestID) -> Bool = { _ in false },
        write: @escaping @Sendable (LogEvent) -> Void
    ) {
        threshold = Threshold(least)
        self.count = count
        self.adopt = adopt
        self.hasLine = hasLine
        self.write = write
    }

    /// Counts an event, and writes it if its level is high enough.
    package func callAsFunction(_ event: LogEvent) {
        count(event)
        guard event.level.rank >= threshold.rank.load(ordering: .relaxed) else { return }
        write(event)
    }

    /// Replaces the options, in all copies of this value.
    package func use(_ options: LogOptions) {
        threshold.rank.store(options.least.rank, ordering: .relaxed)
        adopt(options)
    }
}
