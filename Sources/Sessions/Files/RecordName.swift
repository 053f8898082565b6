/// The name of a record: 16 bytes of a hash.
///
/// In a directory, it is 32 hexadecimal digits; with shards, two of them are the name of a directory, and thirty more that
/// of a file in it. It is made from a hash only, never from text that a visitor sent.
package struct RecordName: Sendable, Hashable, Comparable {
    /// The first eight bytes of the hash.
    private let first: UInt64
    /// The next eight.
    private let last: UInt64

    /// The number of shards: directories that each contain a part of the sessions or marks.
    package static let shardCount = 256

    private static let digits = [UInt8]("0123456789abcdef".utf8)
    package static let byteCount = 16

    /// Uses the first 16 bytes of a hash.
    package init(hash: some Sequence<UInt8>) {
        var (first, last) = (0 as UInt64, 0 as UInt64)
        for byte in hash.prefix(Self.byteCount) {
            first = first << 8 | last >> 56
            last = last << 8 | UInt64(byte)
        }
        (self.first, self.last) = (first, last)
    }

    /// The name of a file in a directory without shards; nil unless it has the form of `flat`.
    init?(flat name: String) {
        guard Self.isFlat(name) else { return nil }
        self.init(shard: "", file: name)
    }

    /// The name of a file that was found in a shard and has the form that `isFile` checks.
    init(shard: String, file: String) {
        var (first, last) = (0 as UInt64, 0 as UInt64)
        for byte in "\(shard)\(file)".utf8 {
            let digit = byte & 15 + (byte >= UInt8(ascii: "a") ? 9 : 0)
            first = first << 4 | last >> 60
            last = last << 4 | UInt64(digit)
        }
        (self.first, self.last) = (first, last)
    }

    /// "ab/cdef…" and a NUL, on the stack, so that finding a record allocates nothing.
    var path: InlineArray<34, UInt8> {
        var path = InlineArray<34, UInt8>(repeating: 0)
        path[0] = Self.digit(first >> 60)
        path[1] = Self.digit(first >> 56)
        path[2] = UInt8(ascii: "/")
        for index in 2..<16 { path[index + 1] = Self.digit(first >> UInt64(60 - 4 * index)) }
        for index in 0..<16 { path[index + 17] = Self.digit(last >> UInt64(60 - 4 * index)) }
        return path
    }

    /// The bytes of the hash.
    package var bytes: [UInt8] {
        [first, last].flatMap { part in (0..<8).map { UInt8(truncatingIfNeeded: part >> UInt64(56 - 8 * $0)) } }
    }

    /// Orders names as their bytes.
    package static func < (left: Self, right: Self) -> Bool { (left.first, left.last) < (right.first, right.last) }

    /// 60 bits of the hash.
    var number: Int { Int(first >> 4) }

    /// The hexadecimal digit of the lowest four bits.
    private static func digit(_ bits: UInt64) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: bits & 15)
        return value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }

    var shard: String { text(0..<2) }
    var file: String { text(3..<33) }
    var relativePath: String { text(0..<33) }
    /// The name of a file in a directory without shards.
    var flat: String { shard + file }

    private func text(_ range: Range<Int>) -> String {
        let path = path
        return String(decoding: range.map { path[$0] }, as: UTF8.self)
    }

    /// Whether a name in a shard has the form of `file`; the store leaves all other files alone.
    static func isFile(_ name: String) -> Bool {
        name.utf8.count == 30 && name.utf8.allSatisfy(digits.contains)
    }

    static func isFlat(_ name: String) -> Bool {
        name.utf8.count == 32 && name.utf8.allSatisfy(digits.contains)
    }

    static func shard(_ index: Int) -> String {
        String(decoding: [digits[index >> 4 & 15], digits[index & 15]], as: UTF8.self)
    }
}
