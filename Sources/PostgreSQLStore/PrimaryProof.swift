import Sessions
import Synchronization

/// Proves that the server that answered is the primary.
///
/// The proof is a write that the server acknowledged: with a synchronous standby, only the primary can do that. A
/// former primary that is cut off from its standbys still answers queries, but its writes wait. A result is therefore
/// as old as the last proof from the same timeline, and it is not trusted for longer than the limit after that proof.
final class PrimaryProof: Sendable {
    private struct Proof {
        let timeline: [UInt8]?
        /// Before the write was sent.
        let sent: ContinuousClock.Instant
    }

    private struct State {
        var last: Proof?
        /// When the write under way was sent.
        var begun: ContinuousClock.Instant?
        /// Why the last write failed, and when.
        var failure: (error: StoreError, at: ContinuousClock.Instant)?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let client: DatabaseClient
    private let limit: Duration
    private let state = Mutex(State())
    private let clock = ContinuousClock()

    /// - Parameters:
    ///   - client: connects to the server.
    ///   - limit: for how long a proof counts.
    init(_ client: DatabaseClient, limit: Duration) {
        self.client = client
        self.limit = limit
    }

    /// What a statement that only reads returns on a server that has proven to be the primary.
    ///
    /// A former primary does not know which sessions and tokens were removed since.
    func read(_ statement: Statement) async throws(StoreError) -> Rows {
        let answers = try await client.read(statement, Statement("SELECT linkedin_signin.timeline()"))
        try await confirm(answers[1].bytes(0))
        return answers[0]
    }

    private enum Verdict {
        case proven(ContinuousClock.Instant, isOld: Bool)
        case waits
        case refused(StoreError)
    }

    /// Waits, if necessary, until the server that answered has proven to be the primary.
    ///
    /// - Parameters:
    ///   - timeline: what the server said with the answer.
    ///   - earliest: an older proof does not count; nil: it counts until the limit.
    /// - Returns: when it was certainly the primary, less than the limit ago.
    /// - Throws: `StoreError` with the code `.unreachable` if the server cannot prove that it is the primary.
    @discardableResult
    func confirm(
        _ timeline: [UInt8]?,
        since earliest: ContinuousClock.Instant? = nil
    ) async throws(StoreError) -> ContinuousClock.Instant {
        var attempts = 0
        while true {
            switch judge(timeline, since: earliest, isLast: attempts == 3) {
            case .proven(let instant, let isOld):
                // Begins the next proof before this one is too old, so that no request waits for it.
                if isOld { begin() }
                return instant
            case .refused(let error):
                begin()
                throw error
            case .waits:
                begin()
                await underway()
                attempts += 1
            }
        }
    }

    /// Waits until everything that the server had committed when it answered has reached a standby.
    ///
    /// To be called when a statement has found nothing to delete: such a transaction does not wait for a standby, and the
    /// deletion that it saw may be one that still waits. A proof that begins after the answer is written behind that
    /// deletion, so the server acknowledges the proof only after a standby has both.
    ///
    /// - Parameter timeline: what the server said with the answer, which has just arrived.
    /// - Throws: `StoreError` as `confirm`.
    func confirmCommits(_ timeline: [UInt8]?) async throws(StoreError) {
        try await confirm(timeline, since: clock.now)
    }

    /// Does what `confirm` does if that is possible without waiting; otherwise nil.
    func confirmAtOnce(_ timeline: [UInt8]?) -> ContinuousClock.Instant? {
        guard case .proven(let instant, let isOld) = judge(timeline, since: nil, isLast: false) else { return nil }
        if isOld { begin() }
        return instant
    }

    private func judge(_ timeline: [UInt8]?, since earliest: ContinuousClock.Instant?, isLast: Bool) -> Verdict {
        let now = clock.now
        return state.withLock { state in
            if let last = state.last, last.timeline == timeline, now - last.sent < limit,
                earliest.map({ last.sent >= $0 }) ?? true
            {
                return .proven(last.sent, isOld: now - last.sent > limit / 4)
            }
            if let failure = state.failure, now - failure.at < limit { return .refused(failure.error) }
            if let begun = state.begun, now - begun >= limit {
                return .refused(.unacknowledged)
            }
            guard !isLast else {
                let detail = "PostgreSQL: another server than the one that answered is the primary"
                return .refused(StoreError(.unreachable, detail: detail))
            }
            return .waits
        }
    }

    /// Writes, unless a write is under way.
    private func begin() {
        let now = clock.now
        let isFirst = state.withLock { state in
            guard state.begun == nil else { return false }
            state.begun = now
            return true
        }
        guard isFirst else { return }
        // A write that waits for a standby can take any time, but nobody waits for it after it can prove something.
        // Without a priority, the task would have that of the request.
        let timer = Task(priority: .medium) {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            release()
        }
        Task(priority: .medium) {
            defer { timer.cancel() }
            do throws(StoreError) {
                end(.success(Proof(timeline: try await client.prove(), sent: now)))
            } catch {
                end(.failure(error))
            }
        }
    }

    private func end(_ result: Result<Proof, StoreError>) {
        let now = clock.now
        state.withLock { state in
            switch result {
            case .success(let proof): (state.last, state.failure) = (proof, nil)
            case .failure(let error): state.failure = (error, now)
            }
            state.begun = nil
        }
        release()
    }

    private func release() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the write under way has ended, or is too old to prove something.
    private func underway() async {
        await withCheckedContinuation { continuation in
            let now = clock.now
            let isWaiting = state.withLock { state in
                guard let begun = state.begun, now - begun < limit else { return false }
                state.waiters.append(continuation)
                return true
            }
            if !isWaiting { continuation.resume() }
        }
    }
}

extension Statement {
    /// A write that only a primary acknowledges.
    ///
    /// The answer has two columns: whether it was written, and the timeline.
    ///
    /// It is not written if three commits of this role already wait, for a standby or for the disk: it would wait too, and a
    /// connection whose commit waits cannot be closed. So no number of restarts and reconnections can use up
    /// `max_connections`. The number is not one, so that a single backend that hangs stops nobody.
    static let proof = Statement(
        """
        WITH standby AS MATERIALIZED (
            SELECT count(*) > 2 AS waits FROM pg_stat_activity
            WHERE usename = current_user AND pid <> pg_backend_pid()
            AND state = 'active' AND state_change < clock_timestamp() - interval '2 seconds'
            AND (wait_event = 'SyncRep' OR query LIKE '%linkedin_signin.prove()%')
        )
        SELECT NOT waits, CASE WHEN NOT waits THEN linkedin_signin.prove() END FROM standby
        """
    )
}

extension StoreError {
    /// The server answers, but no commit ends.
    static let unacknowledged = StoreError(
        .unreachable,
        detail: "PostgreSQL: the server acknowledges no write: it waits for a standby, or it is a former primary"
    )
}
