import Sessions

import struct FoundationEssentials.Date

/// Records in the tables of a database that several machines share.
///
/// Each operation that must happen once on all machines is one statement, which changes a row or finds that another
/// machine has changed it.
struct DatabaseRecords: Records {
    private let database: DatabaseClient

    /// - Parameter database: connects to a database whose schema is current.
    init(_ database: DatabaseClient) {
        self.database = database
    }

    func put(_ bytes: [UInt8], _ kind: RecordKind, _ name: RecordName, ends: Date) async throws(StoreError) -> Bool {
        let statement =
            switch kind {
            case .state:
                Statement(
                    "INSERT INTO linkedin_signin.spent (id, expires) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
                    .bytes(name.bytes),
                    .time(ends)
                )
            case .form:
                Statement(
                    """
                    INSERT INTO linkedin_signin.kept (id, record, expires) VALUES ($1, $2, $3)
                    ON CONFLICT (id) DO NOTHING
                    """,
                    .bytes(name.bytes),
                    .bytes(bytes),
                    .time(ends)
                )
            }
        return try await database.write(statement)[0].affected == 1
    }

    func get(_ kind: RecordKind, _ name: RecordName) async throws(StoreError) -> [UInt8]? {
        let table = Table(kind)
        let query = "SELECT \(table.bytes) FROM linkedin_signin.\(table.name) WHERE id = $1\(table.restriction)"
        return try await database.read(Statement(query, .bytes(name.bytes)))[0].bytes(0)
    }

    func take(_ kind: RecordKind, _ name: RecordName) async throws(StoreError) -> [UInt8]? {
        let table = Table(kind)
        let removal =
            "DELETE FROM linkedin_signin.\(table.name) WHERE id = $1\(table.restriction) RETURNING \(table.bytes)"
        return try await database.write(Statement(removal, .bytes(name.bytes)))[0].bytes(0)
    }

    func sweep(_ kind: RecordKind, now: Date) async throws(StoreError) -> (removed: Int, left: Int) {
        let table = Table(kind).name
        let answers = try await database.write(
            Statement("DELETE FROM linkedin_signin.\(table) WHERE expires <= $1", .time(now)),
            Statement("SELECT count(*) FROM linkedin_signin.\(table)")
        )
        return (answers[0].affected, Int(answers[1].integer(0) ?? 0))
    }

    func forms() async throws(StoreError) -> [RecordEntry] {
        let rows = try await database.read(
            Statement("SELECT id, octet_length(record), expires FROM linkedin_signin.kept")
        )[0]
        return (0..<rows.count).compactMap { row in
            guard let id = rows.bytes(0, row: row), let byteCount = rows.integer(1, row: row),
                let ends = rows.time(2, row: row)
            else { return nil }
            return RecordEntry(name: RecordName(hash: id), byteCount: Int(byteCount), ends: ends)
        }
    }

    /// The server does not say.
    func room() -> Int? { nil }

    /// Where the records of a kind are.
    private struct Table {
        let name: String
        /// The expression for the bytes of a record.
        let bytes: String
        /// The condition that a row must meet to be a record, besides its name.
        let restriction: String

        init(_ kind: RecordKind) {
            switch kind {
            case .state: (name, bytes, restriction) = ("spent", "''::bytea", "")
            // An earlier version on another machine keeps the row of a form that it took.
            case .form: (name, bytes, restriction) = ("kept", "record", " AND taken IS NULL")
            }
        }
    }
}
