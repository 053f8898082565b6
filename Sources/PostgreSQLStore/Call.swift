import Sessions

/// Statements that a task waits for: one transaction.
struct Call: Sendable {
    typealias Outcome = Result<[Rows], StoreError>

    /// Whether the transaction waits for the server's disk.
    ///
    /// Calls that only read must not queue behind such a call.
    enum Kind: Sendable, CaseIterable {
        case reading
        case writing
        /// Proves that the server is the primary, and receives the notifications of other machines.
        case watching
    }

    let kind: Kind
    let statements: [Statement]
    /// When the task gets an error if the call has not been sent by then.
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Outcome, Never>
}
