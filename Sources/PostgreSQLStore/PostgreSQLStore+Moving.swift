package import Sessions

extension PostgreSQLStore: MovableStore {
    /// The generation of a record that a copy brought before the last one: the store that it came from may still change or end the
    /// session.
    private static let provisional = -1

    /// The range of the IDs in a shard.
    static func bounds(_ shard: Int) -> (first: Parameter, end: Parameter) {
        let end = shard < 255 ? [UInt8(truncatingIfNeeded: shard + 1)] : [UInt8](repeating: 255, count: 17)
        return (.bytes([UInt8(truncatingIfNeeded: shard)]), .bytes(end))
    }

    /// Checks that no `serve` uses the database on any machine.
    ///
    /// - Throws: `StoreError` with the code `.locked` if one does.
    package func requireNoService() async throws(StoreError) {
        let rows = try await database.read(AdvisoryLock.service.asking)
        guard rows[0].bool(0) == true else {
            throw StoreError(
                .locked,
                detail: "serve runs with this database: stop serve on all machines; if a pooler is between serve and "
                    + "the database, restart the pooler too"
            )
        }
    }

    package func records(shard: Int) async throws(StoreError) -> (records: [StoredRecord], unknown: Int) {
        let (first, end) = Self.bounds(shard)
        let rows = try await database.read(
            Statement("SELECT id, record, used FROM linkedin_signin.session WHERE id >= $1 AND id < $2", first, end)
        )[0]
        let records = (0..<rows.count).compactMap { row -> StoredRecord? in
            guard let id = rows.bytes(0, row: row), let bytes = rows.bytes(1, row: row),
                let used = rows.time(2, row: row)
            else { return nil }
            return StoredRecord(id: id, bytes: bytes, used: used)
        }
        return (records, rows.count - records.count)
    }

    package func add(_ records: [StoredRecord], shard: Int, isComplete: Bool) async throws(StoreError) {
        for start in stride(from: 0, to: records.count, by: Self.batch) {
            _ = try await database.write(
                all: records[start..<min(start + Self.batch, records.count)].map(Self.insertion)
            )
        }
        guard isComplete else { return }
        let (first, end) = Self.bounds(shard)
        _ = try await database.write(
            Statement(
                """
                DELETE FROM linkedin_signin.session
                WHERE id >= $1 AND id < $2 AND generation = \(Self.provisional) AND id <> ALL ($3)
                """,
                first,
                end,
                .byteArrays(records.map(\.id))
            ),
            Statement(
                """
                UPDATE linkedin_signin.session SET generation = 0
                WHERE id >= $1 AND id < $2 AND generation = \(Self.provisional)
                """,
                first,
                end
            )
        )
    }

    /// Records in one transaction.
    static let batch = 500

    private static func insertion(_ record: StoredRecord) -> Statement {
        Statement(
            """
            INSERT INTO linkedin_signin.session AS session (id, member, record, expires, used, generation)
            VALUES ($1, $2, $3, $4, $5, \(provisional))
            ON CONFLICT (id) DO UPDATE SET record = excluded.record, expires = excluded.expires, used = excluded.used
            WHERE session.generation = \(provisional)
            AND (session.record <> excluded.record OR session.used <> excluded.used)
            """,
            .bytes(record.id),
            .bytes(record.header.identity.member.storedName),
            .bytes(record.bytes),
            .time(record.header.expires),
            .time(record.used)
        )
    }

    package func erase(_ records: [StoredRecord], shard: Int) async throws(StoreError) {
        for start in stride(from: 0, to: records.count, by: Self.batch) {
            let ids = records[start..<min(start + Self.batch, records.count)].map(\.id)
            _ = try await database.write(
                Statement("DELETE FROM linkedin_signin.session WHERE id = ANY ($1)", .byteArrays(ids))
            )
        }
    }
}
