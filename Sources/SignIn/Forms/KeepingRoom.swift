import HTTP
import Synchronization

/// Limits how many forms are written concurrently, because each one waits in memory for its turn.
final class KeepingRoom: Sendable {
    private static let capacity = 16
    /// The maximum for one client: a quarter of all.
    private static let share = 4

    private struct State {
        var count = 0
        var counts: [ClientAddress: Int] = [:]
    }

    private let state = Mutex(State())

    /// Performs the work; returns nil if this client, or all clients together, have reached the limit.
    nonisolated(nonsending) func run<Success: Sendable, Failure: Error>(
        for client: ClientAddress,
        _ work: () async throws(Failure) -> Success
    ) async throws(Failure) -> Success? {
        guard enter(client) else { return nil }
        defer { leave(client) }
        return try await work()
    }

    private func enter(_ client: ClientAddress) -> Bool {
        state.withLock { state in
            let own = state.counts[client, default: 0]
            guard state.count < Self.capacity, own < Self.share else { return false }
            state.count += 1
            state.counts[client] = own + 1
            return true
        }
    }

    private func leave(_ client: ClientAddress) {
        state.withLock { state in
            state.count -= 1
            let own = state.counts[client, default: 0] - 1
            state.counts[client] = own > 0 ? own : nil
        }
    }
}
