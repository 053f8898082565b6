import struct FoundationEssentials.Date

/// Reads the parts of a record from bytes that may be anything.
///
/// Every step ends with nil where the bytes end too early or say something that a record cannot.
struct RecordReader {
    private let all: [UInt8]
    private let end: Int
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        all = bytes
        end = bytes.count
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        all = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position == end }

    private mutating func take(_ count: Int) -> Range<Int>? {
        guard count <= end - position else { return nil }
        defer { position += count }
        return position..<position + count
    }

    /// True if these very bytes come next.
    mutating func skip(_ expected: [UInt8]) -> Bool {
        guard let range = take(expected.count) else { return false }
        return all[range].elementsEqual(expected)
    }

    mutating func integer<Integer: FixedWidthInteger & UnsignedInteger>(_: Integer.Type) -> Integer? {
        guard let range = take(Integer.bitWidth / 8) else { return nil }
        var value: Integer = 0
        for index in range { value = value << 8 | Integer(all[index]) }
        return value
    }

    /// A length of four bytes, and so many bytes.
    private mutating func sized() -> Range<Int>? {
        guard let count = integer(UInt32.self) else { return nil }
        return take(Int(count))
    }

    mutating func bytes() -> [UInt8]? {
        sized().map { Array(all[$0]) }
    }

    /// The parts within a part.
    mutating func parts() -> RecordReader? {
        sized().map { RecordReader(all, $0) }
    }

    mutating func string() -> String? {
        guard let range = sized(), let text = try? UTF8Span(validating: all.span.extracting(range)) else { return nil }
        return String(copying: text)
    }

    /// A truth value has one spelling each.
    mutating func bool() -> Bool? {
        switch integer(UInt8.self) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    mutating func date() -> Date? {
        guard let bits = integer(UInt64.self) else { return nil }
        let seconds = Double(bitPattern: bits)
        return seconds.isFinite ? Date(timeIntervalSinceReferenceDate: seconds) : nil
    }

    /// A value that may be absent: nil if the bytes are wrong, `.some(nil)` if it is absent.
    mutating func optional<Value>(_ read: (inout Self) -> Value?) -> Value?? {
        switch bool() {
        case false?: .some(nil)
        case true?: read(&self).map { .some($0) }
        case nil: nil
        }
    }
}
