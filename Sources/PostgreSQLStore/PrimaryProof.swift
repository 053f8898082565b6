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

    private enum Verdict {
        case proven(ContinuousClock.Instant, isOld: Bool)
        case waits
        case refused(StoreError)
    }

    /// Waits, if necessary, until the server that answered has proven to be the primary.
    ///
    /// - Parameter timeline: what the server said with the answer.
    /// - Returns: when it was certainly the primary, less than the limit ago.
    /// - Throws: `StoreError` with the code `.unreachable` if the server cannot prove that it is the primary.
    func confirm(_ timeline: [UInt8]?) async throws(StoreError) -> ContinuousClock.Instant {
        var attempts = 0
        while true {
            switch judge(timeline, isLast: attempts == 3) {
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

    /// Does what `confirm` does if that is possible without waiting; otherwise nil.
    func confirmAtOnce(_ timeline: [UInt8]?) -> ContinuousClock.Instant? {
        guard case .proven(let instant, let isOld) = judge(timeline, isLast: false) else { return nil }
        if isOld { begin() }
        return instant
    }

    private func judge(_ timeline: [UInt8]?, isLast: Bool) -> Verdict {
        let now = clock.now
        return state.withLock { state in
            if let last = state.last, last.timeline == timeline, now - last.sent < limit {
                return .proven(last.sent, isOld: now - last.sent > limit / 4)
            }
            if let failure = state.failure, now - failure.at < limit { return .refused(failure.error) }
            if let begun = state.begun, now - begun >= limit {
                return .refused(StoreError(.unreachable, detail: "PostgreSQL: the server acknowledges no write"))
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
                let row = try await client.prove(Statement("SELECT linkedin_signin.prove()"))
                end(.success(Proof(timeline: row.bytes(0), sent: now)))
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
