import Dispatch
import EventLog
import FastCGI
import HTTP
import POSIX
import SignIn
import Synchronization

import struct FoundationEssentials.Date

/// Writes the log to standard error from its own queue, so that a reader that has stopped reading blocks nothing else.
///
/// When the queue is full, lines are dropped and counted; the next line that is written reports the count.
final class LogSink: Sendable {
    private static let capacity = 1024

    private struct State {
        var waiting = 0
        var dropped = 0
        /// Since the start.
        var allDropped = 0
        var options: LogOptions
        var repeated = RepeatedEvents()
        /// The requests of the latest warnings and errors that were accepted; the oldest is at `oldest` if all places are taken.
        var requests: [RequestID] = []
        var oldest = 0

        mutating func note(_ request: RequestID) {
            guard requests.count == capacity else { return requests.append(request) }
            requests[oldest] = request
            oldest = (oldest + 1) % capacity
        }
    }

    private let queue = DispatchQueue(label: "log")
    private let isJournal = StandardError.isJournal()
    private let state: Mutex<State>
    private let notes: ErrorNotes?

    /// `notes` receives a note about each written warning and error of a request.
    init(_ options: LogOptions = LogOptions(), notes: ErrorNotes? = nil) {
        self.notes = notes
        state = Mutex(State(options: options))
    }

    /// Replaces the options for the lines that are written from now on.
    func use(_ options: LogOptions) {
        state.withLock { $0.options = options }
    }

    /// The lines that were dropped since the start, and those that wait to be written.
    var figures: (dropped: Int, waiting: Int) { state.withLock { ($0.allDropped, $0.waiting) } }

    /// Whether one of the latest warnings and errors that were accepted is about a request.
    func hasLine(of request: RequestID) -> Bool { state.withLock { $0.requests.contains(request) } }

    func write(_ event: LogEvent) {
        let now = ContinuousClock.now
        let verdict = state.withLock { state in
            state.options.writesRepeats ? .write : state.repeated.receive(event, at: now)
        }
        switch verdict {
        case .write:
            // nginx writes every note at the level error, so lesser events have none.
            if let notes, let request = event.request, event.level >= .warning { notes.add(event.note, to: request) }
            enqueue(event)
        case .count(until: nil): break
        case .count(let end?):
            let delay = (end - now).components.seconds + 1
            queue.asyncAfter(deadline: .now() + .seconds(Int(delay))) { self.writeCounts() }
        }
    }

    /// Writes the lines that count repetitions, then waits until all accepted lines are written, at most a second.
    func flush() {
        for event in state.withLock({ $0.repeated.finish() }) { enqueue(event) }
        let written = DispatchSemaphore(value: 0)
        queue.async { written.signal() }
        _ = written.wait(timeout: .now() + 1)
    }

    private func writeCounts() {
        for event in state.withLock({ $0.repeated.due(at: .now) }) { enqueue(event) }
    }

    private func enqueue(_ event: LogEvent) {
        let time = Date()
        let accepted = state.withLock { state in
            guard state.waiting < Self.capacity else {
                state.dropped += 1
                state.allDropped += 1
                return false
            }
            state.waiting += 1
            if event.level >= .warning, let request = event.request { state.note(request) }
            return true
        }
        guard accepted else { return }
        queue.async { self.put(event, at: time) }
    }

    private func put(_ event: LogEvent, at time: Date) {
        let (dropped, format) = state.withLock { state in
            state.waiting -= 1
            defer { state.dropped = 0 }
            return (state.dropped, state.options.format)
        }
        var text = ""
        if dropped > 0 {
            let lost = LogEvent(.warning, .logLinesDropped, fields: [("count", String(dropped))])
            text = line(lost, at: time, as: format)
        }
        text += line(event, at: time, as: format)
        // The program continues without its log if standard error is closed or full.
        try? StandardError.write(text)
    }

    private func line(_ event: LogEvent, at time: Date, as format: LogFormat) -> String {
        "\(isJournal ? event.level.journalPrefix : "")\(event.line(at: time, as: format))\n"
    }
}

extension LogLevel {
    /// The priority of a line in systemd's journal (sd-daemon(3)).
    var journalPrefix: String {
        switch self {
        case .debug: "<7>"
        case .info: "<6>"
        case .warning: "<4>"
        case .error: "<3>"
        }
    }
}
