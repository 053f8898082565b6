package import Sessions

import struct FoundationEssentials.Date

/// The server keys that all machines share: in the database, sealed with a key that only the machines have.
package struct SharedKeys: Sendable {
    /// The message of `NOTIFY` after a change.
    static let message = "server-keys"
    private static let purpose = "server key of several machines"

    private let client: DatabaseClient
    private let seal: ServerKeys
    private let random: RandomBytes

    /// - Parameters:
    ///   - client: connects to a database whose schema is current.
    ///   - seal: the key of the machines.
    ///   - random: the source of new keys.
    package init(_ client: DatabaseClient, seal: ServerKeys, random: RandomBytes = .system()) {
        self.client = client
        self.seal = seal
        self.random = random
    }

    /// Whether a message of another machine says that the keys have changed.
    package static func isChange(_ notice: DatabaseClient.Notice) -> Bool {
        if case .message(message) = notice { true } else { false }
    }

    /// Reads the keys, and makes the first one if there is none.
    ///
    /// - Parameters:
    ///   - keys: take the keys.
    ///   - own: what the machine used until now; its newest key becomes the first one, so that sign-ins under way continue.
    /// - Returns: whether they differ from those that were known.
    /// - Throws: `StoreError`, with the code `.unusable` if a key was sealed with another key than that of this machine.
    package func load(into keys: ServerKeys, own: ServerKeys? = nil) async throws(StoreError) -> Bool {
        var rows = try await read()
        if rows.isEmpty {
            // Of several machines that start at the same time, the first one makes the key.
            if let own {
                _ = try await insert(own, 1, delay: .zero)
            } else {
                _ = try await insert(newKey(), 1, delay: .zero)
            }
            rows = try await read()
        }
        return keys.replace(with: try open(rows))
    }

    /// Reads the keys, and makes none.
    ///
    /// - Parameter keys: take the keys.
    /// - Throws: `StoreError` as `load`.
    package func read(into keys: ServerKeys) async throws(StoreError) {
        _ = keys.replace(with: try open(try await read()))
    }

    /// Checks that this machine can open all keys.
    ///
    /// - Throws: `StoreError` as `load`.
    package func verify() async throws(StoreError) {
        _ = try open(try await read())
    }

    private func open(_ rows: Rows) throws(StoreError) -> [(bytes: [UInt8], sealsFrom: Date)] {
        var found: [(bytes: [UInt8], sealsFrom: Date)] = []
        for row in 0..<rows.count {
            let text = rows.text(0, row: row) ?? ""
            guard let bytes = seal.open(text, purpose: Self.purpose), bytes.count == ServerKeys.byteCount,
                let sealsFrom = rows.time(1, row: row)
            else {
                let detail = "a server key in the database was sealed with another key than SIGNIN_STORE_KEY"
                throw StoreError(.unusable, detail: detail)
            }
            found.append((bytes, sealsFrom))
        }
        return found
    }

    /// Makes a new key, which seals after a delay: until then, all machines have to know it.
    ///
    /// Keys that have not sealed for a day are removed: what they sealed is too old to be accepted.
    ///
    /// - Throws: `StoreError`, with the code `.locked` if another machine makes a key at the same time.
    package func rotate(after delay: Duration) async throws(StoreError) {
        let rows = try await client.read(Statement("SELECT max(number) FROM linkedin_signin.server_key"))
        guard try await insert(newKey(), (rows[0].integer(0) ?? 0) + 1, delay: delay) else {
            throw StoreError(.locked, detail: "another machine makes a server key now: run the command again")
        }
    }

    private func read() async throws(StoreError) -> Rows {
        try await client.read(
            Statement("SELECT sealed, seals_from FROM linkedin_signin.server_key ORDER BY number DESC")
        )[0]
    }

    private func newKey() throws(StoreError) -> ServerKeys {
        guard let key = ServerKeys([try random(ServerKeys.byteCount)]) else {
            throw StoreError(.noRandom, detail: "the new key has another length")
        }
        return key
    }

    /// False if the number is taken.
    private func insert(_ key: ServerKeys, _ number: Int64, delay: Duration) async throws(StoreError) -> Bool {
        let rows = try await client.write(
            Statement(
                """
                INSERT INTO linkedin_signin.server_key (number, sealed, seals_from)
                VALUES ($1, $2, clock_timestamp() + $3 * interval '1 second') ON CONFLICT (number) DO NOTHING
                """,
                .integer(number),
                .text(try key.sealed(with: seal, purpose: Self.purpose)),
                .integer(Int64(delay / .seconds(1)))
            ),
            Statement(
                """
                DELETE FROM linkedin_signin.server_key AS old WHERE EXISTS (
                    SELECT 1 FROM linkedin_signin.server_key AS new
                    WHERE new.number > old.number AND new.seals_from < clock_timestamp() - interval '1 day'
                )
                """
            ),
            Statement("SELECT pg_notify('linkedin_signin', '\(Self.message)')")
        )
        return rows[0].affected == 1
    }
}
