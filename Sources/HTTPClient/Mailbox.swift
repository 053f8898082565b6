import HTTP
import POSIX
import Synchronization

/// A request for the loop, with the task that waits for the answer.
struct Call: Sendable {
    typealias Outcome = Result<ClientResponse, TransportError>

    let id: UInt64
    let request: ClientRequest
    let destination: Destination
    let continuation: CheckedContinuation<Outcome, Never>
}

/// Passes work from tasks to the loop's thread; the only state that both use.
final class Mailbox: Sendable {
    /// The work since the loop's last look.
    struct Letters {
        var calls: [Call] = []
        var cancelled: [UInt64] = []

        var isEmpty: Bool { calls.isEmpty && cancelled.isEmpty }
    }

    private struct State {
        var letters = Letters()
        /// The number of calls accepted and not yet answered.
        var outstanding = 0
        var isStopping = false
        /// Nil before libcurl's handle that it wakes is freed.
        var alarm: Alarm?

        /// Adds work and wakes the loop, unless it was woken already.
        mutating func leave(_ change: (inout Letters) -> Void) {
            let isFirst = letters.isEmpty
            change(&letters)
            if isFirst { alarm?.ring() }
        }
    }

    let end = LoopEnd()
    private let capacity: Int
    private let state: Mutex<State>

    init(capacity: Int, alarm: Alarm) {
        self.capacity = capacity
        state = Mutex(State(alarm: alarm))
    }

    // MARK: - For tasks

    /// Accepts a call, or fails it immediately.
    func submit(_ call: Call) {
        let refusal: TransportError? = state.withLock { state in
            // If the task was cancelled before this line, `cancel` did not find the call; later it does.
            if state.isStopping || Task.isCancelled { return TransportError(.cancelled) }
            guard state.outstanding < capacity else {
                return TransportError(.busy, detail: "\(capacity) calls are in progress")
            }
            state.outstanding += 1
            state.leave { $0.calls.append(call) }
            return nil
        }
        if let refusal { call.continuation.resume(returning: .failure(refusal)) }
    }

    /// Asks the loop to end a call; the loop ignores the number of a call that has ended.
    func cancel(_ id: UInt64) {
        state.withLock { state in
            if !state.isStopping { state.leave { $0.cancelled.append(id) } }
        }
    }

    /// Asks the loop to end.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.alarm?.ring()
        }
    }

    // MARK: - For the loop

    /// The work since the last call; nil if the loop must end.
    func collect() -> Letters? {
        state.withLock { state in
            if state.isStopping { return nil }
            defer { state.letters = Letters() }
            return state.letters
        }
    }

    /// Makes room for another call.
    func answered() {
        state.withLock { $0.outstanding -= 1 }
    }

    /// Drops the alarm, so that its handle can be freed, and returns the calls that were not collected.
    func close() -> [Call] {
        state.withLock { state in
            state.alarm = nil
            defer { state.letters = Letters() }
            return state.letters.calls
        }
    }
}
