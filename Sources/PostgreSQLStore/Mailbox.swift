import CSystem
import Glibc
import POSIX
import Sessions
import Synchronization

/// Where tasks leave calls for the loop's thread; the only state that both touch.
final class Mailbox: Sendable {
    /// What wakes the loop, in addition to its sockets.
    enum Rest {
        case awake
        case untilCall
        /// Until a call, or so many look-ups.
        case until(lookUps: Int)
    }

    private struct State {
        var calls: [Call] = []
        var lookUps: [RecordLookUp] = []
        /// The number of calls and look-ups without an answer.
        var outstanding = 0
        /// Whether the loop waits for its sockets, and what wakes it.
        var rest = Rest.awake
        var isStopping = false
    }

    /// The connections that are open, for the metrics; only the loop writes it.
    let openConnections = Atomic(0)
    let end = LoopEnd()
    private let capacity: Int
    private let state = Mutex(State())
    /// An event counter of the system, which the loop polls with its sockets.
    private let alarmCounter: FileDescriptor
    var alarm: Int32 { alarmCounter.number }

    /// - Throws: `StoreError` if the system gives no event counter.
    init(capacity: Int) throws(StoreError) {
        self.capacity = capacity
        do throws(SystemError) {
            alarmCounter = try FileDescriptor("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
        } catch {
            throw StoreError(.unusable, detail: "\(error.call): \(error)")
        }
    }

    /// Wakes the loop.
    func ring() {
        _ = eventfd_write(alarm, 1)
    }
}

// The tasks' side.
extension Mailbox {
    /// Accepts a call, or fails it immediately.
    func submit(_ call: Call) {
        if let refusal = take({ $0.calls.append(call) }, isLookUp: false) {
            call.continuation.resume(returning: .failure(refusal))
        }
    }

    /// Accepts a look-up, or fails it immediately.
    func submit(_ lookUp: RecordLookUp) {
        if let refusal = take({ $0.lookUps.append(lookUp) }, isLookUp: true) {
            lookUp.answer(.failure(refusal))
        }
    }

    /// Accepts a call or a look-up; returns the reason if it cannot.
    ///
    /// Wakes the loop only if it sleeps: each wake costs a system call here and one turn of the loop there.
    private func take(_ append: (inout State) -> Void, isLookUp: Bool) -> StoreError? {
        let (refusal, isWaited) = state.withLock { state -> (StoreError?, Bool) in
            if state.isStopping { return (StoreError(.unreachable, detail: "the program is stopping"), false) }
            guard state.outstanding < capacity else {
                return (StoreError(.busy, detail: "\(capacity) statements wait for the database"), false)
            }
            state.outstanding += 1
            append(&state)
            let wakes =
                switch state.rest {
                case .awake: false
                case .untilCall: !isLookUp
                case .until(let count): !isLookUp || state.lookUps.count >= count
                }
            if wakes { state.rest = .awake }
            return (nil, wakes)
        }
        if isWaited { ring() }
        return refusal
    }

    /// The number of calls and look-ups without an answer.
    var outstanding: Int { state.withLock(\.outstanding) }

    /// Asks the loop to end.
    func stop() {
        state.withLock { $0.isStopping = true }
        ring()
    }
}

// The loop's side.
extension Mailbox {
    /// Lets tasks wake the loop; returns false if there is already something to collect.
    func rest(_ rest: Rest) -> Bool {
        state.withLock { state in
            guard state.calls.isEmpty, !state.isStopping else { return false }
            if case .until(let count) = rest, state.lookUps.count >= count { return false }
            state.rest = rest
            return true
        }
    }

    /// The calls and look-ups since the last time; nil once the loop is asked to end.
    ///
    /// - Parameter hasRung: whether the event counter was signaled.
    /// - Returns: calls and look-ups in the order in which they came.
    func collect(hasRung: Bool) -> (calls: [Call], lookUps: [RecordLookUp])? {
        var count: eventfd_t = 0
        // unsafe because the system call fills in a local value.
        if hasRung { _ = unsafe eventfd_read(alarm, &count) }
        return state.withLock { state in
            state.rest = .awake
            if state.isStopping { return nil }
            defer { (state.calls, state.lookUps) = ([], []) }
            return (state.calls, state.lookUps)
        }
    }

    /// Ends a call.
    func answer(_ call: Call, _ outcome: Call.Outcome) {
        state.withLock { $0.outstanding -= 1 }
        call.continuation.resume(returning: outcome)
    }

    /// Ends look-ups without an answer.
    func fail(_ lookUps: [RecordLookUp], _ error: StoreError) {
        state.withLock { $0.outstanding -= lookUps.count }
        for lookUp in lookUps { lookUp.answer(.failure(error)) }
    }

    /// Ends work.
    func answer(_ work: Work, _ outcome: Call.Outcome) {
        switch (work, outcome) {
        case (.call(let call), _): answer(call, outcome)
        case (.lookUps(let lookUps), .failure(let error)): fail(lookUps, error)
        case (.lookUps(let lookUps), .success(let rows)):
            guard let rows = rows.first else {
                return fail(lookUps, StoreError(.unusable, detail: "PostgreSQL: a response without rows"))
            }
            let answers = RecordLookUp.answers(to: lookUps, in: rows)
            state.withLock { $0.outstanding -= lookUps.count }
            for (lookUp, answer) in zip(lookUps, answers) { lookUp.answer(.success(answer)) }
        case (.own, _), (.proof, _): break
        }
    }

    /// The calls and look-ups that were not collected before the stop.
    func remainder() -> (calls: [Call], lookUps: [RecordLookUp]) {
        state.withLock { state in
            defer { (state.calls, state.lookUps) = ([], []) }
            return (state.calls, state.lookUps)
        }
    }
}
