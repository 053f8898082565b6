import HTTP
import Synchronization

/// Where tasks leave what the loop's thread has to do; the only state that both touch.
final class Mailbox: Sendable {
    /// What was left since the loop last looked.
    struct Letters {
        var calls: [Call] = []
        var cancelled: [UInt64] = []

        var isEmpty: Bool { calls.isEmpty && cancelled.isEmpty }
    }

    fileprivate struct State {
        var letters = Letters()
        /// Calls accepted and not yet answered.
        var outstanding = 0
        var isStopping = false
        var hasEnded = false
        /// Gone before the handle is freed that it rings at.
        var alarm: Alarm?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let capacity: Int
    private let state: Mutex<State>

    init(capacity: Int, alarm: Alarm) {
        self.capacity = capacity
        state = Mutex(State(alarm: alarm))
    }
}

// The tasks' side.
extension Mailbox {
    /// Takes a call, or answers it at once if it cannot be taken.
    func submit(_ call: Call) {
        let refusal: TransportError? = state.withLock { state in
            // A task cancelled before this line rang for a call that was not there yet; one cancelled later finds it.
            if state.isStopping || Task.isCancelled { return TransportError(.cancelled) }
            if state.outstanding >= capacity { return TransportError(.busy, detail: "\(capacity) calls are under way") }
            state.outstanding += 1
            state.leave { $0.calls.append(call) }
            return nil
        }
        if let refusal { call.continuation.resume(returning: .failure(refusal)) }
    }

    /// Asks the loop to end a call; one that is unknown by then is over.
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

    /// Waits until the loop has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasEnded { state.waiters.append(continuation) }
                return state.hasEnded
            }
            if isOver { continuation.resume() }
        }
    }
}

// The loop's side.
extension Mailbox {
    /// What was left since the last time; nil once the loop is asked to end.
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

    /// Takes the alarm away, so that its handle can be freed, and returns the calls that nobody collected.
    func close() -> [Call] {
        state.withLock { state in
            state.alarm = nil
            defer { state.letters = Letters() }
            return state.letters.calls
        }
    }

    /// Lets those go that wait for the end.
    func announceEnd() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

extension Mailbox.State {
    /// Leaves something and rings, unless the loop has been rung for already.
    fileprivate mutating func leave(_ change: (inout Mailbox.Letters) -> Void) {
        let isFirst = letters.isEmpty
        change(&letters)
        if isFirst { alarm?.ring() }
    }
}
