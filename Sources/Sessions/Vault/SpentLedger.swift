import Synchronization

package import struct FoundationEssentials.Date

/// Counts the marks of spent states, in total and for each client, so that no flood fills the disk with them.
///
/// Every sweep counts the total, which is kept up to date in between. Shares are in memory only: a restart resets the
/// shares, but not the total.
package final class SpentLedger: Sendable {
    private struct State {
        /// The marks that the last sweep left, plus all marks added since it began.
        var count = 0
        var added = 0
        /// The operator's limit, or less if the file system has less room.
        var limit: Int
        /// Marks of each client, by the minute in which they expire.
        var shares: [Int: [UInt64: Int]] = [:]
    }

    private let maximum: Int
    private let state: Mutex<State>

    package init(maximum: Int) {
        self.maximum = maximum
        state = Mutex(State(limit: maximum))
    }

    /// Counts a mark, if there is room for it; returns why there is none, or nil.
    package func reserve(for client: UInt64, until expires: Date, now: Date) -> SpendOutcome? {
        state.withLock { state in
            let present = Self.minute(now)
            state.shares = state.shares.filter { $0.key >= present }
            if state.count >= state.limit { return .full }
            let own = state.shares.values.reduce(0) { $0 + $1[client, default: 0] }
            if own >= FairShare.of(state.limit, atLeast: 1) { return .shareTaken }
            state.count += 1
            state.added += 1
            state.shares[Self.minute(expires), default: [:]][client, default: 0] += 1
            return nil
        }
    }

    /// Cancels a reservation for which no mark was created.
    package func release(for client: UInt64, until expires: Date) {
        state.withLock { state in
            let minute = Self.minute(expires)
            guard let own = state.shares[minute]?[client], own > 0 else { return }
            state.shares[minute]?[client] = own > 1 ? own - 1 : nil
            state.count -= 1
            state.added -= 1
        }
    }

    /// How many marks were added since the start; a sweep notes it when it begins to count.
    package var added: Int { state.withLock { $0.added } }

    /// Replaces the total by the result of a sweep.
    ///
    /// - Parameters:
    ///   - count: marks that the sweep found and left.
    ///   - start: `added` when the sweep began; marks added later count even if the sweep also found them.
    ///   - free: files that the file system has room for; nil if it does not say.
    package func recount(_ count: Int, since start: Int, free: Int?) {
        state.withLock { state in
            state.count = count + max(0, state.added - start)
            state.limit = free.map { Self.limit(maximum, count: count, free: $0) } ?? maximum
        }
    }

    /// The maximum number of marks for a file system with little room.
    ///
    /// Half of the files that the file system has room for stay free for sessions, because nobody can sign in without
    /// one.
    ///
    /// - Parameters:
    ///   - maximum: The operator's limit.
    ///   - count: Marks that exist.
    ///   - free: Files that can still be created.
    /// - Returns: At least 1.
    package static func limit(_ maximum: Int, count: Int, free: Int) -> Int {
        min(maximum, max(1, (count + free) / 2))
    }

    /// The minute of a date; minutes beyond the range of `Int32` become its first or last.
    private static func minute(_ date: Date) -> Int {
        let minutes = (date.timeIntervalSince1970 / 60).rounded(.down)
        return Int(max(Double(Int32.min), min(Double(Int32.max), minutes)))
    }
}
