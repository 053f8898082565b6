package import Sessions

/// The tables of the store, by version: each step leads from one version to the next, and no step leads back.
///
/// A step may run while gateways of the previous version serve, so it must neither lock a table for long nor remove
/// anything that they use.
package enum Schema {
    /// The version that this program works with.
    package static let version = 4

    /// Statements of all steps, the first of which makes version 1.
    private static let steps: [[String]] = [
        [
            "CREATE SCHEMA IF NOT EXISTS linkedin_signin",
            """
            CREATE TABLE linkedin_signin.version (
                version integer PRIMARY KEY,
                applied timestamptz NOT NULL DEFAULT now()
            )
            """,
            // Space is left in each page, so that a note of a session's use stays in it and changes no index.
            """
            CREATE TABLE linkedin_signin.session (
                id bytea PRIMARY KEY,
                member bytea NOT NULL,
                record bytea NOT NULL,
                expires timestamptz NOT NULL,
                used timestamptz NOT NULL,
                generation bigint NOT NULL DEFAULT 0,
                leased_until timestamptz NOT NULL DEFAULT '-infinity'
            ) WITH (fillfactor = 80)
            """,
            // Compression does not make sealed bytes smaller.
            "ALTER TABLE linkedin_signin.session ALTER COLUMN record SET STORAGE EXTERNAL",
            "CREATE INDEX session_member ON linkedin_signin.session (member)",
            "CREATE TABLE linkedin_signin.spent (id bytea PRIMARY KEY, expires timestamptz NOT NULL)",
            "CREATE INDEX spent_expires ON linkedin_signin.spent (expires)",
            """
            CREATE TABLE linkedin_signin.kept (
                id bytea PRIMARY KEY,
                record bytea NOT NULL,
                expires timestamptz NOT NULL,
                taken text
            )
            """,
            "ALTER TABLE linkedin_signin.kept ALTER COLUMN record SET STORAGE EXTERNAL",
        ],
        [
            // Each promotion of a standby begins a new timeline. Where servers have none, the function may return NULL.
            """
            CREATE FUNCTION linkedin_signin.timeline() RETURNS text LANGUAGE sql
                RETURN left(pg_walfile_name(pg_current_wal_lsn()), 8)
            """,
            // A write that needs no room in a table, so that a full disk does not stop it.
            """
            CREATE FUNCTION linkedin_signin.prove() RETURNS text LANGUAGE sql
                BEGIN ATOMIC
                    SELECT pg_logical_emit_message(true, 'linkedin_signin', '');
                    SELECT linkedin_signin.timeline();
                END
            """,
            """
            CREATE TABLE linkedin_signin.server_key (
                number integer PRIMARY KEY,
                sealed text NOT NULL,
                seals_from timestamptz NOT NULL
            )
            """,
            // Roles that may use the tables of version 1 may use the new ones.
            grant(on: "server_key"),
        ],
        [
            """
            CREATE TABLE linkedin_signin.token (
                id bytea PRIMARY KEY,
                member bytea NOT NULL,
                record bytea NOT NULL,
                expires timestamptz NOT NULL,
                used timestamptz
            )
            """,
            "CREATE INDEX token_member ON linkedin_signin.token (member)",
            "CREATE TABLE linkedin_signin.token_owner (member bytea PRIMARY KEY, record bytea NOT NULL)",
            grant(on: "token"),
            grant(on: "token_owner"),
        ],
        [
            "CREATE TABLE linkedin_signin.site (number integer PRIMARY KEY CHECK (number = 1), base_url text NOT NULL)",
            grant(on: "site"),
        ],
    ]

    /// Lets the roles that may use the tables of version 1 use a new table.
    private static func grant(on table: String) -> String {
        """
        DO $$
        DECLARE
            role name;
        BEGIN
            FOR role IN
                SELECT DISTINCT grantee FROM information_schema.role_table_grants
                WHERE table_schema = 'linkedin_signin' AND table_name = 'session' AND privilege_type = 'UPDATE'
                AND grantee <> grantor
            LOOP
                EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE '
                    'ON linkedin_signin.\(table) TO %I', role);
            END LOOP;
        END
        $$
        """
    }

    /// The statements that lead from a version to the current one, and note it.
    package static func statements(from version: Int) -> [String] {
        (version..<max(version, steps.count)).flatMap { step in
            steps[step] + ["INSERT INTO linkedin_signin.version (version) VALUES (\(step + 1))"]
        }
    }

    /// The version of the tables in a database; 0 if there are none.
    package static func version(in client: DatabaseClient) async throws(StoreError) -> Int {
        let found = try await client.read(
            Statement("SELECT to_regclass('linkedin_signin.version') IS NOT NULL")
        )
        guard found[0].bool(0) == true else { return 0 }
        let rows = try await client.read(Statement("SELECT max(version) FROM linkedin_signin.version"))
        return Int(rows[0].integer(0) ?? 0)
    }

    /// Brings the tables to the current version, in one transaction, which waits for that of another command.
    ///
    /// - Returns: the version that was found.
    /// - Throws: `StoreError`; then nothing has changed.
    package static func migrate(_ client: DatabaseClient) async throws(StoreError) -> Int {
        let found = try await version(in: client)
        guard found < version else { return found }
        do throws(StoreError) {
            let steps = statements(from: found).map { Statement($0) }
            _ = try await client.write(all: [AdvisoryLock.migration.taking] + steps)
        } catch {
            // The statements fail if another command has run them while this one waited for the lock.
            guard try await version(in: client) > found else { throw error }
            return try await migrate(client)
        }
        return found
    }

    /// The missing privileges of the role of a connection, as GRANT names them.
    package static func missingRights(in client: DatabaseClient) async throws(StoreError) -> [String] {
        let rows = try await client.read(
            Statement(
                """
                SELECT name, string_agg(privilege, ', ' ORDER BY privilege)
                FROM (VALUES ('session'), ('spent'), ('kept'), ('server_key'), ('token'), ('token_owner'),
                        ('site')) AS tables (name),
                    (VALUES ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE')) AS privileges (privilege)
                WHERE NOT has_table_privilege('linkedin_signin.' || name, privilege)
                GROUP BY name ORDER BY name
                """
            )
        )[0]
        return (0..<rows.count).map { row in
            "\(rows.text(1, row: row) ?? "") ON linkedin_signin.\(rows.text(0, row: row) ?? "")"
        }
    }
}
