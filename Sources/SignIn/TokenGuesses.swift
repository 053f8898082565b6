import HTTP
import Sessions
import Synchronization

import struct FoundationEssentials.Date

/// Limits how often one client makes the store look for tokens that do not exist.
///
/// Nobody can guess a token. The limit saves the store the work: a script that repeats a revoked token costs nothing after
/// the first look-ups. Tokens that worked before are looked up in any case, so that such a script does not stop those of
/// other people behind the same address.
final class TokenGuesses: Sendable {
    private struct State {
        var counts: [ClientAddress: Int] = [:]
        var start = Date.distantPast
        var known: Set<PersonalTokenID> = []
    }

    /// Unknown tokens for one client in a period.
    static let limit = 30
    /// Seconds.
    private static let period = 60.0
    /// Clients, and tokens, that are remembered.
    private static let capacity = 4_096

    private let state = Mutex(State())

    /// Whether the store may be asked about a token.
    func mayLookUp(_ id: PersonalTokenID, for client: ClientAddress, now: Date) -> Bool {
        state.withLock { state in
            guard abs(now.timeIntervalSince(state.start)) < Self.period else { return true }
            return state.counts[client, default: 0] < Self.limit || state.known.contains(id)
        }
    }

    /// Remembers a token that works.
    func accept(_ id: PersonalTokenID) {
        state.withLock { state in
            guard !state.known.contains(id) else { return }
            if state.known.count >= Self.capacity { state.known = [] }
            state.known.insert(id)
        }
    }

    /// Counts a token that does not exist.
    func reject(_ id: PersonalTokenID, for client: ClientAddress, now: Date) {
        state.withLock { state in
            state.known.remove(id)
            if abs(now.timeIntervalSince(state.start)) >= Self.period || state.counts.count >= Self.capacity {
                (state.counts, state.start) = ([:], now)
            }
            state.counts[client, default: 0] += 1
        }
    }
}
