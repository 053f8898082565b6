import POSIX
import Synchronization

import struct FoundationEssentials.Date

/// Sessions whose records were opened before, so that a check needs to ask only whether the file is the same.
///
/// A record is never written in place: every change puts another file in its place or removes it. So a session is as good as
/// its record as long as the name leads to a file with the same stamp. What is remembered has no tokens. Only
/// a caller with the ticket can find it, because the name is a hash of the ticket.
///
/// The number of places is fixed, and a session takes the place of another one if all of its places are taken. Each lock is
/// for a few places and is held for a few instructions, so that two workers rarely wait for each other.
final class RememberedSessions: Sendable {
    /// What changes whenever another file has a name, or a file is written.
    struct Stamp: Sendable, Equatable {
        let identity: FileStatus.Identity
        /// Bytes.
        let size: Int
        /// Nanoseconds since 1970.
        let modified: Int64
        /// Nanoseconds since 1970.
        let changed: Int64

        init(_ status: FileStatus) {
            identity = status.identity
            size = status.size
            modified = status.modified
            changed = status.changed
        }
    }

    /// A session with the name and the stamp of its record.
    final class Entry: Sendable {
        fileprivate let name: RecordName
        fileprivate let number: Int
        let stamp: Stamp
        let session: CheckedSession

        fileprivate init(_ name: RecordName, _ stamp: Stamp, _ session: CheckedSession) {
            (self.name, self.stamp, self.session) = (name, stamp, session)
            number = name.number
        }
    }

    private struct Places {
        var entries: [Entry?]
        /// Chooses the place of a session whose places are all taken.
        var turn = 0
    }

    private final class Part: Sendable {
        let places: Mutex<Places>

        init(count: Int) {
            places = Mutex(Places(entries: Array(repeating: nil, count: count)))
        }
    }

    private static let partCount = 64
    /// The places among which a name can be, so that two sessions in use seldom push each other out.
    private static let ways = 4
    /// The age in seconds that the last change of a record must have.
    ///
    /// The clock of the file system stands still for some milliseconds, so that two changes may have the same time.
    private static let youngest = 1.0

    private let parts: [Part]
    /// Groups of places in each part.
    private let groupCount: Int

    /// - Parameter capacity: The maximum number of sessions, rounded up to a multiple of 256; 0 remembers none.
    init(capacity: Int) {
        let unit = Self.partCount * Self.ways
        groupCount = (capacity + unit - 1) / unit
        parts = (0..<Self.partCount).map { [groupCount] _ in Part(count: groupCount * Self.ways) }
    }

    /// The session with a name, whose file may be another one by now.
    func find(_ name: RecordName) -> Entry? {
        guard groupCount > 0 else { return nil }
        let number = name.number
        let (part, group) = place(of: number)
        let entry: Entry? = part.places.withLock { places in
            for index in group {
                if let entry = places.entries[index], entry.number == number { return entry }
            }
            return nil
        }
        return entry.flatMap { $0.name == name ? $0 : nil }
    }

    /// Remembers a session.
    ///
    /// - Parameters:
    ///   - session: The session that was read.
    ///   - name: The name of its record.
    ///   - status: The status of the record before it was read.
    ///   - now: The current time.
    func remember(_ session: CheckedSession, _ name: RecordName, _ status: FileStatus, now: Date) {
        guard groupCount > 0, now.timeIntervalSince1970 - Double(status.changed) / 1e9 > Self.youngest else { return }
        let entry = Entry(name, Stamp(status), session)
        let (part, group) = place(of: entry.number)
        // The entry that had the place is released after the lock.
        _ = part.places.withLock { places in
            let own = group.first { places.entries[$0]?.number == entry.number }
            let index = own ?? group.first { places.entries[$0] == nil } ?? group.lowerBound + places.turn
            places.turn = (places.turn + 1) % Self.ways
            defer { places.entries[index] = entry }
            return places.entries[index]
        }
    }

    private func place(of number: Int) -> (Part, Range<Int>) {
        let first = number / Self.partCount % groupCount * Self.ways
        return (parts[number % Self.partCount], first..<(first + Self.ways))
    }
}
