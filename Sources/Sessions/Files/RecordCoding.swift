import Crypto

import struct FoundationEssentials.Data
import struct FoundationEssentials.Date

/// Appends the fields of a record one after the other; integers are big-endian.
struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(raw: some Sequence<UInt8>) {
        bytes.append(contentsOf: raw)
    }

    mutating func append<Integer: FixedWidthInteger & UnsignedInteger>(_ value: Integer) {
        for shift in stride(from: Integer.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> Integer(shift)))
        }
    }

    /// Appends a length of four bytes, and the bytes.
    mutating func append(sized value: some Collection<UInt8>) {
        append(UInt32(clamping: value.count))
        append(raw: value)
    }

    mutating func append(_ value: String) {
        append(sized: value.utf8)
    }

    mutating func append(_ value: Bool) {
        append(UInt8(value ? 1 : 0))
    }

    /// Appends the seconds since 2001 as a double (IEEE 754), so that reading gives exactly the same date.
    mutating func append(_ value: Date) {
        append(value.timeIntervalSinceReferenceDate.bitPattern)
    }

    mutating func append<Value>(_ value: Value?, _ write: (inout Self, Value) -> Void) {
        append(value != nil)
        if let value { write(&self, value) }
    }
}

/// Reads the fields of a record from untrusted bytes.
///
/// Every method returns nil if the bytes end too early or contain a value that no record contains.
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

    /// Skips these bytes; false if other bytes come next.
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

    /// A length of four bytes, and that many bytes.
    private mutating func sized() -> Range<Int>? {
        guard let count = integer(UInt32.self) else { return nil }
        return take(Int(count))
    }

    mutating func bytes() -> [UInt8]? {
        sized().map { Array(all[$0]) }
    }

    /// A reader of the fields within a field.
    mutating func parts() -> RecordReader? {
        sized().map { RecordReader(all, $0) }
    }

    /// Skips a length and that many bytes; false if there are fewer.
    mutating func skipBytes() -> Bool { sized() != nil }

    mutating func string() -> String? {
        text { String(copying: $0) }
    }

    /// What a closure makes of a text, which is not copied; nil if the bytes are not UTF-8.
    mutating func text<Value>(_ read: (UTF8Span) -> Value) -> Value? {
        guard let range = sized(), let text = try? UTF8Span(validating: all.span.extracting(range)) else { return nil }
        return read(text)
    }

    /// Whether the next text has the bytes of another; nil if there is no next text.
    mutating func matches(_ text: String) -> Bool? {
        sized().map { $0.count == text.utf8.count && all[$0].elementsEqual(text.utf8) }
    }

    /// A byte of 0 or 1; any other byte is an error.
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

    /// A value that may be absent: nil if the bytes are malformed, `.some(nil)` if the value is absent.
    mutating func optional<Value>(_ read: (inout Self) -> Value?) -> Value?? {
        switch bool() {
        case false?: .some(nil)
        case true?: read(&self).map { .some($0) }
        case nil: nil
        }
    }
}

/// Bytes of a readable header and a secret, sealed by AES-256-GCM with the header as associated data.
///
/// ```
/// header  nonce (12)  sealed  tag (16)
/// ```
enum SealedBytes {
    static let nonceCount = 12
    static let tagCount = 16
    /// The number of bytes that sealing adds to header and secret.
    static let overhead = nonceCount + tagCount

    /// The header followed by the sealed secret; nil if the cipher rejects the key or the nonce.
    static func seal(_ secret: [UInt8], behind header: [UInt8], key: SymmetricKey, nonce: [UInt8]) -> [UInt8]? {
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(secret, using: key, nonce: nonce, authenticating: header)
        else { return nil }
        return header + nonce + box.ciphertext + box.tag
    }

    /// The secret; nil if any byte, including the header, was changed since it was sealed under this key.
    static func open(_ bytes: [UInt8], behind headerCount: Int, key: SymmetricKey) -> [UInt8]? {
        unseal(bytes, behind: headerCount, key: key).map { [UInt8]($0) }
    }

    /// Whether no byte, including the header, was changed since it was sealed under this key.
    static func isAuthentic(_ bytes: [UInt8], behind headerCount: Int, key: SymmetricKey) -> Bool {
        unseal(bytes, behind: headerCount, key: key) != nil
    }

    private static func unseal(_ bytes: [UInt8], behind headerCount: Int, key: SymmetricKey) -> Data? {
        guard bytes.count - headerCount >= overhead,
            let box = try? AES.GCM.SealedBox(combined: bytes[headerCount...])
        else { return nil }
        return try? AES.GCM.open(box, using: key, authenticating: bytes[..<headerCount])
    }
}
