package import Sessions

import struct FoundationEssentials.Date

/// Keeps sessions and other records in a PostgreSQL database that several machines share.
///
/// The database contains the same records as the file store: neither it nor its backups can open a session. Each
/// operation that must happen once on all machines is one statement, which changes a row or finds that another machine
/// has changed it.
package final class PostgreSQLStore: Sendable {
    let database: DatabaseClient
    let lockPatience: Duration
    let lastUses: LastUses
    let lastTokenUses: LastUses
    let proof: PrimaryProof
    let issuers: FormerIssuers
    /// Nil: every session is read from the database each time.
    let cache: NearCache?

    /// - Parameters:
    ///   - client: connects to a database whose schema is current.
    ///   - lockPatience: how long an update waits for another one of the same session.
    ///   - proofLimit: for how long a server counts as the primary after it acknowledged a write.
    ///   - cache: keeps sessions for a moment; the client's notices have to go to it.
    ///   - issuers: the issuers by which the store may have named LinkedIn's members.
    package init(
        _ client: DatabaseClient,
        lockPatience: Duration = .seconds(15),
        proofLimit: Duration = .seconds(1),
        cache: NearCache? = nil,
        issuers: FormerIssuers = FormerIssuers()
    ) {
        database = client
        self.lockPatience = lockPatience
        lastUses = LastUses(client, of: .session)
        lastTokenUses = LastUses(client, of: .token)
        proof = PrimaryProof(client, limit: proofLimit)
        self.cache = cache
        self.issuers = issuers
    }

    /// The site to which the database belongs.
    package var site: DatabaseSite { DatabaseSite(database) }

    /// The open connections to the database, and the statements without an answer.
    package var databaseFigures: (connections: Int, statements: Int) { database.figures }
    /// Nil if every session is read from the database each time.
    package var cacheFigures: NearCache.Figures? { cache?.figures }

    /// Writes the notes of when sessions and personal tokens were used, without waiting for the next round.
    package func writeLastUses() async {
        await lastUses.flush()
        await lastTokenUses.flush()
    }

    /// Writes the notes of when sessions and personal tokens were used, and closes all connections.
    package func shutdown() async {
        await writeLastUses()
        await database.shutdown()
    }
}
