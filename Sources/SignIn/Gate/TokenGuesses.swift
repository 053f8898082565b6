import Guard
import HTTP
import Sessions
import Synchronization

import struct FoundationEssentials.Date

/// Limits how often one client makes the store look for tokens that do not exist.
///
/// Nobody can guess a token. The limit saves the store the work: a script that repeats a revoked token costs one look-up in
/// a period. It counts once, so that it does not stop the tokens of other people behind the same address. Tokens that
/// worked before are looked up in any case.
final class TokenGuesses: Sendable {
    private struct State {
        var counts: [ClientAddress: Int] = [:]
        var start = Date.distantPast
        var known: Set<PersonalTokenID> = []
        /// The tokens that the store did not find in this period.
        var rejected: Set<PersonalTokenID> = []
    }

    /// Different unknown tokens for one client in a period.
    static let limit = 30
    /// Seconds.
    private static let period = 60.0
    /// Clients, and tokens, that are remembered.
    private static let capacity = 4_096

    private let state = Mutex(State())

    /// Why a token is rejected without asking the store about it; nil if the store may be asked.
    func objection(to id: PersonalTokenID, for client: ClientAddress, now: Date) -> TokenObjection? {
        state.withLock { state in
            guard abs(now.timeIntervalSince(state.start)) < Self.period else { return nil }
            if state.rejected.contains(id) { return .unknown }
            guard state.counts[client, default: 0] >= Self.limit else { return nil }
            return state.known.contains(id) ? nil : .tooManyUnknown
        }
    }

    /// Seconds until the store may be asked again about every token.
    func wait(now: Date) -> Int {
        let age = state.withLock { abs(now.timeIntervalSince($0.start)) }
        return max(1, Int((Self.period - age).rounded(.up)))
    }

    /// Remembers a token that works.
    func accept(_ id: PersonalTokenID) {
        state.withLock { state in
            guard !state.known.contains(id) else { return }
            if state.known.count >= Self.capacity { state.known = [] }
            state.known.insert(id)
        }
    }

    /// Counts a token that does not exist, and remembers it for the period.
    func reject(_ id: PersonalTokenID, for client: ClientAddress, now: Date) {
        state.withLock { state in
            state.known.remove(id)
            if abs(now.timeIntervalSince(state.start)) >= Self.period || state.counts.count >= Self.capacity {
                (state.counts, state.rejected, state.start) = ([:], [], now)
            }
            if state.rejected.count < Self.capacity { state.rejected.insert(id) }
            state.counts[client, default: 0] += 1
        }
    }
}
