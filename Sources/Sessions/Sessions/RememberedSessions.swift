import Synchronization

/// Sessions that were read before, so that a check need not read and open their records again.
///
/// Each session comes with a proof, from which the store tells whether the session is still as its record: the stamp of a file,
/// or when a row was read. What is remembered has no tokens. Only a caller with the ticket can find it, because the name is
/// a hash of the ticket.
///
/// The number of places is fixed. Which session takes the place of another one is chosen by `Displacement`. Each lock is for a
/// few places and is held for a few instructions, so that two workers rarely wait for each other.
final class RememberedSessions<Proof: Sendable>: Sendable {
    /// A session with the name of its record.
    final class Entry: Sendable {
        fileprivate let name: RecordName
        fileprivate let number: Int
        fileprivate let byteCount: Int
        let proof: Proof
        let session: CheckedSession

        fileprivate init(_ name: RecordName, _ proof: Proof, _ session: CheckedSession) {
            (self.name, self.proof, self.session) = (name, proof, session)
            number = name.number
            byteCount = session.byteCount
        }
    }

    /// When a session takes the place of another one, if all of its places are taken.
    enum Displacement {
        /// At its first read.
        case atFirstRead
        /// At its second read, if no other session that needs one of the places was read in between.
        ///
        /// So sessions that are read once in a long time push out none of those that are read often, and cost no memory.
        case atSecondRead
    }

    /// The start of a read: what it returns is not remembered if a session was forgotten since.
    struct Mark: Sendable {
        fileprivate let forgotten: Int
    }

    private struct Places {
        var entries: [Entry?]
        /// The number of the last session that took no place, for each group.
        var candidates: [Int]
        /// Chooses the place of a session whose places are all taken.
        var turn = 0
        var forgotten = 0
        /// The approximate size of all entries.
        var bytes = 0

        /// Puts an entry or nothing into a place, and returns what was there.
        mutating func put(_ entry: Entry?, at index: Int) -> Entry? {
            let earlier = entries[index]
            bytes += (entry?.byteCount ?? 0) - (earlier?.byteCount ?? 0)
            entries[index] = entry
            return earlier
        }

        /// Whether a session may take one of its places now; if not, it may at its next read.
        mutating func admits(_ number: Int, to group: Range<Int>) -> Bool {
            if group.contains(where: { entries[$0] == nil || entries[$0]?.number == number }) { return true }
            let index = group.lowerBound / group.count
            if candidates[index] == number { return true }
            candidates[index] = number
            return false
        }
    }

    private final class Part: Sendable {
        let places: Mutex<Places>

        init(groupCount: Int, ways: Int) {
            places = Mutex(
                Places(
                    entries: Array(repeating: nil, count: groupCount * ways),
                    candidates: Array(repeating: -1, count: groupCount)
                )
            )
        }
    }

    private static var partCount: Int { 64 }
    /// The places among which a name can be, so that two sessions in use seldom push each other out.
    private static var ways: Int { 4 }

    private let parts: [Part]
    /// Groups of places in each part.
    private let groupCount: Int
    private let displacement: Displacement

    /// - Parameters:
    ///   - capacity: The maximum number of sessions, rounded up to a multiple of 256; 0 remembers none.
    ///   - displacement: When a session takes the place of another one.
    init(capacity: Int, displacement: Displacement) {
        let unit = Self.partCount * Self.ways
        groupCount = (capacity + unit - 1) / unit
        parts = (0..<Self.partCount).map { [groupCount] _ in Part(groupCount: groupCount, ways: Self.ways) }
        self.displacement = displacement
    }

    /// The session with a name, which may have changed by now.
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

    /// The start of a read of the session with a name.
    func mark(_ name: RecordName) -> Mark {
        Mark(forgotten: place(of: name.number).part.places.withLock(\.forgotten))
    }

    /// Remembers a session, unless its texts are unusually long or it takes no place yet.
    ///
    /// - Parameters:
    ///   - session: The session that was read.
    ///   - name: The name of its record.
    ///   - proof: What the store needs to tell whether the session is still as its record.
    ///   - mark: Where the read began; nil if the proof shows every change.
    func remember(_ session: CheckedSession, _ name: RecordName, _ proof: Proof, since mark: Mark? = nil) {
        guard groupCount > 0, session.byteCount <= CheckedSession.maximumByteCount else { return }
        let (part, group) = place(of: name.number)
        if displacement == .atSecondRead {
            guard part.places.withLock({ $0.admits(name.number, to: group) }) else { return }
        }
        let entry = Entry(name, proof, session)
        // The entry that had the place is released after the lock.
        _ = part.places.withLock { places -> Entry? in
            if let mark, mark.forgotten != places.forgotten { return nil }
            let own = group.first { places.entries[$0]?.number == entry.number }
            let index = own ?? group.first { places.entries[$0] == nil } ?? group.lowerBound + places.turn
            places.turn = (places.turn + 1) % Self.ways
            return places.put(entry, at: index)
        }
    }

    /// Forgets a session that was changed or removed, and what is being read of it.
    func forget(_ name: RecordName) {
        guard groupCount > 0 else { return }
        let number = name.number
        let (part, group) = place(of: number)
        // What is forgotten is released after the lock, here and below.
        _ = part.places.withLock { places -> Entry? in
            places.forgotten += 1
            return group.first { places.entries[$0]?.number == number }.flatMap { places.put(nil, at: $0) }
        }
    }

    /// Forgets an entry that is too old, unless the session has another one meanwhile.
    func forget(_ entry: Entry) {
        let (part, group) = place(of: entry.number)
        _ = part.places.withLock { places -> Entry? in
            group.first { places.entries[$0] === entry }.flatMap { places.put(nil, at: $0) }
        }
    }

    /// Forgets every session, and what is being read.
    func forgetAll() {
        for part in parts {
            _ = part.places.withLock { places -> [Entry?] in
                let earlier = places.entries
                places.entries = Array(repeating: nil, count: earlier.count)
                places.forgotten += 1
                places.bytes = 0
                return earlier
            }
        }
    }

    /// The approximate size of all entries.
    var bytes: Int { parts.reduce(0) { $0 + $1.places.withLock(\.bytes) } }

    private func place(of number: Int) -> (part: Part, group: Range<Int>) {
        let first = number / Self.partCount % groupCount * Self.ways
        return (parts[number % Self.partCount], first..<(first + Self.ways))
    }
}
