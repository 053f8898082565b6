import Sessions

package import struct FoundationEssentials.Date

/// What a statement returned: rows, or how many rows it changed.
package struct Rows: Sendable {
    private let columns: Int
    /// All values, one after the other.
    private let content: [UInt8]
    /// Where the value of each cell is in the content, row after row; nil is SQL's NULL.
    private let cells: [Range<Int>?]
    /// Rows that the statement returned, inserted, changed or deleted.
    package let affected: Int

    init(columns: Int, cells: [Range<Int>?], of content: [UInt8], affected: Int) {
        self.columns = columns
        self.content = content
        self.cells = cells
        self.affected = affected
    }

    package var isEmpty: Bool { cells.isEmpty }
    package var count: Int { columns == 0 ? 0 : cells.count / columns }

    /// Nil for NULL, and where there is no such cell.
    private func value(_ column: Int, row: Int) -> ArraySlice<UInt8>? {
        let index = row * columns + column
        guard column < columns, index < cells.count, let range = cells[index] else { return nil }
        return content[range]
    }

    /// A copy of a value; nil for NULL, and where there is no such cell.
    package func bytes(_ column: Int, row: Int = 0) -> [UInt8]? {
        value(column, row: row).map(Array.init)
    }

    /// Whether a cell has these bytes.
    func has(_ bytes: [UInt8], in column: Int, row: Int) -> Bool {
        value(column, row: row).map { $0 == bytes[...] } ?? false
    }

    /// An integer of any of SQL's sizes, or a truth value.
    package func integer(_ column: Int, row: Int = 0) -> Int64? {
        guard let bytes = value(column, row: row), 1...8 ~= bytes.count else { return nil }
        let start: Int64 = bytes[bytes.startIndex] & 0x80 == 0 ? 0 : -1
        return bytes.reduce(start) { $0 << 8 | Int64($1) }
    }

    package func bool(_ column: Int, row: Int = 0) -> Bool? {
        integer(column, row: row).map { $0 != 0 }
    }

    package func time(_ column: Int, row: Int = 0) -> Date? {
        integer(column, row: row).map(Date.init(postgreSQLMicroseconds:))
    }

    package func text(_ column: Int, row: Int = 0) -> String? {
        value(column, row: row).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The records in the rows, each in three columns: the name, the bytes and, if there is one, the last use, unless it is
    /// among the notes that are not written yet.
    ///
    /// A row with a name of another length is left out: no store wrote it.
    func records(_ uses: LastUses? = nil, from first: Int = 0, nameCount: Int = RecordName.byteCount) -> [ReadRecord] {
        (0..<count).compactMap { row in
            guard let name = bytes(first, row: row), name.count == nameCount, let bytes = bytes(first + 1, row: row)
            else { return nil }
            let used = uses?.pending(name) ?? time(first + 2, row: row) ?? ReadRecord.unused
            return ReadRecord(RecordName(hash: name), bytes, used: used)
        }
    }
}
