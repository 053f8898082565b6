package import Sessions

package import struct FoundationEssentials.Date

extension PostgreSQLStore {
    /// The first bytes of every record: "LISS".
    private static let magic = "'\\x4c495353'"

    package func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts {
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
                .time(now.addingTimeInterval(-idleLimit)),
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
        var counts = SweepCounts()
        counts.expired = Int(rows[0].integer(0) ?? 0)
        counts.idle = Int(rows[0].integer(1) ?? 0)
        counts.live = Int(rows[1].integer(0) ?? 0)
        counts.newer = Int(rows[1].integer(1) ?? 0)
        counts.damaged = Int(rows[1].integer(2) ?? 0) - counts.live - counts.newer
        // Once a round: tokens end after days.
        if shard == 0 { counts.expiredTokens = try await sweepTokens(now: now) }
        return counts
    }
}
