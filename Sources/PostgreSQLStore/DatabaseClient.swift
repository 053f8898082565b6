import POSIX
package import Sessions
import Synchronization

/// Runs statements on a PostgreSQL server.
///
/// All connections of the program are on one thread.
///
/// No statement depends on an earlier transaction, so that a pooler may use another session for each transaction. Through such
/// a pooler, notifications do not arrive.
package final class DatabaseClient: Sendable {
    /// An event that is not the answer to a call.
    package enum Event: Sendable {
        /// The first connection, or the first after an outage.
        case reachable
        case unreachable(StoreError)
    }

    /// A notification that another machine sent through the database.
    package enum Notice: Sendable {
        case message(String)
        /// The connection that receives notifications is gone: some may be lost.
        case lost
    }

    package typealias Listener = @Sendable (Notice) -> Void
    package typealias Observer = @Sendable (Event) -> Void

    private let mailbox: Mailbox
    private let limits: DatabaseLimits
    private let thread: Mutex<Thread?>

    /// Starts the thread and begins to connect.
    ///
    /// An unreachable server is not an error.
    ///
    /// - Parameters:
    ///   - target: the database.
    ///   - limits: times and numbers; the defaults suit a sign-in.
    ///   - observer: receives events, on the thread of the connections.
    ///   - notices: receives the messages of other machines, on the same thread; nil: this machine does not listen.
    ///   - isService: whether `store copy --finish` must not run while this client is connected.
    ///   - lookUp: finds the addresses of hosts, on a thread of its own.
    /// - Throws: `StoreError` if the system refuses a thread.
    package init(
        _ target: DatabaseTarget,
        limits: DatabaseLimits = DatabaseLimits(),
        observer: @escaping Observer = { _ in },
        notices: Listener? = nil,
        isService: Bool = false,
        lookUp: @escaping LookUp = systemLookUp
    ) throws(StoreError) {
        let mailbox = try Mailbox(capacity: limits.calls)
        self.limits = limits
        self.mailbox = mailbox
        let loop = ConnectionLoop(
            target,
            limits: limits,
            mailbox: mailbox,
            observer: observer,
            notices: notices,
            isService: isService,
            lookUp: lookUp
        )
        do throws(SystemError) {
            let thread = try Thread(named: "postgresql") {
                Thread.blockSignals()
                loop.run()
            }
            self.thread = Mutex(thread)
        } catch {
            throw StoreError(.unusable, detail: "\(error.call): \(error)")
        }
    }

    deinit {
        mailbox.stop()
    }

    /// Runs statements that only read, as one transaction.
    ///
    /// - Returns: what each returned.
    /// - Throws: `StoreError` with the code `.unreachable` if no server answered in time.
    package func read(_ statements: Statement...) async throws(StoreError) -> [Rows] {
        try await run(.reading, statements)
    }

    /// Runs statements as one transaction; what they wrote is durable when this returns.
    ///
    /// - Returns: what each returned.
    /// - Throws: `StoreError`; with the code `.unreachable` the transaction may have been committed or not.
    package func write(_ statements: Statement...) async throws(StoreError) -> [Rows] {
        try await run(.writing, statements)
    }

    /// Runs any number of statements as one transaction.
    package func write(all statements: [Statement]) async throws(StoreError) -> [Rows] {
        try await run(.writing, statements)
    }

    /// Lets the server acknowledge a write, on the connection that also receives notifications, and with the time limit of
    /// a statement that reads.
    ///
    /// - Returns: the timeline of the server; nil if it has none.
    /// - Throws: `StoreError` with the code `.unreachable` if the server acknowledges no write.
    func prove() async throws(StoreError) -> [UInt8]? {
        let row = try await run(.watching, [.proof])[0]
        guard row.bool(0) == true else { throw .unacknowledged }
        return row.bytes(1)
    }

    /// Waits until a server acknowledges a write; if the first one is a former primary, this can be another host.
    ///
    /// - Parameter limit: how long to wait.
    /// - Throws: `StoreError` with the code `.unreachable` if no server does in time; with another code if the database
    ///   has no tables.
    package func findPrimary(within limit: Duration) async throws(StoreError) {
        let deadline = ContinuousClock.now + limit
        while true {
            do throws(StoreError) {
                _ = try await prove()
                return
            } catch {
                guard error.code == .unreachable, ContinuousClock.now < deadline else { throw error }
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Looks up the record of a session without a task.
    ///
    /// - Parameters:
    ///   - id: the session's id.
    ///   - answer: receives once, on any thread, what the database contains about it; it must not wait.
    func lookUp(_ id: [UInt8], _ answer: @escaping @Sendable (RecordLookUp.Outcome) -> Void) {
        mailbox.submit(RecordLookUp(id: id, deadline: .now + limits.queue, answer: answer))
    }

    private func run(_ kind: Call.Kind, _ statements: [Statement]) async throws(StoreError) -> [Rows] {
        let deadline = ContinuousClock.now + limits.queue
        let outcome = await withCheckedContinuation { continuation in
            mailbox.submit(Call(kind: kind, statements: statements, deadline: deadline, continuation: continuation))
        }
        return try outcome.get()
    }

    /// The open connections, and the statements without an answer.
    package var figures: (connections: Int, statements: Int) {
        (mailbox.openConnections.load(ordering: .relaxed), mailbox.outstanding)
    }

    /// Fails outstanding calls, closes all connections and waits for the thread to end.
    package func shutdown() async {
        mailbox.stop()
        await mailbox.end.wait()
        let thread = self.thread.withLock { $0.take() }
        thread?.join()
    }
}
