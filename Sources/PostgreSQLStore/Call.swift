import Sessions

/// Statements that a task waits for: one transaction.
struct Call: Sendable {
    typealias Outcome = Result<[Rows], StoreError>

    /// Whether it waits for the server's disk, which what only reads must not do behind it.
    enum Kind: Sendable, CaseIterable {
        case reading
        case writing
        /// Proves that the server is the primary, and receives what other machines tell.
        case watching
    }

    let kind: Kind
    let statements: [Statement]
    /// When the task gets an error if nothing was sent by then.
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Outcome, Never>
}
