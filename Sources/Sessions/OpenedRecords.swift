import Synchronization

/// Records whose seals were opened before, so that a check need not open them again.
///
/// Each record takes 64 bits: a hash of its name, header, nonce and tag under a key that only this process has. The name is
/// a hash of the ticket, so only the same ticket finds it. Any other byte in the header gives another hash, and every write
/// has its own nonce. The hash says nothing about the session itself, so far more records fit into the same memory than
/// sessions into `RememberedSessions`.
final class OpenedRecords: Sendable {
    /// Identifies a record by what the seal proves to belong together, without the sealed bytes themselves.
    ///
    /// A check of an opened record reads only the header, so changed sealed bytes have no effect on it. Code that reads sealed
    /// bytes opens the seal. They are most of a record: hashing them too takes half as long as opening it.
    struct Mark: Sendable {
        fileprivate let bits: UInt64

        /// - Parameters:
        ///   - name: The name of the record.
        ///   - bytes: The record.
        ///   - headerCount: The number of bytes before the nonce.
        init(_ name: RecordName, _ bytes: [UInt8], headerCount: Int) {
            var hasher = Hasher()
            hasher.combine(name)
            hasher.combine(bytes.count)
            let span = bytes.span
            Self.combine(span.extracting(first: headerCount + SealedBytes.nonceCount), into: &hasher)
            Self.combine(span.extracting(last: SealedBytes.tagCount), into: &hasher)
            // 0 is a free place.
            bits = max(1, UInt64(bitPattern: Int64(hasher.finalize())))
        }

        private static func combine(_ span: Span<UInt8>, into hasher: inout Hasher) {
            var index = 0
            // Eight bytes at a time, which costs an eighth.
            while index + 8 <= span.count {
                var word: UInt64 = 0
                for offset in 0..<8 { word |= UInt64(span[index + offset]) << UInt64(8 * offset) }
                hasher.combine(word)
                index += 8
            }
            while index < span.count {
                hasher.combine(span[index])
                index += 1
            }
        }
    }

    private struct Places {
        /// Groups of places, as many as a power of two; none before the first mark.
        var marks: [UInt64] = []
        /// Chooses the place of a mark whose places are all taken.
        var turn = 0

        /// The places among which a mark can be: their bytes are next to each other, which the processor reads in one access.
        private static var ways: Int { 8 }

        func contains(_ mark: UInt64) -> Bool {
            !marks.isEmpty && group(of: mark).contains { marks[$0] == mark }
        }

        mutating func add(_ mark: UInt64, capacity: Int) {
            guard !contains(mark) else { return }
            if marks.isEmpty { marks = Array(repeating: 0, count: Self.ways) }
            while true {
                let group = group(of: mark)
                if let free = group.first(where: { marks[$0] == 0 }) {
                    marks[free] = mark
                    return
                }
                guard marks.count * 2 <= capacity else {
                    marks[group.lowerBound + turn] = mark
                    turn = (turn + 1) % Self.ways
                    return
                }
                grow()
            }
        }

        /// Doubles the number of groups: the marks of each are divided between two.
        private mutating func grow() {
            let earlier = marks
            marks = Array(repeating: 0, count: earlier.count * 2)
            for mark in earlier where mark != 0 {
                if let free = group(of: mark).first(where: { marks[$0] == 0 }) { marks[free] = mark }
            }
        }

        private func group(of mark: UInt64) -> Range<Int> {
            let first = Int(mark / UInt64(OpenedRecords.partCount) % UInt64(marks.count / Self.ways)) * Self.ways
            return first..<(first + Self.ways)
        }
    }

    private final class Part: Sendable {
        let places = Mutex(Places())
    }

    private static var partCount: Int { 64 }

    private let parts = (0..<partCount).map { _ in Part() }
    /// The maximum number of marks in each part.
    private let capacity: Int

    /// - Parameter capacity: The maximum number of records, 8 bytes each: a multiple of 512, or 0 to keep none.
    init(capacity: Int) {
        self.capacity = capacity / Self.partCount
    }

    /// Whether the seal of a record with these bytes was opened.
    func contains(_ mark: Mark) -> Bool {
        part(of: mark).places.withLock { $0.contains(mark.bits) }
    }

    func add(_ mark: Mark) {
        guard capacity > 0 else { return }
        part(of: mark).places.withLock { $0.add(mark.bits, capacity: capacity) }
    }

    private func part(of mark: Mark) -> Part { parts[Int(mark.bits % UInt64(Self.partCount))] }
}
