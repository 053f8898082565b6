import CSystem
import Glibc
import POSIX
import Sessions
import Synchronization

/// Where tasks leave calls for the loop's thread; the only state that both touch.
final class Mailbox: Sendable {
    private struct State {
        var calls: [Call] = []
        /// Calls taken and not yet answered.
        var outstanding = 0
        var isStopping = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

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
    /// Takes a call, or answers it at once if it cannot be taken.
    func submit(_ call: Call) {
        let refusal: StoreError? = state.withLock { state in
            if state.isStopping { return StoreError(.unreachable, detail: "the program is stopping") }
            guard state.outstanding < capacity else {
                return StoreError(.busy, detail: "\(capacity) statements wait for the database")
            }
            state.outstanding += 1
            state.calls.append(call)
            if state.calls.count == 1 { ring() }
            return nil
        }
        if let refusal { call.continuation.resume(returning: .failure(refusal)) }
    }

    /// Asks the loop to end.
    func stop() {
        state.withLock { $0.isStopping = true }
        ring()
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
    func collect() -> [Call]? {
        var count: eventfd_t = 0
        // unsafe because the system call fills in a local value.
        _ = unsafe eventfd_read(alarm, &count)
        return state.withLock { state in
            if state.isStopping { return nil }
            defer { state.calls = [] }
            return state.calls
        }
    }

    /// Ends a call.
    func answer(_ call: Call, _ outcome: Call.Outcome) {
        state.withLock { $0.outstanding -= 1 }
        call.continuation.resume(returning: outcome)
    }

    /// Calls that nobody collected before the stop.
    func rest() -> [Call] {
        state.withLock { state in
            defer { state.calls = [] }
            return state.calls
        }
    }

    /// Resumes the tasks that wait for the end.
    func announceEnd() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
