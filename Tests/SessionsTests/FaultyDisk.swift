import Glibc
import Sessions
import Synchronization

/// A disk on which one system call fails.
final class FaultyDisk: Sendable {
    private struct State {
        var count = 0
        var failing: Int?
        var call: FileSystem.Call?
        var number = EIO
        var failed: FileSystem.Call?
        var counts: [FileSystem.Call: Int] = [:]
    }

    private let state = Mutex(State())

    var files: FileSystem {
        FileSystem { call in
            self.state.withLock { state in
                state.counts[call, default: 0] += 1
                defer { state.count += 1 }
                guard state.count == state.failing || call == state.call else { return nil }
                state.failed = call
                return state.number
            }
        }
    }

    /// Lets the call after so many others fail, from now on counted.
    func fail(after count: Int, with number: Int32) {
        state.withLock { $0 = State(failing: count, number: number) }
    }

    /// Lets every call of a kind fail.
    func fail(_ call: FileSystem.Call, with number: Int32) {
        state.withLock { $0 = State(call: call, number: number) }
    }

    /// Lets nothing fail any more.
    ///
    /// - Returns: the kind of the call that failed, if one did.
    @discardableResult
    func heal() -> FileSystem.Call? {
        state.withLock { state in
            defer { state = State() }
            return state.failed
        }
    }

    /// How many calls of a kind there were since the last change.
    func count(_ call: FileSystem.Call) -> Int {
        state.withLock { $0.counts[call, default: 0] }
    }
}
