package import Sessions

package import struct FoundationEssentials.Date

extension PostgreSQLStore: PersonalTokenStore {
    package func makeToken(_ grant: TokenGrant, owner: Identity) async throws(StoreError) -> PersonalToken? {
        let token = try PersonalToken(random: random)
        let seal = PersonalTokenSeal(token)
        let member = Parameter.bytes(owner.member.storedName)
        let rows = try await database.write(
            // Two tokens of one member are made one after the other, so that both are counted.
            Statement("SELECT pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 0))", member),
            Statement(
                """
                INSERT INTO linkedin_signin.token (id, member, record, expires)
                SELECT $1, $2, $3, $4
                WHERE (SELECT count(*) FROM linkedin_signin.token) < $5
                AND (SELECT count(*) FROM linkedin_signin.token WHERE member = ANY ($7)) < $6
                """,
                .bytes(seal.id.bytes),
                member,
                .bytes(try seal.seal(grant, random: random)),
                .time(grant.expires),
                .integer(Int64(TokenLimits.total)),
                .integer(Int64(TokenLimits.owned)),
                .byteArrays(issuers.names(of: owner.member))
            ),
            // Keep a stored owner: it is of the last sign-in. The update changes nothing, but keeps `remove` from removing it.
            Statement(
                """
                INSERT INTO linkedin_signin.token_owner (member, record)
                SELECT $1, $2 WHERE EXISTS (SELECT 1 FROM linkedin_signin.token WHERE member = $1)
                ON CONFLICT (member) DO UPDATE SET record = token_owner.record
                """,
                member,
                .bytes(TokenOwner.record(of: owner))
            )
        )
        return rows[1].affected == 1 ? token : nil
    }

    package func find(_ token: PersonalToken, now: Date) async throws(StoreError) -> FoundToken? {
        let seal = PersonalTokenSeal(token)
        let answers = try await database.read(
            Statement(
                """
                SELECT token.record, token_owner.record, used FROM linkedin_signin.token
                JOIN linkedin_signin.token_owner USING (member) WHERE id = $1
                """,
                .bytes(seal.id.bytes)
            ),
            Statement("SELECT linkedin_signin.timeline()")
        )
        // A former primary does not know which tokens were revoked since.
        try await proof.confirm(answers[1].bytes(0))
        guard let record = answers[0].bytes(0), let grant = seal.open(record), now < grant.expires,
            let owner = answers[0].bytes(1).flatMap(TokenOwner.read), owner.member == grant.owner
        else { return nil }
        let used = lastTokenUses.pending(seal.id.bytes) ?? answers[0].time(2)
        let isNoted = used.map { abs(now.timeIntervalSince($0)) >= TokenLimits.useInterval } ?? true
        if isNoted { lastTokenUses.add(seal.id.bytes, now) }
        return FoundToken(id: seal.id, grant: grant, owner: owner, isNoted: isNoted)
    }

    package func tokens(of member: Member?, now: Date) async throws(StoreError) -> [ListedToken] {
        let columns = "SELECT id, record, used FROM linkedin_signin.token WHERE expires > $1"
        let statement =
            member.map {
                Statement(columns + " AND member = ANY ($2)", .time(now), .byteArrays(issuers.names(of: $0)))
            } ?? Statement(columns, .time(now))
        let answers = try await database.read(statement, Statement("SELECT linkedin_signin.timeline()"))
        try await proof.confirm(answers[1].bytes(0))
        let rows = answers[0]
        return (0..<rows.count).compactMap { row in
            guard let id = rows.bytes(0, row: row).flatMap(PersonalTokenID.init(bytes:)),
                let grant = rows.bytes(1, row: row).flatMap(TokenGrant.init(readablePartOf:))
            else { return nil }
            return ListedToken(id: id, grant: grant, used: rows.time(2, row: row))
        }
    }

    package func revokeTokens(_ ids: [PersonalTokenID], of member: Member?) async throws(StoreError) -> Int {
        let ids = Parameter.byteArrays(ids.sorted().map(\.bytes))
        let removal = "DELETE FROM linkedin_signin.token WHERE id = ANY ($1)"
        guard let member else { return try await remove(Statement(removal, ids)) }
        let names = Parameter.byteArrays(issuers.names(of: member))
        return try await remove(Statement(removal + " AND member = ANY ($2)", ids, names))
    }

    package func revokeAllTokens(of member: Member) async throws(StoreError) -> Int {
        try await remove(
            Statement(
                "DELETE FROM linkedin_signin.token WHERE member = ANY ($1)",
                .byteArrays(issuers.names(of: member))
            )
        )
    }

    /// Removes tokens, and the owners who have none left.
    private func remove(_ statement: Statement) async throws(StoreError) -> Int {
        let answers = try await database.write(
            statement,
            Statement(Self.lockOfOwners),
            Statement(Self.removalOfOwners),
            Statement("SELECT linkedin_signin.timeline()")
        )
        if answers[0].affected == 0 { try await proof.confirmCommits(answers[3].bytes(0)) }
        return answers[0].affected
    }

