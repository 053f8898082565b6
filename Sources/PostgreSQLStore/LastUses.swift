import Sessions
import Synchronization

import struct FoundationEssentials.Date

/// Notes of when sessions, or personal tokens, were used, written to the database together after a few seconds.
///
/// If a note is lost with this process or the database, the idle time of the session only looks some minutes longer.
final class LastUses: Sendable {
    private struct State {
        var notes: [[UInt8]: Date] = [:]
        var isScheduled = false
    }

    /// The maximum number of notes.
    ///
    /// Above it, notes are dropped: the next use of the session makes another.
    private static let capacity = 100_000
    private static let pause = Duration.seconds(5)
    /// Rows that one statement changes.
    private static let batch = 1_000

    /// A table with rows that have an ID and a last use.
    enum Table: String {
        case session
        case token
    }

    private let client: DatabaseClient
    private let table: Table
    private let state = Mutex(State())

    init(_ client: DatabaseClient, of table: Table) {
        (self.client, self.table) = (client, table)
    }

    /// The note of a session that is not written yet.
    func pending(_ id: [UInt8]) -> Date? {
        state.withLock { $0.notes[id] }
    }

    func add(_ id: [UInt8], _ used: Date) {
        let isFirst = state.withLock { state in
            guard state.notes.count < Self.capacity || state.notes[id] != nil else { return false }
            state.notes[id] = used
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isFirst else { return }
        // Without this, the task would have the priority of the request.
        Task(priority: .medium) { [weak self] in
            try? await Task.sleep(for: Self.pause)
            await self?.flush()
        }
    }

    /// Writes all notes.
    func flush() async {
        let notes = state.withLock { state in
            defer { state = State() }
            return state.notes
        }
        // The same order on each machine, so that no two wait for each other's rows.
        let bySecond = Dictionary(grouping: notes) { $0.value.timeIntervalSince1970.rounded(.down) }
        for (second, notes) in bySecond {
            let ids = notes.map(\.key).sorted { $0.lexicographicallyPrecedes($1) }
            for start in stride(from: 0, to: ids.count, by: Self.batch) {
                let some = Array(ids[start..<min(start + Self.batch, ids.count)])
                // If the notes cannot be written, the next use of each session makes another.
                _ = try? await client.write(
                    Statement(
                        "UPDATE linkedin_signin.\(table) SET used = $2 WHERE id = ANY ($1)",
                        .byteArrays(some),
                        .time(Date(timeIntervalSince1970: second))
                    )
                )
            }
        }
    }
}
