package import struct FoundationEssentials.Date

/// Sweeps a store for as long as the program runs, one shard at a time.
package struct Sweeper<Time: Clock>: Sendable where Time.Duration == Duration {
    /// With 5 seconds between shards, a mark is removed within a minute after it expires.
    private static var pausesBetweenMarks: Int { 12 }

    private let store: any SweptStore
    private let pause: Duration
    private let firstPause: Duration
    private let now: @Sendable () -> Date
    private let clock: Time

    /// Creates a sweeper, which does nothing before `run`.
    ///
    /// - Parameters:
    ///   - store: the store to sweep.
    ///   - pause: the time between two of the 256 shards; with 5 seconds, sweeping all of them takes 21 minutes.
    ///   - firstPause: the shortest time between two shards of the first round, which also counts the sessions for the first
    ///     time; nil for the same pause.
    ///   - now: the time by which sessions end.
    ///   - clock: the clock for the pauses.
    package init(
        store: any SweptStore,
        pause: Duration,
        firstPause: Duration? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: Time = ContinuousClock()
    ) {
        self.store = store
        self.pause = pause
        self.firstPause = firstPause ?? pause
        self.now = now
        self.clock = clock
    }

    /// Sweeps until the task is cancelled.
    ///
    /// - Parameter report: receives the counts each time all shards have been swept, and each error. After an error the
    ///   sweep continues with the next shard.
    package func run(report: @Sendable (Result<SweepCounts, StoreError>) -> Void) async {
        var isFirst = true
        var marksSwept: Time.Instant?
        while !Task.isCancelled {
            var round = SweepCounts()
            for shard in 0..<RecordName.shardCount {
                let begin = clock.now
                var isQuick = isFirst
                do throws(StoreError) {
                    if marksSwept.map({ $0.duration(to: begin) >= pause * Self.pausesBetweenMarks }) ?? true {
                        marksSwept = begin
                        round += try await store.sweepMarks(now: now())
                    }
                    round += try await store.sweep(shard: shard, now: now())
                } catch {
                    // A store that closes because the program stops is not a fault.
                    guard !Task.isCancelled else { return }
                    report(.failure(error))
                    isQuick = false
                }
                // The slower the disk, the longer the pauses of the first round: up to those of the other rounds, so that the
                // sweeper uses at most a tenth of the time.
                let rest = isQuick ? min(pause, max(firstPause, begin.duration(to: clock.now) * 9)) : pause
                guard (try? await Task.sleep(for: rest, clock: clock)) != nil else { return }
            }
            report(.success(round))
            isFirst = false
        }
    }
}

/// What a sweep removed and what it left.
package struct SweepCounts: Sendable, Equatable {
    /// Removed sessions that reached their absolute end.
    package var expired = 0
    /// Removed sessions and damaged records that were not used for the idle limit.
    package var idle = 0
    /// Removed marks of expired states.
    package var forgotten = 0
    /// Removed unfinished files that are more than an hour old, so their writer has abandoned them.
    package var strays = 0
    /// Removed forms whose senders did not come back in time.
    package var unclaimed = 0
    /// Removed personal tokens that reached their end date.
    package var expiredTokens = 0
    /// Sessions that have not ended.
    package var live = 0
    /// Records of a newer version of this program, which are left alone.
    package var newer = 0
    /// Damaged records that have not reached the idle limit, and those of another user.
    package var damaged = 0

    package init() {}

    package static func += (counts: inout SweepCounts, more: SweepCounts) {
        counts.expired += more.expired
        counts.idle += more.idle
        counts.forgotten += more.forgotten
        counts.strays += more.strays
        counts.unclaimed += more.unclaimed
        counts.expiredTokens += more.expiredTokens
        counts.live += more.live
        counts.newer += more.newer
        counts.damaged += more.damaged
    }
}

/// A store that the sweeper walks through, one shard at a time.
package protocol SweptStore: Sendable {
    /// Removes expired records from one shard of the store, which others can use at the same time.
    ///
    /// - Parameters:
    ///   - shard: the number of the shard, from 0 to 255.
    ///   - now: the current time.
    /// - Returns: what was removed and what was left.
    /// - Throws: `StoreError` if the shard cannot be read.
    func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts

    /// Removes the marks of states that have expired, in all shards, and counts the others.
    ///
    /// - Returns: what was removed.
    /// - Throws: `StoreError` if the marks cannot be read.
    func sweepMarks(now: Date) async throws(StoreError) -> SweepCounts
}
