package import Sessions

/// The base URL of the site to which a database belongs, as `StoreSite` keeps it for a state directory.
package struct DatabaseSite: Sendable {
    private let client: DatabaseClient

    /// - Parameter client: Connects to a database whose schema is current.
    package init(_ client: DatabaseClient) {
        self.client = client
    }

    /// Reads the base URL; nil if the database remembers none.
    package func read() async throws(StoreError) -> String? {
        try await client.read(Statement("SELECT base_url FROM linkedin_signin.site"))[0].text(0)
    }

    /// Makes a database that remembers no site belong to one.
    ///
    /// - Parameter baseURL: The base URL of the site.
    /// - Returns: Whether the database remembered none until now.
    /// - Throws: `StoreError`.
    package func claim(_ baseURL: String) async throws(StoreError) -> Bool {
        let rows = try await client.write(
            Statement(
                "INSERT INTO linkedin_signin.site (number, base_url) VALUES (1, $1) ON CONFLICT (number) DO NOTHING",
                .text(baseURL)
            )
        )
        return rows[0].affected == 1
    }

    /// Makes the database belong to a site with another base URL.
    ///
    /// - Parameter baseURL: The new base URL.
    /// - Throws: `StoreError`.
    package func change(to baseURL: String) async throws(StoreError) {
        _ = try await client.write(
            Statement("UPDATE linkedin_signin.site SET base_url = $1 WHERE number = 1", .text(baseURL))
        )
    }
}
