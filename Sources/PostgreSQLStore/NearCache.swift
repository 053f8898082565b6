import Sessions
import Synchronization

import struct FoundationEssentials.Date

/// Sessions that were read from the database recently, limited in age and in size.
///
/// A session is never older than the limit, counted from before the query. A sign-out on another machine removes it
/// earlier, as long as the database delivers notifications.
package final class NearCache: Sendable {
    struct Entry {
        let session: Session
        /// The last use, as the database has it.
        let used: Date
        /// A time before the query, and before the server proved to be the primary.
        let read: ContinuousClock.Instant
        /// Its size in bytes, with everything that an entry needs.
        let size: Int
    }

    /// What the cache has done and has now.
    package struct Figures: Sendable {
        package fileprivate(set) var hits = 0
        package fileprivate(set) var misses = 0
        /// The size of all sessions, as the limit counts it.
        package fileprivate(set) var bytes = 0
    }

    /// The start of a query: its result may be kept only if nothing was removed since.
    struct Mark {
        fileprivate let drops: Int
        let start: ContinuousClock.Instant
    }

    private struct State {
        var entries: [[UInt8]: Entry] = [:]
        var size = 0
        var drops = 0
        var hits = 0
        var misses = 0

        mutating func remove(_ id: [UInt8]) {
            if let old = entries.removeValue(forKey: id) { size -= old.size }
        }

        mutating func removeAll() {
            entries = [:]
            size = 0
        }
    }

    private final class Part: Sendable {
        let state = Mutex(State())
    }

    /// Bytes that an entry takes besides its record.
    private static let overhead = 1_024
    private static let partCount = 16

    private let limit: Duration
    private let capacity: Int
    private let parts: [Part]
    private let clock = ContinuousClock()

    /// - Parameters:
    ///   - limit: the age up to which a session is trusted.
    ///   - capacity: bytes that all entries may take.
    package init(limit: Duration, capacity: Int = 16 << 20) {
        self.limit = limit
        self.capacity = capacity / Self.partCount
        parts = (0..<Self.partCount).map { _ in Part() }
    }

    private func part(_ id: [UInt8]) -> Part {
        parts[Int(id.first ?? 0) % Self.partCount]
    }

    /// The session of an id, if it is young enough; and where to begin if it is not there.
    func find(_ id: [UInt8]) -> (entry: Entry?, mark: Mark) {
        let now = clock.now
        return part(id).state.withLock { state in
            let mark = Mark(drops: state.drops, start: now)
            guard let entry = state.entries[id] else {
                state.misses += 1
                return (nil, mark)
            }
            guard now - entry.read < limit else {
                state.remove(id)
                state.misses += 1
                return (nil, mark)
            }
            state.hits += 1
            return (entry, mark)
        }
    }

    /// How often a session was found or not, and how much is kept.
    var figures: Figures {
        parts.reduce(into: Figures()) { figures, part in
            part.state.withLock { state in
                figures.hits += state.hits
                figures.misses += state.misses
                figures.bytes += state.size
            }
        }
    }

    /// Keeps what was read, unless something was dropped since the reading began.
    ///
    /// - Parameters:
    ///   - id: the id of the session.
    ///   - session: the session.
    ///   - used: its last use, as the database has it.
    ///   - recordSize: bytes of its record.
    ///   - mark: where the reading began.
    ///   - proven: when the database was certainly the primary.
    func insert(
        _ id: [UInt8],
        _ session: Session,
        used: Date,
        recordSize: Int,
        since mark: Mark,
        _ proven: ContinuousClock.Instant
    ) {
        let read = min(mark.start, proven)
        let entry = Entry(session: session, used: used, read: read, size: recordSize + Self.overhead)
        part(id).state.withLock { state in
            guard state.drops == mark.drops, entry.size <= capacity else { return }
            state.remove(id)
            if state.size + entry.size > capacity {
                let now = clock.now
                for (old, other) in state.entries where now - other.read >= limit { state.remove(old) }
                if state.size + entry.size > capacity { state.removeAll() }
            }
            state.entries[id] = entry
            state.size += entry.size
        }
    }

    /// Drops a session that was changed or removed.
    func drop(_ id: [UInt8]) {
        part(id).state.withLock { state in
            state.drops += 1
            state.remove(id)
        }
    }

    /// Handles a notification: another machine removed a session, or notifications may be lost.
    package func receive(_ notice: DatabaseClient.Notice) {
        switch notice {
        case .message(let text): for id in text.split(separator: " ").compactMap(Self.id) { drop(id) }
        case .lost: dropAll()
        }
    }

    /// Drops every session.
    func dropAll() {
        for part in parts {
            part.state.withLock { state in
                state.drops += 1
                state.removeAll()
            }
        }
    }

    /// Reads the hexadecimal digits of an id; nil for any other text.
    private static func id(_ text: Substring) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 32, text.utf8.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
