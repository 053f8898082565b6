package import Sessions

package import struct FoundationEssentials.Date

extension PostgreSQLStore: AdministeredStore {
    package func list(shard: Int, now: Date) async throws(StoreError) -> SessionList {
        let (first, end) = Self.bounds(shard)
        let answers = try await database.read(
            Statement(
                // The header of a record; its length is in the bytes before it.
                """
                SELECT id, used, substring(record FOR CASE WHEN octet_length(record) < 10 THEN 10
                    ELSE 10 + 256 * get_byte(record, 8) + get_byte(record, 9) END)
                FROM linkedin_signin.session WHERE id >= $1 AND id < $2
                """,
                first,
                end
            ),
            Statement("SELECT linkedin_signin.timeline()")
        )
        try await proof.confirm(answers[1].bytes(0))
        let rows = answers[0]
        var list = SessionList()
        for row in 0..<rows.count {
            guard let id = rows.bytes(0, row: row).flatMap(SessionID.init(bytes:)), let used = rows.time(1, row: row),
                let bytes = rows.bytes(2, row: row)
            else { continue }
            list.add(id, bytes, used: used, now: now, idleLimit: idleLimit)
        }
        return list
    }

    /// Ids of 32 digits, and the spaces between them, that one message has room for: 8,000 bytes, less one.
    private static let told = 240

    /// The rows of a database belong to no user of the system.
    package var messageAboutForeignRecords: String? { nil }

    package func remove(_ ids: [SessionID]) async throws(StoreError) -> Int {
        // Also if an answer does not arrive: the rows may be gone.
        defer { for id in ids { cache?.drop(id.bytes) } }
        // In one order, so that two commands do not wait for each other.
        let sorted = ids.sorted()
        var count = 0
        // Without IDs, too: perhaps a session was not found only because its deletion still waits for a standby.
        for start in stride(from: 0, to: max(1, sorted.count), by: Self.batch) {
            let part = sorted[start..<min(start + Self.batch, sorted.count)].map(\.bytes)
            let answers = try await database.write(
                Statement(
                    """
                    WITH ended AS (DELETE FROM linkedin_signin.session WHERE id = ANY ($1) RETURNING id),
                        parts AS (SELECT id, (row_number() OVER () - 1) / \(Self.told) AS part FROM ended)
                    SELECT count(*), pg_notify('linkedin_signin', string_agg(encode(id, 'hex'), ' '))
                    FROM parts GROUP BY part
                    """,
                    .byteArrays(part)
                ),
                Statement("SELECT linkedin_signin.timeline()")
            )
            if answers[0].isEmpty { try await proof.confirmCommits(answers[1].bytes(0)) }
            count += (0..<answers[0].count).reduce(0) { $0 + Int(answers[0].integer(0, row: $1) ?? 0) }
        }
        return count
    }
}
