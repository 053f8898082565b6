import CPostgreSQL

import struct Crypto.SHA256
package import struct FoundationEssentials.Date

/// A statement of SQL with its parameters, each in PostgreSQL's binary format.
package struct Statement: Sendable {
    let text: String
    /// The name under which the server keeps the statement, parsed and planned; nil: it plans each time.
    let name: String?
    private(set) var types: [UInt32] = []
    private(set) var lengths: [Int32] = []
    /// The parameters, one after the other.
    private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - text: one statement, with `$1` for the first parameter.
    ///   - parameters: at most eight.
    package init(_ text: String, _ parameters: Parameter...) {
        self.text = text
        name = nil
        for parameter in parameters { append(parameter) }
    }

    /// - Parameters:
    ///   - prepared: what the server may keep.
    ///   - parameters: at most eight.
    init(_ prepared: PreparedText, _ parameters: Parameter...) {
        text = prepared.text
        name = prepared.name
        for parameter in parameters { append(parameter) }
    }

    private mutating func append(_ parameter: Parameter) {
        let start = bytes.count
        switch parameter {
        case .bytes(let value):
            types.append(cpg_bytea)
            bytes += value
        case .text(let value):
            types.append(cpg_text)
            bytes += value.utf8
        case .integer(let value):
            types.append(cpg_int8)
            bytes.append(bigEndian: value)
        case .time(let value):
            types.append(cpg_timestamptz)
            bytes.append(bigEndian: value.postgreSQLMicroseconds)
        case .byteArrays(let values):
            types.append(cpg_bytea_array)
            bytes.append(array: values)
        }
        lengths.append(Int32(clamping: bytes.count - start))
    }
}

/// The text of a statement that a connection prepares, with its name there.
///
/// The name is a hash of the text. Behind a pooler, a connection to the server can have statements that another client of
/// the pooler prepared: a statement with this name always has this text.
struct PreparedText: Sendable {
    let text: String
    let name: String

    init(_ text: String) {
        self.text = text
        let digits = SHA256.hash(data: Array(text.utf8)).prefix(8).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        name = "linkedin_signin_" + digits.joined()
    }
}

/// A value that goes to the server.
package enum Parameter: Sendable {
    case bytes([UInt8])
    case text(String)
    case integer(Int64)
    case time(Date)
    case byteArrays([[UInt8]])
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: some FixedWidthInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// A `bytea[]` of one dimension: dimensions, no nulls, type, count, first index, and each value with its length
    /// (`array_recv`).
    fileprivate mutating func append(array values: [[UInt8]]) {
        append(bigEndian: Int32(1))
        append(bigEndian: Int32(0))
        append(bigEndian: cpg_bytea)
        append(bigEndian: Int32(clamping: values.count))
        append(bigEndian: Int32(1))
        for value in values {
            append(bigEndian: Int32(clamping: value.count))
            self += value
        }
    }
}

extension Date {
    /// Seconds from 2000-01-01, where PostgreSQL's times begin, to 2001-01-01, where Swift's do.
    private static let offset = 31_622_400.0

    /// Dates before 1970 and after 2242 become the first or last of these, as in the file store.
    var postgreSQLMicroseconds: Int64 {
        let seconds = timeIntervalSince1970
        guard seconds >= 0 else { return Date(timeIntervalSince1970: 0).postgreSQLMicroseconds }
        guard seconds < 8_589_934_592 else { return Date(timeIntervalSince1970: 8_589_934_591).postgreSQLMicroseconds }
        return Int64(((timeIntervalSinceReferenceDate + Self.offset) * 1_000_000).rounded())
    }

    init(postgreSQLMicroseconds value: Int64) {
        self.init(timeIntervalSinceReferenceDate: Double(value) / 1_000_000 - Self.offset)
    }
}
