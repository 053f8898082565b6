import struct Foundation.Date

/// Reads the parts of a record from bytes that may be anything.
///
/// Every step ends with nil where the bytes end too early or say something that a record cannot.
struct RecordReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }
    var position: Int { rest.startIndex }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func integer<Integer: FixedWidthInteger & UnsignedInteger>(_: Integer.Type) -> Integer? {
        bytes(Integer.bitWidth / 8)?.reduce(0) { $0 << 8 | Integer($1) }
    }

    /// A length of four bytes, and so many bytes.
    mutating func sized() -> ArraySlice<UInt8>? {
        integer(UInt32.self).flatMap { bytes(Int($0)) }
    }

    mutating func string() -> String? {
        sized().flatMap { String(validating: $0, as: UTF8.self) }
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
