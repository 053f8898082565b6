package import HTTP
import Sessions
import Synchronization

/// Limits concurrent work, in total and per client: calls to a provider, before a sign-in uses its state or code.
///
/// A client holds at most its `FairShare` of all calls. A whole office can be one client, behind one address, and its
/// people arrive together in the morning. Therefore a request over its client's share waits for a few seconds instead of being refused: with the default of 64 calls, 16 people of one
/// network are served immediately and 48 more wait their turn. A call that ends goes to the waiting client with the
/// fewest calls, so that several greedy clients together do not starve a newcomer either.
package final class ConcurrencyLimit: Sendable {
    /// Why a call was not allowed; the request has had no effect.
    ///
    /// The raw value is the reason code in the log.
    package enum Refusal: String, Error, CaseIterable {
        case allTaken = "upstream-busy"
        case shareTaken = "upstream-share"
    }

    private struct Waiter {
        let id: UInt64
        let client: ClientAddress
        let continuation: CheckedContinuation<Refusal?, Never>
    }

    private struct State {
        var count = 0
        var counts: [ClientAddress: Int] = [:]
        /// The oldest first.
        var waiters: [Waiter] = []
        var lastID: UInt64 = 0
    }

    package let limit: Int
    private let share: Int
    private let patience: Duration?
    /// The maximum number of requests that wait, in total and for each client.
    private let places: (all: Int, perClient: Int)
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The maximum number of concurrent calls.
    ///   - patience: How long a request waits for its turn: longer than a few sign-ins take, but short enough for a
    ///     visitor who sees an empty page; nil if no visitor waits, so that a request waits as long as it takes.
    ///   - places: The maximum number of requests that wait, of which each client has its `FairShare`; nil for a number that
    ///     suits visitors.
    package init(_ limit: Int, patience: Duration? = .seconds(3), places: Int? = nil) {
        self.limit = limit
        // Two tabs of one person already need two calls.
        share = FairShare.of(limit, atLeast: 4)
        self.patience = patience
        self.places = places.map { ($0, FairShare.of($0)) } ?? (4 * limit, 3 * share)
    }

    package var activeCount: Int { state.withLock(\.count) }
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Performs work that makes one call at a time for a client; it counts as a call until it succeeds or fails.
    ///
    /// - Throws: The error of the work; `Refusal` if no call was free in time.
    package func run<Success>(for client: ClientAddress, _ work: () async throws -> Success) async throws -> Success {
        try await enter(client)
        defer { leave(client) }
        return try await work()
    }

    /// Performs work as `run` does, if the work itself handles every error.
    ///
    /// - Throws: `Refusal` if no call was free in time.
    package func admit<Success>(
        _ client: ClientAddress,
        _ work: () async -> Success
    ) async throws(Refusal) -> Success {
        try await enter(client)
        defer { leave(client) }
        return await work()
    }

    private func enter(_ client: ClientAddress) async throws(Refusal) {
        if state.withLock({ take(for: client, in: &$0) }) { return }
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let refusal = await withTaskCancellationHandler {
            await withCheckedContinuation { wait(Waiter(id: id, client: client, continuation: $0)) }
        } onCancel: {
            giveUp(id)
        }
        if let refusal { throw refusal }
    }

    private func take(for client: ClientAddress, in state: inout State) -> Bool {
        guard state.count < limit, state.counts[client, default: 0] < share else { return false }
        state.count += 1
        state.counts[client, default: 0] += 1
        return true
    }

    /// Lets a request wait, or answers it immediately.
    private func wait(_ waiter: Waiter) {
        let answer: Refusal?? = state.withLock { state in
            if take(for: waiter.client, in: &state) { return .some(nil) }
            let refusal = refusal(of: waiter.client, in: state)
            let ownWaiters = state.waiters.count { $0.client == waiter.client }
            // If all calls are taken, a client that already has its whole share must not delay clients that have less.
            let isGreedy = patience != nil && refusal == .shareTaken && state.count >= limit
            // If the task was cancelled before this line, `giveUp` did not find the waiter; if it is cancelled later,
            // it does.
            if isGreedy || Task.isCancelled { return .allTaken }
            guard ownWaiters < places.perClient, state.waiters.count < places.all else { return refusal }
            state.waiters.append(waiter)
            return nil
        }
        if let answer {
            waiter.continuation.resume(returning: answer)
        } else if let patience {
            Task {
                try? await Task.sleep(for: patience)
                giveUp(waiter.id)
            }
        }
    }

    private func giveUp(_ id: UInt64) {
        let ended: (Waiter, Refusal)? = state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            let waiter = state.waiters.remove(at: index)
            return (waiter, refusal(of: waiter.client, in: state))
        }
        if let (waiter, refusal) = ended { waiter.continuation.resume(returning: refusal) }
    }

    private func refusal(of client: ClientAddress, in state: State) -> Refusal {
        state.counts[client, default: 0] < share ? .allTaken : .shareTaken
    }

    /// Ends a call and gives it to the waiting client with the fewest calls; of several, to the one that has waited
    /// longest.
    private func leave(_ client: ClientAddress) {
        let next: Waiter? = state.withLock { state in
            state.count -= 1
            let count = state.counts[client, default: 0] - 1
            state.counts[client] = count > 0 ? count : nil
            let candidates = state.waiters.indices.filter {
                state.counts[state.waiters[$0].client, default: 0] < share
            }
            // Of several clients with equally few calls, `min` returns the first.
            let chosen = candidates.min {
                state.counts[state.waiters[$0].client, default: 0] < state.counts[state.waiters[$1].client, default: 0]
            }
            guard let chosen, take(for: state.waiters[chosen].client, in: &state) else { return nil }
            return state.waiters.remove(at: chosen)
        }
        next?.continuation.resume(returning: nil)
    }
}
