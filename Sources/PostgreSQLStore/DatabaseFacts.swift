package import Sessions

package import struct FoundationEssentials.Date

/// Facts about a server that matter to an operator, as it reports them.
package struct DatabaseFacts: Sendable {
    /// The time on its clock.
    package let time: Date
    package let isSuperuser: Bool
    /// Whether a commit waits for the disk.
    package let commitsDurably: Bool
    /// Whether a commit waits for a standby.
    package let isSynchronous: Bool

    /// Asks the server.
    package init(_ client: DatabaseClient) async throws(StoreError) {
        let row = try await client.read(
            Statement(
                """
                SELECT clock_timestamp(), (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
                    current_setting('synchronous_commit'), current_setting('synchronous_standby_names')
                """
            )
        )[0]
        time = row.time(0) ?? .distantPast
        isSuperuser = row.bool(1) ?? false
        commitsDurably = row.text(2) != "off"
        isSynchronous = !["off", "local"].contains(row.text(2)) && row.text(3)?.isEmpty == false
    }
}
