import EventLog
import FastCGI
import HTTPClient
import Metrics
import PostgreSQLStore
import Provider
import Sessions
import SignIn

import struct FoundationEssentials.Date

/// What the program counts, from the start to the end, also across reloads.
final class Measurements: Sendable {
    let notes: ErrorNotes
    let calls = CallCounter()
    let store: StoreCounter
    private let events = EventCounter()
    private let sink: LogSink?
    private let start: Date

    /// - Parameters:
    ///   - notes: Receives the reasons of refused requests.
    ///   - sink: Writes the log.
    init(notes: ErrorNotes = ErrorNotes(), sink: LogSink? = nil) {
        self.notes = notes
        self.sink = sink
        start = Date()
        store = StoreCounter(start: start)
    }

    /// Counts an event; a warning or an error about a request is the reason of its answer.
    func count(_ event: LogEvent) {
        events.count(event)
        guard event.level >= .warning, let request = event.request, let reason = event.reason else { return }
        notes.add(reason: reason, to: request)
    }

    /// All metrics.
    ///
    /// - Parameters:
    ///   - server: What the server has done; nil if it does not run.
    ///   - site: The site with the present settings.
    ///   - store: The store.
    ///   - database: The same store, if it is a database.
    ///   - status: Knows about reloads and the reachability of the database.
    /// - Returns: The metrics in the order of docs/metrics.md.
    func families(
        server: ServerFigures?,
        site: Site,
        store: Vault,
        database: PostgreSQLStore?,
        status: ServiceStatus
    ) -> [MetricFamily] {
        let groups: [[MetricFamily]] = [
            .program,
            server.map { .requests($0) } ?? [],
            .signIns(events.counts),
            .provider(calls, site.providers.all),
            .store(self.store, keptBytes: store.forms.byteCount),
            database.map { .database($0, isReachable: status.isStoreReachable) } ?? [],
            .settings(status.reloads),
            .log(events.counts, sink?.figures),
            .process(start: start),
        ]
        return groups.flatMap(\.self)
    }
}
