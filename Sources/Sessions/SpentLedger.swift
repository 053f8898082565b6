import Synchronization

import struct FoundationEssentials.Date

/// How many marks of spent states there are, in total and for each sender, so that no flood fills the disk with them.
///
/// The total is counted at every sweep and kept up to date in between. Whose a mark is stands in memory only: after a
/// restart all shares are free again, and the total is not.
final class SpentLedger: Sendable {
    private struct State {
        /// The marks that the last sweep left, and all that were added since it began.
        var count = 0
        var added = 0
        /// What the file system has room for; the setting if that is less.
        var limit: Int
        /// Marks of each sender, by the minute in which they expire.
        var shares: [Int: [UInt64: Int]] = [:]
    }

    private let maximum: Int
    private let state: Mutex<State>

    init(maximum: Int) {
        self.maximum = maximum
        state = Mutex(State(limit: maximum))
    }

    /// Counts a mark, if there is room for it.
    ///
    /// One sender has room for a quarter of all marks.
    func reserve(for sender: UInt64, until expires: Date, now: Date) -> KeptLedger.Room {
        state.withLock { state in
            let present = Self.minute(now)
            state.shares = state.shares.filter { $0.key >= present }
            if state.count >= state.limit { return .full }
            let own = state.shares.values.reduce(0) { $0 + $1[sender, default: 0] }
            if own >= max(1, state.limit / 4) { return .shareTaken }
            state.count += 1
            state.added += 1
            state.shares[Self.minute(expires), default: [:]][sender, default: 0] += 1
            return .free
        }
    }

    /// Takes a reservation back that no mark was made for.
    func release(for sender: UInt64, until expires: Date) {
        state.withLock { state in
            let minute = Self.minute(expires)
            guard let own = state.shares[minute]?[sender], own > 0 else { return }
            state.shares[minute]?[sender] = own > 1 ? own - 1 : nil
            state.count -= 1
            state.added -= 1
        }
    }

    /// Where a sweep begins to count.
    var added: Int { state.withLock { $0.added } }

    /// Puts in place of the total what a sweep has left.
    ///
    /// - Parameters:
    ///   - count: marks that the sweep found and left.
    ///   - start: `added` when it began; what came since may have been found or not, and counts in any case.
    ///   - free: files that the file system has room for; nil if it does not say.
    func recount(_ count: Int, since start: Int, free: Int?) {
        state.withLock { state in
            state.count = count + max(0, state.added - start)
            state.limit = free.map { SpentStates.limit(maximum, count: count, free: $0) } ?? maximum
        }
    }

    private static func minute(_ date: Date) -> Int {
        Int((date.timeIntervalSince1970 / 60).rounded(.down))
    }
}

/// The bound on marks of spent states.
package enum SpentStates {
    /// How many marks there may be: half of what the file system has room for stays for sessions, because nobody can
    /// sign in without one.
    ///
    /// - Parameters:
    ///   - maximum: what the operator allows.
    ///   - count: marks that exist.
    ///   - free: files that can be made.
    /// - Returns: at least 1.
    package static func limit(_ maximum: Int, count: Int, free: Int) -> Int {
        min(maximum, max(1, (count + free) / 2))
    }
}