    /// Waits for tokens that are being made, so that the removal, a later statement, sees them.
    private static let lockOfOwners = """
        SELECT 1 FROM linkedin_signin.token_owner
        WHERE NOT EXISTS (SELECT 1 FROM linkedin_signin.token WHERE token.member = token_owner.member)
        ORDER BY member FOR UPDATE
        """
    private static let removalOfOwners = """
        DELETE FROM linkedin_signin.token_owner
        WHERE NOT EXISTS (SELECT 1 FROM linkedin_signin.token WHERE token.member = token_owner.member)
        """

    package func tokenOwner(_ member: Member) async throws(StoreError) -> Identity? {
        let rows = try await database.read(
            Statement(
                "SELECT record FROM linkedin_signin.token_owner WHERE member = ANY ($1) ORDER BY array_position($1, member)",
                .byteArrays(issuers.names(of: member))
            )
        )
        return rows[0].bytes(0).flatMap(TokenOwner.read)
    }

    package func tokenOwners() async throws(StoreError) -> [Identity] {
        let answers = try await database.read(
            Statement("SELECT record FROM linkedin_signin.token_owner"),
            Statement("SELECT linkedin_signin.timeline()")
        )
        _ = try await proof.confirm(answers[1].bytes(0))
        let rows = answers[0]
        return (0..<rows.count).compactMap { rows.bytes(0, row: $0).flatMap(TokenOwner.read) }
    }

    package func updateOwner(_ identity: Identity) async throws(StoreError) {
        for spelling in issuers.spellings(of: identity.member) {
            var identity = identity
            identity.issuer = spelling.issuer
            try await updateSpelled(identity)
        }
    }

    /// Stores the identity under its own issuer only.
    private func updateSpelled(_ identity: Identity) async throws(StoreError) {
        let record = Parameter.bytes(TokenOwner.record(of: identity))
        let answers = try await database.read(
            Statement(
                "SELECT 1 FROM linkedin_signin.token_owner WHERE member = $1 AND record <> $2",
                .bytes(identity.member.storedName),
                record
            )
        )
        // Most members own no token.
        guard !answers[0].isEmpty else { return }
        _ = try await database.write(
            Statement(
                "UPDATE linkedin_signin.token_owner SET record = $2 WHERE member = $1",
                .bytes(identity.member.storedName),
                record
            )
        )
    }

    package func storedTokens() async throws(StoreError) -> StoredTokens {
        let answers = try await database.read(
            Statement("SELECT id, record, used FROM linkedin_signin.token"),
            Statement("SELECT record FROM linkedin_signin.token_owner")
        )
        let (tokens, owners) = (answers[0], answers[1])
        return StoredTokens(
            tokens: (0..<tokens.count).compactMap { row in
                guard let id = tokens.bytes(0, row: row).flatMap(PersonalTokenID.init(bytes:)),
                    let record = tokens.bytes(1, row: row), TokenGrant(readablePartOf: record) != nil
                else { return nil }
                return StoredTokens.Token(id: id, record: record, used: tokens.time(2, row: row))
            },
            owners: (0..<owners.count).compactMap { owners.bytes(0, row: $0).flatMap(TokenOwner.read) }
        )
    }

    package func add(_ stored: StoredTokens) async throws(StoreError) {
        let owners = stored.owners.map { owner in
            Statement(
                "INSERT INTO linkedin_signin.token_owner (member, record) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                .bytes(owner.member.storedName),
                .bytes(TokenOwner.record(of: owner))
            )
        }
        let tokens = stored.tokens.compactMap { token -> Statement? in
            guard let grant = TokenGrant(readablePartOf: token.record) else { return nil }
            return Statement(
                // 1970 is the file store's mark of a token that was not used.
                """
                INSERT INTO linkedin_signin.token (id, member, record, expires, used)
                VALUES ($1, $2, $3, $4, nullif($5, '1970-01-01 00:00:00+00'::timestamptz)) ON CONFLICT DO NOTHING
                """,
                .bytes(token.id.bytes),
                .bytes(grant.owner.storedName),
                .bytes(token.record),
                .time(grant.expires),
                .time(token.used ?? Date(timeIntervalSince1970: 0))
            )
        }
        // In one transaction: a sweep in between would remove owners without tokens.
        guard !tokens.isEmpty || !owners.isEmpty else { return }
        _ = try await database.write(all: owners + tokens)
    }

    /// Removes tokens that have ended.
    ///
    /// - Returns: how many.
    func sweepTokens(now: Date) async throws(StoreError) -> Int {
        let answers = try await database.write(
            Statement("DELETE FROM linkedin_signin.token WHERE expires <= $1", .time(now)),
            Statement(Self.lockOfOwners),
            Statement(Self.removalOfOwners)
        )
        return answers[0].affected
    }
}
