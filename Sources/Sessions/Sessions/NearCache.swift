import Synchronization

package import struct FoundationEssentials.Date

/// Sessions that were read from a database recently.
///
/// A session is never older than the limit, counted from before the query. A sign-out on another machine removes it
/// earlier, as long as the database delivers notifications.
package final class NearCache: Sendable {
    /// When a row was read, and what else the check needs of it.
    fileprivate struct Reading {
        /// A time before the query, and before the server proved to be the primary.
        let time: ContinuousClock.Instant
        /// The last use.
        let used: Date
    }

    /// What the cache has done and has now.
    package struct Figures: Sendable {
        package let hits: Int
        package let misses: Int
        /// The approximate size of all sessions.
        package let bytes: Int
    }

    /// The start of a query: its result may be kept only if nothing was removed since.
    package struct Mark: Sendable {
        fileprivate let mark: RememberedSessions<Reading>.Mark
        fileprivate let start: ContinuousClock.Instant
    }

    private let limit: Duration
    private let remembered: RememberedSessions<Reading>
    private let clock = ContinuousClock()
    private let hits = Atomic(0)
    private let misses = Atomic(0)

    /// - Parameters:
    ///   - limit: the age up to which a session is trusted.
    ///   - capacity: the maximum number of sessions, of about 0.5 KiB each.
    package init(limit: Duration, capacity: Int = 32_768) {
        self.limit = limit
        // At the first read, because sessions that are too old keep their places until others take them.
        remembered = RememberedSessions(capacity: capacity, displacement: .atFirstRead)
    }

    /// The session with a name and its last use; nil unless it was read recently enough.
    ///
    /// It does not count a miss, because the caller may not begin a look-up.
    package func find(_ name: RecordName) -> (session: CheckedSession, used: Date)? {
        guard let entry = remembered.find(name) else { return nil }
        guard clock.now - entry.proof.time < limit else {
            remembered.forget(entry)
            return nil
        }
        hits.wrappingAdd(1, ordering: .relaxed)
        return (entry.session, entry.proof.used)
    }

    /// Counts a session that `find` did not find.
    package func countMiss() {
        misses.wrappingAdd(1, ordering: .relaxed)
    }

    /// The start of a query for a session.
    package func mark(_ name: RecordName) -> Mark {
        Mark(mark: remembered.mark(name), start: clock.now)
    }

    /// Keeps what was read, unless something was dropped since the query began.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - name: the name of its record.
    ///   - used: its last use.
    ///   - mark: where the query began.
    ///   - proven: when the database was certainly the primary.
    package func remember(
        _ session: CheckedSession,
        _ name: RecordName,
        used: Date,
        since mark: Mark,
        _ proven: ContinuousClock.Instant
    ) {
        let reading = Reading(time: min(mark.start, proven), used: used)
        remembered.remember(session, name, reading, since: mark.mark)
    }

    /// Drops a session that was changed or removed.
    ///
    /// - Parameter id: the 16 bytes of its id.
    package func drop(_ id: [UInt8]) {
        remembered.forget(RecordName(hash: id))
    }

    /// Drops every session.
    package func dropAll() {
        remembered.forgetAll()
    }

    /// How often a session was found or not, and how much is kept.
    package var figures: Figures {
        Figures(
            hits: hits.load(ordering: .relaxed),
            misses: misses.load(ordering: .relaxed),
            bytes: remembered.bytes
        )
    }
}
