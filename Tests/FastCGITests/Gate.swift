import Synchronization

/// Holds handlers until it is opened, and counts them.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Waits until the gate is open; a cancelled task waits too.
    func pass() async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.arrived += 1
                let (ready, waiting) = (
                    state.watchers.filter { $0.count <= state.arrived },
                    state.watchers.filter { $0.count > state.arrived }
                )
                state.watchers = waiting
                if state.isOpen { return ready.map(\.continuation) + [continuation] }
                state.held.append(continuation)
                return ready.map(\.continuation)
            }
            for continuation in ready { continuation.resume() }
        }
    }

    /// Waits until this many handlers have arrived.
    func arrived(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.arrived < count { state.watchers.append((count, continuation)) }
                return state.arrived >= count
            }
            if isReady { continuation.resume() }
        }
    }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}
