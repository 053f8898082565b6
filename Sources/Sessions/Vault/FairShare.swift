/// What one client may have of something that all clients use: a quarter, so that it takes several clients to use up everything.
package enum FairShare {
    /// The share of one client.
    ///
    /// - Parameters:
    ///   - total: What all clients together may have.
    ///   - minimum: What a client may have if a quarter is less.
    /// - Returns: At most the total.
    package static func of(_ total: Int, atLeast minimum: Int = 0) -> Int { max(total / 4, min(total, minimum)) }
}
