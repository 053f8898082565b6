import HTTP

/// Decides which repeated events have a line of their own, so that one cause cannot fill a disk.
///
/// An event about a request has a line, because the visitor may have seen the number of the request, up to the limits of
/// `NumberedEvents`. Another warning or error without a member is written once. Its repetitions are counted, and once a minute one line has their
/// number. Errors are the fault of the program, the provider or the store, so their repetitions count for all clients together;
/// warnings count for each client address.
package struct RepeatedEvents: Sendable {
    /// The time from a line to the line that counts its repetitions.
    package static let interval = Duration.seconds(60)
    /// Kinds of events that are told apart; above this number, only name and reason count.
    static let capacity = 512
    /// The operator waits for each of these lines.
    private static let answers: Set<EventName> = [.reloadRefused, .restartNeeded, .textsMissing]

    /// What to do with an event.
    package enum Verdict: Sendable, Equatable {
        case write
        /// The event is only counted. `until` is the time to call `due(at:)`; nil if the call is planned already.
        case count(until: ContinuousClock.Instant?)
    }

    private struct Entry {
        var written: ContinuousClock.Instant
        var repeated = 0
        var last: LogEvent
    }

    private var entries: [[String]: Entry] = [:]
    private var numbered = NumberedEvents()
    private var lastRemoval: ContinuousClock.Instant?

    package init() {}

    /// Decides about an event that happens now.
    package mutating func receive(_ event: LogEvent, at now: ContinuousClock.Instant) -> Verdict {
        guard event.isCountable, !Self.answers.contains(event.name) else { return .write }
        if event.request != nil, numbered.take(event.client, at: now) { return .write }
        if entries.count >= Self.capacity { removeOld(at: now) }
        var key = event.key
        if entries.count >= Self.capacity, entries[key] == nil { key = event.shortKey }
        guard var entry = entries[key], entry.repeated > 0 || now < entry.written + Self.interval else {
            entries[key] = Entry(written: now, last: event)
            return .write
        }
        entry.repeated += 1
        entry.last = event
        entries[key] = entry
        return .count(until: entry.repeated == 1 ? entry.written + Self.interval : nil)
    }

    /// Returns the lines that count repetitions, for each event whose minute has ended.
    package mutating func due(at now: ContinuousClock.Instant) -> [LogEvent] {
        take { $0.written + Self.interval <= now ? now : nil }
    }

    /// Returns the lines that count repetitions, without waiting for the end of a minute.
    package mutating func finish() -> [LogEvent] {
        take { $0.written }
    }

    /// Takes the entries for which `written` returns the time of the new line.
    private mutating func take(_ written: (Entry) -> ContinuousClock.Instant?) -> [LogEvent] {
        var lines: [LogEvent] = []
        for (key, entry) in entries where entry.repeated > 0 {
            guard let time = written(entry) else { continue }
            lines.append(entry.last.counting(entry.repeated))
            entries[key] = Entry(written: time, last: entry.last)
        }
        return lines
    }

    /// Removes the entries without a recent line, at most once a second because it visits all.
    private mutating func removeOld(at now: ContinuousClock.Instant) {
        if let lastRemoval, now < lastRemoval + .seconds(1) { return }
        lastRemoval = now
        entries = entries.filter { $0.value.repeated > 0 || now < $0.value.written + Self.interval }
    }
}

extension LogEvent {
    fileprivate var isCountable: Bool {
        level >= .warning && !fields.contains { "\($0.name)" == "subject" && !$0.value.isEmpty }
    }

    fileprivate var client: ClientAddress {
        fields.first { "\($0.name)" == "remote" }.map { ClientAddress($0.value) } ?? .unknown
    }

    fileprivate var shortKey: [String] { [name.rawValue, reason ?? ""] }

    fileprivate var key: [String] {
        shortKey + fields.filter { level < .error || "\($0.name)" != "remote" }.map { "\($0.name)=\($0.value)" }
    }

    fileprivate func counting(_ repeated: Int) -> LogEvent {
        LogEvent(
            level,
            name,
            request: request,
            reason: reason,
            fields: fields + [("repeated", String(repeated))]
        )
    }
}
