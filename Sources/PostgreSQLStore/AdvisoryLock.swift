/// A lock in the database that programs of all machines respect.
enum AdvisoryLock: Int {
    /// Held by the transaction that changes the tables.
    case migration = 1
    /// Shared by each `serve`, for the time of a connection; `store copy --finish` needs it alone.
    case service = 2

    /// The first number is the same for all locks of this program ("LISS").
    private var key: String { "1279873875, \(rawValue)" }

    /// Waits for the lock, and holds it until the end of the transaction.
    var taking: Statement { Statement("SELECT pg_advisory_xact_lock(\(key))") }

    /// Shares the lock until the end of the connection, unless another connection has it alone; returns whether it did.
    ///
    /// Behind a pooler, until the end of the connection between the pooler and the server: a statement that waited for the lock
    /// would keep that connection from all others.
    var sharing: Statement { Statement("SELECT pg_try_advisory_lock_shared(\(key))") }

    /// Takes the lock until the end of the transaction, unless another connection has it; returns whether it did.
    var trying: Statement { Statement("SELECT pg_try_advisory_xact_lock(\(key))") }

    /// Shares the lock until the end of the transaction, unless another connection has it alone; returns whether it did.
    var tryingToShare: Statement { Statement("SELECT pg_try_advisory_xact_lock_shared(\(key))") }
}
