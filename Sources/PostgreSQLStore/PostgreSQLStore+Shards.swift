package import Sessions

import struct FoundationEssentials.Date

// What needs no tickets: it does not count as use of the sessions.

// MARK: - Removing

extension PostgreSQLStore {
    package func remove(_ choice: RecordChoice) async throws(StoreError) -> Int {
        switch choice {
        case .sessions(.ids(let ids)):
            // Also if an answer does not arrive: the rows may be gone.
            defer { for id in ids { cache?.drop(id.bytes) } }
            // In one order, so that two commands do not wait for each other.
            let sorted = ids.sorted().map(\.bytes)
            var count = 0
            // Without IDs, too: perhaps a session was not found only because its deletion still waits for a standby.
            for start in stride(from: 0, to: max(1, sorted.count), by: Self.batch) {
                count += try await remove("id", Array(sorted[start..<min(start + Self.batch, sorted.count)]))
            }
            return count
        case .sessions(.all(let member)):
            do throws(StoreError) {
                return try await remove("member", issuers.names(of: member))
            } catch {
                // The rows may be gone although the answer did not arrive, and their IDs are unknown.
                cache?.dropAll()
                throw error
            }
        case .sessions(.signedOut(let notice)):
            var ids: [SessionID] = []
            let shards = (0..<256).map { RecordSelection.shard($0, headersOnly: true) }
            for part in notice.member.map({ [.member($0)] }) ?? shards {
                let found = try await read(part)
                // So many sessions of one member end together.
                if !found.isComplete, let member = notice.member {
                    return try await remove(.sessions(.all(of: member)))
                }
                ids += StoredRecords(found).records.filter { notice.ends($0.header.identity) }.map(\.id)
            }
            return try await remove(.sessions(.ids(ids)))
        case .tokens(let tokens): return try await remove(tokens)
        }
    }

    /// Ids of 32 digits, and the spaces between them, that one message has room for: 8,000 bytes, less one.
    private static let told = 240

    /// Removes the sessions that have one of the values in a column.
    private func remove(_ column: String, _ values: [[UInt8]]) async throws(StoreError) -> Int {
        let answers = try await database.write(
            Statement(
                // The other machines remove the sessions from memory. NOTIFY takes a global lock, so nothing else uses it.
                """
                WITH ended AS (DELETE FROM linkedin_signin.session WHERE \(column) = ANY ($1) RETURNING id),
                    parts AS (SELECT id, (row_number() OVER () - 1) / \(Self.told) AS part FROM ended),
                    messages AS (
                        SELECT count(*), string_agg(encode(id, 'hex'), ' ') AS ids FROM parts GROUP BY part
                    )
                SELECT count, ids, pg_notify('linkedin_signin', ids) FROM messages
                """,
                .byteArrays(values)
            ),
            Statement("SELECT linkedin_signin.timeline()")
        )
        let messages = answers[0]
        if messages.isEmpty { try await proof.confirmCommits(answers[1].bytes(0)) }
        return (0..<messages.count).reduce(0) { count, row in
            if let ids = messages.text(1, row: row) { cache?.receive(.message(ids)) }
            return count + Int(messages.integer(0, row: row) ?? 0)
        }
    }
}

// MARK: - Sweeping

extension PostgreSQLStore {
    /// The first bytes of every record: "LISS".
    private static let magic = "'\\x4c495353'"

    func sweep(shard: Int, now: Date, idle: Date) async throws(StoreError) -> SweptRecords {
        let (first, end) = Self.bounds(shard)
        let rows = try await database.write(
            Statement(
                // A record of a newer version is left to the newer program.
                """
                WITH ended AS (
                    DELETE FROM linkedin_signin.session
                    WHERE id >= $1 AND id < $2 AND (expires <= $3 OR used <= $4)
                    AND NOT (substring(record FOR 4) = \(Self.magic) AND substring(record FOR 6) > $5)
                    RETURNING expires <= $3 AS expired
                )
                SELECT count(*) FILTER (WHERE expired), count(*) FILTER (WHERE NOT expired) FROM ended
                """,
                first,
                end,
                .time(now),
                .time(idle),
                .bytes(RecordHeader.latestHead)
            ),
            Statement(
                """
                SELECT count(*) FILTER (WHERE substring(head FOR 4) = \(Self.magic) AND head <= $3),
                    count(*) FILTER (WHERE substring(head FOR 4) = \(Self.magic) AND head > $3),
                    count(*)
                FROM (
                    SELECT substring(record FOR 6) AS head FROM linkedin_signin.session WHERE id >= $1 AND id < $2
                ) AS part
                """,
                first,
                end,
                .bytes(RecordHeader.latestHead)
            )
        )
        var swept = SweptRecords(expired: Int(rows[0].integer(0) ?? 0), live: Int(rows[1].integer(0) ?? 0))
        swept.counts.idle = Int(rows[0].integer(1) ?? 0)
        swept.counts.newer = Int(rows[1].integer(1) ?? 0)
        swept.counts.damaged = Int(rows[1].integer(2) ?? 0) - swept.counts.live - swept.counts.newer
        return swept
    }
}

