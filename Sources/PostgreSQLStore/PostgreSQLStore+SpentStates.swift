package import Sessions

import struct Crypto.SHA256
package import struct FoundationEssentials.Date

extension PostgreSQLStore: SpentStateStore {
    package func spend(
        _ state: String,
        from client: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> SpendOutcome {
        if let refusal = spentLedger.reserve(for: client, until: expires, now: now) { return refusal }
        do throws(StoreError) {
            let rows = try await database.write(
                Statement(
                    "INSERT INTO linkedin_signin.spent (id, expires) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
                    .bytes(Self.mark(of: state)),
                    .time(expires)
                )
            )
            if rows[0].affected == 1 { return .spent }
            spentLedger.release(for: client, until: expires)
            return .usedBefore
        } catch {
            // The mark may exist nevertheless; then the next sweep counts it.
            spentLedger.release(for: client, until: expires)
            throw error
        }
    }

    package func isSpent(_ state: String) async throws(StoreError) -> Bool {
        let rows = try await database.read(
            Statement("SELECT 1 FROM linkedin_signin.spent WHERE id = $1", .bytes(Self.mark(of: state)))
        )
        return !rows[0].isEmpty
    }

    /// As long as the file store's: 16 bytes of a hash.
    private static func mark(of state: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(state.utf8)).prefix(16))
    }
}
