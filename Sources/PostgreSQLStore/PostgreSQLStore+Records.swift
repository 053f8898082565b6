package import Sessions

package import struct FoundationEssentials.Date

extension PostgreSQLStore {
    package func put(_ records: NewRecords) async throws(StoreError) -> Int {
        switch records {
        case .record(let bytes, let kind, let name, let ends):
            let table = Table(kind)
            let insertion = "INSERT INTO linkedin_signin.\(table.name) \(table.row) ON CONFLICT (id) DO NOTHING"
            let statement = Statement(insertion, .bytes(name.bytes), .time(ends), .bytes(bytes))
            return try await database.write(statement)[0].affected
        case .sessions(let records, let origin): return try await add(records, origin)
        case .tokens(let tokens, let owners, let room): return try await add(tokens, owners, room)
        case .replacement(let owner):
            try await replace(owner)
            return 0
        }
    }

    package func read(_ selection: RecordSelection) async throws(StoreError) -> ReadRecords {
        switch selection {
        case .record(let kind, let name):
            let table = Table(kind)
            let query = "SELECT id, \(table.bytes) FROM linkedin_signin.\(table.name) WHERE id = $1\(table.restriction)"
            return ReadRecords(try await database.read(Statement(query, .bytes(name.bytes)))[0].records())
        case .token(let id): return ReadRecords(try await token(id))
        case .tokens(let owners): return ReadRecords(try await tokens(owners))
        case .owners(let names):
            let query = "SELECT member, record FROM linkedin_signin.token_owner"
            let statement = names.map {
                Statement(query + " WHERE member = ANY ($1) ORDER BY array_position($1, member)", .byteArrays($0))
            }
            let rows = try await proof.read(statement ?? Statement(query))
            return ReadRecords(rows.records(nameCount: Member.storedNameCount))
        case .shard(let shard, let headersOnly): return try await sessions(in: shard, headersOnly: headersOnly)
        case .member(let member): return try await sessions(of: member)
        }
    }

    package func take(_ kind: RecordKind, _ name: RecordName) async throws(StoreError) -> [UInt8]? {
        let table = Table(kind)
        let removal =
            "DELETE FROM linkedin_signin.\(table.name) WHERE id = $1\(table.restriction) RETURNING \(table.bytes)"
        return try await database.write(Statement(removal, .bytes(name.bytes)))[0].bytes(0)
    }

    package func sweep(_ part: SweptPart, now: Date) async throws(StoreError) -> SweptRecords {
        switch part {
        case .shard(let shard, let idle): try await sweep(shard: shard, now: now, idle: idle)
        case .records(let kind): try await sweep(kind, now: now)
        }
    }

    /// The server does not say for how many records it has room.
    private func sweep(_ kind: RecordKind, now: Date) async throws(StoreError) -> SweptRecords {
        let table = Table(kind)
        let answers = try await database.write(
            Statement("DELETE FROM linkedin_signin.\(table.name) WHERE expires <= $1", .time(now)),
            Statement("SELECT \(table.rest) FROM linkedin_signin.\(table.name)")
        )
        let rows = answers[1]
        switch kind {
        case .state: return SweptRecords(expired: answers[0].affected, live: Int(rows.integer(0) ?? 0))
        case .form:
            var swept = SweptRecords(expired: answers[0].affected, live: rows.count)
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

    private func add(
        _ tokens: [TokenRecord],
        _ owners: [TokenOwner],
        _ room: TokenRoom?
    ) async throws(StoreError) -> Int {
        // Two tokens of one owner are added one after the other, so that both are counted.
        let lock = room?.names.first.map {
            Statement("SELECT pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 0))", .bytes($0))
        }
        let statements = [lock].compactMap(\.self) + tokens.map { Self.insertion($0, room) }
        // In one transaction: a removal in between would remove owners without tokens.
        let answers = try await database.write(all: statements + owners.map(Self.insertion))
        return answers[(lock == nil ? 0 : 1)..<statements.count].reduce(0) { $0 + $1.affected }
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
            .time(token.used ?? ReadRecord.unused),
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

    /// A token and its owner.
    private func token(_ id: PersonalTokenID) async throws(StoreError) -> [ReadRecord] {
        let rows = try await proof.read(
            Statement(
                """
                SELECT id, token.record, used, member, token_owner.record FROM linkedin_signin.token
                LEFT JOIN linkedin_signin.token_owner USING (member) WHERE id = $1
                """,
                .bytes(id.bytes)
            )
        )
        return rows.records(lastTokenUses) + rows.records(from: 3, nameCount: Member.storedNameCount)
    }

    private func tokens(_ owners: [[UInt8]]?) async throws(StoreError) -> [ReadRecord] {
        let query = "SELECT id, record, used FROM linkedin_signin.token"
        let statement = owners.map { Statement(query + " WHERE member = ANY ($1)", .byteArrays($0)) }
        return try await proof.read(statement ?? Statement(query)).records(lastTokenUses)
    }

    func remove(_ choice: TokenChoice) async throws(StoreError) -> Int {
        let removal = "DELETE FROM linkedin_signin.token WHERE"
        let statement =
            switch choice {
            case .ids(let ids, _): Statement(removal + " id = ANY ($1)", .byteArrays(ids.sorted().map(\.bytes)))
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
        if case .ids = choice, answers[0].affected == 0 { try await proof.confirmCommits(answers[3].bytes(0)) }
        return answers[0].affected
    }

    private func replace(_ owner: TokenOwner) async throws(StoreError) {
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
        /// What an insertion writes of a name, an end and bytes.
        let row: String
        /// The expression for the bytes of a record.
        let bytes: String
        /// The condition that a row must meet to be a record, besides its name.
        let restriction: String
        /// What a sweep reads of the rows that it left.
        let rest: String

        init(_ kind: RecordKind) {
            switch kind {
            case .state:
                (name, row) = ("spent", "(id, expires) VALUES ($1, $2)")
                (bytes, restriction, rest) = ("''::bytea", "", "count(*)")
            // An earlier version on another machine keeps the row of a form that it took.
            case .form:
                (name, row) = ("kept", "(id, expires, record) VALUES ($1, $2, $3)")
                (bytes, restriction, rest) = ("record", " AND taken IS NULL", "id, octet_length(record), expires")
            }
        }
    }
}