// MARK: - Listing and moving

extension PostgreSQLStore {
    /// The generation of a record that a copy brought before the last one: the store that it came from may still change or end the
    /// session.
    private static let provisional = -1

    /// The range of the IDs in a shard.
    private static func bounds(_ shard: Int) -> (first: Parameter, end: Parameter) {
        let end = shard < 255 ? [UInt8(truncatingIfNeeded: shard + 1)] : [UInt8](repeating: 255, count: 17)
        return (.bytes([UInt8(truncatingIfNeeded: shard)]), .bytes(end))
    }

    /// The sessions in a shard; the length of a header is in the bytes before it.
    func sessions(in shard: Int, headersOnly: Bool) async throws(StoreError) -> ReadRecords {
        let (first, end) = Self.bounds(shard)
        let bytes = headersOnly ? Self.header : "record"
        let query = "SELECT id, \(bytes), used FROM linkedin_signin.session WHERE id >= $1 AND id < $2"
        return ReadRecords(try await proof.read(Statement(query, first, end)).records())
    }

    func sessions(of member: Member) async throws(StoreError) -> ReadRecords {
        let limit = RecordSelection.memberLimit
        let query = """
            SELECT id, \(Self.header), used FROM linkedin_signin.session WHERE member = ANY ($1) LIMIT \(limit + 1)
            """
        let rows = try await proof.read(Statement(query, .byteArrays(issuers.names(of: member))))
        return rows.count <= limit ? ReadRecords(rows.records()) : ReadRecords([], isComplete: false)
    }

    private static let header = """
        substring(record FOR CASE WHEN octet_length(record) < 10 THEN 10
            ELSE 10 + 256 * get_byte(record, 8) + get_byte(record, 9) END)
        """

    func add(_ records: [StoredRecord], _ origin: RecordOrigin) async throws(StoreError) -> Int {
        var count = 0
        for start in stride(from: 0, to: records.count, by: Self.batch) {
            let some = records[start..<min(start + Self.batch, records.count)]
            let answers = try await database.write(all: some.map { Self.insertion($0, origin) })
            count += answers.reduce(0) { $0 + $1.affected }
        }
        guard case .copy(let shard, isComplete: true) = origin else { return count }
        let (first, end) = Self.bounds(shard)
        _ = try await database.write(
            Statement(
                """
                DELETE FROM linkedin_signin.session
                WHERE id >= $1 AND id < $2 AND generation = \(Self.provisional) AND id <> ALL ($3)
                """,
                first,
                end,
                .byteArrays(records.map(\.id.bytes))
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
        return count
    }

    /// Records in one transaction.
    private static let batch = 500

    private static func insertion(_ record: StoredRecord, _ origin: RecordOrigin) -> Statement {
        let (generation, conflict) =
            switch origin {
            case .new: (0, "NOTHING")
            case .copy:
                (
                    provisional,
                    """
                    UPDATE SET record = excluded.record, expires = excluded.expires, used = excluded.used
                    WHERE session.generation = \(provisional)
                    AND (session.record <> excluded.record OR session.used <> excluded.used)
                    """
                )
            }
        return Statement(
            """
            INSERT INTO linkedin_signin.session AS session (id, member, record, expires, used, generation)
            VALUES ($1, $2, $3, $4, $5, \(generation)) ON CONFLICT (id) DO \(conflict)
            """,
            .bytes(record.id.bytes),
            .bytes(record.header.identity.member.storedName),
            .bytes(record.bytes),
            .time(record.header.expires),
            .time(record.used)
        )
    }
}
