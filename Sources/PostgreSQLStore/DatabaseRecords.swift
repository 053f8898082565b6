import Sessions

import struct FoundationEssentials.Date

/// Records in the tables of a database that several machines share.
///
/// Each operation that must happen once on all machines is one statement, which changes a row or finds that another
/// machine has changed it.
struct DatabaseRecords: Records {
    private let database: DatabaseClient
    private let proof: PrimaryProof
    private let tokenUses: LastUses

    /// - Parameters:
    ///   - database: connects to a database whose schema is current.
    ///   - proof: proves that the server is the primary.
    ///   - tokenUses: notes when tokens were used.
    init(_ database: DatabaseClient, proof: PrimaryProof, tokenUses: LastUses) {
        (self.database, self.proof, self.tokenUses) = (database, proof, tokenUses)
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

    /// The server does not say for how many records it has room.
    func sweep(_ kind: RecordKind, now: Date) async throws(StoreError) -> SweptRecords {
        let table = Table(kind)
        let answers = try await database.write(
            Statement("DELETE FROM linkedin_signin.\(table.name) WHERE expires <= $1", .time(now)),
            Statement("SELECT \(table.rest) FROM linkedin_signin.\(table.name)")
        )
        let rows = answers[1]
        switch kind {
        case .state: return SweptRecords(removed: answers[0].affected, left: Int(rows.integer(0) ?? 0))
        case .form:
            var swept = SweptRecords(removed: answers[0].affected, left: rows.count)
            for row in 0..<rows.count {
                guard let id = rows.bytes(0, row: row), let byteCount = rows.integer(1, row: row),
                    let ends = rows.time(2, row: row)
                else { continue }
                swept.forms.append(RecordEntry(name: RecordName(hash: id), byteCount: Int(byteCount), ends: ends))
            }
            return swept
        }
    }

    // MARK: - Tokens and their owners

    func add(_ tokens: [TokenRecord], owners: [TokenOwner], room: TokenRoom?) async throws(StoreError) -> Bool {
        // Two tokens of one owner are added one after the other, so that both are counted.
        let lock = room?.names.first.map {
            Statement("SELECT pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 0))", .bytes($0))
        }
        let statements = [lock].compactMap(\.self) + tokens.map { Self.insertion($0, room) }
        // In one transaction: a removal in between would remove owners without tokens.
        let answers = try await database.write(all: statements + owners.map(Self.insertion))
        return answers[(lock == nil ? 0 : 1)..<statements.count].allSatisfy { $0.affected == 1 }
    }

    private static func insertion(_ token: TokenRecord, _ room: TokenRoom?) -> Statement {
        let condition = """
            WHERE (SELECT count(*) FROM linkedin_signin.token) < $6
            AND (SELECT count(*) FROM linkedin_signin.token WHERE member = ANY ($8)) < $7
            """
        return Statement(
            // 1970 is the file store's mark of a token that was not used.
            """
            INSERT INTO linkedin_signin.token (id, member, record, expires, used)
            SELECT $1, $2, $3, $4, nullif($5, '1970-01-01 00:00:00+00'::timestamptz)
            \(room == nil ? "" : condition)
            ON CONFLICT DO NOTHING
            """,
            .bytes(token.id.bytes),
            .bytes(token.owner),
            .bytes(token.bytes),
            .time(token.grant.expires),
            .time(token.used ?? Date(timeIntervalSince1970: 0)),
            .integer(Int64(room?.total ?? 0)),
            .integer(Int64(room?.owned ?? 0)),
            .byteArrays(room?.names ?? [])
        )
    }

    private static func insertion(_ owner: TokenOwner) -> Statement {
        // The update changes nothing, but keeps `remove` from removing the owner.
        Statement(
            """
            INSERT INTO linkedin_signin.token_owner (member, record)
            SELECT $1, $2 WHERE EXISTS (SELECT 1 FROM linkedin_signin.token WHERE member = $1)
            ON CONFLICT (member) DO UPDATE SET record = token_owner.record
            """,
            .bytes(owner.name),
            .bytes(owner.bytes)
        )
    }

    func token(_ id: PersonalTokenID) async throws(StoreError) -> (token: TokenRecord, owner: TokenOwner?)? {
        let rows = try await proof.read(
            Statement(
                """
                SELECT id, token.record, used, token_owner.record FROM linkedin_signin.token
                LEFT JOIN linkedin_signin.token_owner USING (member) WHERE id = $1
                """,
                .bytes(id.bytes)
            )
        )
        return tokens(in: rows).first.map { ($0, rows.bytes(3).flatMap(TokenOwner.init(bytes:))) }
    }

    func noteUse(_ id: PersonalTokenID, _ now: Date) { tokenUses.add(id.bytes, now) }

    func tokens(of owners: [[UInt8]]?) async throws(StoreError) -> [TokenRecord] {
        let query = "SELECT id, record, used FROM linkedin_signin.token"
        let statement = owners.map { Statement(query + " WHERE member = ANY ($1)", .byteArrays($0)) }
        return tokens(in: try await proof.read(statement ?? Statement(query)))
    }

    private func tokens(in rows: Rows) -> [TokenRecord] {
        (0..<rows.count).compactMap { row in
            guard let id = rows.bytes(0, row: row).flatMap(PersonalTokenID.init(bytes:)),
                let bytes = rows.bytes(1, row: row)
            else { return nil }
            return TokenRecord(id: id, bytes: bytes, used: tokenUses.pending(id.bytes) ?? rows.time(2, row: row))
        }
    }

    func remove(_ choice: TokenChoice) async throws(StoreError) -> Int {
        let removal = "DELETE FROM linkedin_signin.token WHERE"
        let statement =
            switch choice {
            case .tokens(let ids, _): Statement(removal + " id = ANY ($1)", .byteArrays(ids.sorted().map(\.bytes)))
            case .ended(let now): Statement(removal + " expires <= $1", .time(now))
            }
        let ownerless = """
            linkedin_signin.token_owner
            WHERE NOT EXISTS (SELECT 1 FROM linkedin_signin.token WHERE token.member = token_owner.member)
            """
        let answers = try await database.write(
            statement,
            // Waits for tokens that are being added, so that the next statement sees them.
            Statement("SELECT 1 FROM \(ownerless) ORDER BY member FOR UPDATE"),
            Statement("DELETE FROM \(ownerless)"),
            Statement("SELECT linkedin_signin.timeline()")
        )
        if case .tokens = choice, answers[0].affected == 0 { try await proof.confirmCommits(answers[3].bytes(0)) }
        return answers[0].affected
    }

    func owners(_ names: [[UInt8]]?) async throws(StoreError) -> [TokenOwner] {
        let query = "SELECT record FROM linkedin_signin.token_owner"
        let statement = names.map {
            Statement(query + " WHERE member = ANY ($1) ORDER BY array_position($1, member)", .byteArrays($0))
        }
        let rows = try await proof.read(statement ?? Statement(query))
        return (0..<rows.count).compactMap { rows.bytes(0, row: $0).flatMap(TokenOwner.init(bytes:)) }
    }

    func replace(_ owner: TokenOwner) async throws(StoreError) {
        let (name, bytes) = (Parameter.bytes(owner.name), Parameter.bytes(owner.bytes))
        let query = "SELECT 1 FROM linkedin_signin.token_owner WHERE member = $1 AND record <> $2"
        // Most members own no token.
        guard try await !database.read(Statement(query, name, bytes))[0].isEmpty else { return }
        _ = try await database.write(
            Statement("UPDATE linkedin_signin.token_owner SET record = $2 WHERE member = $1", name, bytes)
        )
    }

    /// Where the records of a kind are.
    private struct Table {
        let name: String
        /// The expression for the bytes of a record.
        let bytes: String
        /// The condition that a row must meet to be a record, besides its name.
        let restriction: String
        /// What a sweep reads of the rows that it left.
        let rest: String

        init(_ kind: RecordKind) {
            switch kind {
            case .state: (name, bytes, restriction, rest) = ("spent", "''::bytea", "", "count(*)")
            // An earlier version on another machine keeps the row of a form that it took.
            case .form:
                (name, bytes, restriction) = ("kept", "record", " AND taken IS NULL")
                rest = "id, octet_length(record), expires"
            }
        }
    }
}
