package import Sessions

/// The lock of `store copy --finish`: as long as it is held, no `serve` writes to the database.
///
/// A transaction holds the lock, on a connection that has no other use: behind a pooler, another session would keep the lock
/// after the end of the command.
package struct ServiceLock: Sendable {
    /// One connection for the transaction.
    package static var limits: DatabaseLimits {
        var limits = DatabaseLimits()
        (limits.readers, limits.writers, limits.spareWriters) = (1, 0, 0)
        return limits
    }

    /// The time at which the transaction of a connection began: another connection has another one.
    private static let beginning = Statement("SELECT now()")

    private let client: DatabaseClient
    private let began: [UInt8]?

    /// Takes the lock without waiting; the end of the client releases the lock.
    ///
    /// - Parameter client: Connects to the database with `limits`, and is used for nothing else.
    /// - Throws: `StoreError` with the code `.locked` if a `serve` or another `store copy --finish` has the lock.
    package init(_ client: DatabaseClient) async throws(StoreError) {
        let rows = try await client.read(Statement("BEGIN"), AdvisoryLock.service.trying, Self.beginning)
        guard rows[1].bool(0) == true else {
            throw StoreError(
                .locked,
                detail: "serve runs with this database: stop serve on all machines; if a pooler is between serve and "
                    + "the database, restart the pooler too; if another store copy --finish runs with this database, "
                    + "wait until it has ended"
            )
        }
        self.client = client
        began = rows[2].bytes(0)
    }

    /// Checks that the lock has been held since `init`.
    ///
    /// - Throws: `StoreError` with the code `.unreachable` if the connection was lost, and so the lock.
    package func requireHeld() async throws(StoreError) {
        let now = try await client.read(Self.beginning)[0].bytes(0)
        guard let now, now == began else {
            throw StoreError(
                .unreachable,
                detail: "PostgreSQL: the connection of store copy --finish that locks the database was lost: run the "
                    + "command again"
            )
        }
    }

    /// Checks that no `store copy --finish` has the lock.
    ///
    /// - Parameter client: Connects to the database.
    /// - Throws: `StoreError` with the code `.locked` if one has it.
    package static func requireFree(_ client: DatabaseClient) async throws(StoreError) {
        guard try await client.read(AdvisoryLock.service.tryingToShare)[0].bool(0) == true else {
            throw .movingDatabase
        }
    }
}
