import struct FoundationEssentials.Date

/// Puts the parts of a record one after the other; numbers are big-endian.
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

    /// A length of four bytes, and the bytes.
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

    /// The seconds since 2001 as a double (IEEE 754): reading gives the very date that was written.
    mutating func append(_ value: Date) {
        append(value.timeIntervalSinceReferenceDate.bitPattern)
    }

    mutating func append<Value>(_ value: Value?, _ write: (inout Self, Value) -> Void) {
        append(value != nil)
        if let value { write(&self, value) }
    }
}
