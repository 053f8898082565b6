package import struct FoundationEssentials.Date

/// Walks through a store for as long as the program runs, one part at a time.
package struct Sweeper: Sendable {
    /// With 5 seconds between parts, marks are removed within a minute of their end.
    private static let partsBetweenMarks = 12

    private let store: FileStore
    private let pause: Duration
    private let now: @Sendable () -> Date

    /// Sweeps nothing before `run`.
    ///
    /// - Parameters:
    ///   - store: whose ended sessions and marks are removed.
    ///   - pause: the time between two of the 256 parts; 5 seconds make a round of 21 minutes.
    ///   - now: the present.
    package init(store: FileStore, pause: Duration, now: @escaping @Sendable () -> Date = { Date() }) {
        self.store = store
        self.pause = pause
        self.now = now
    }

    /// Sweeps until the task is cancelled.
    ///
    /// - Parameter report: is told the counts of each round that is complete, and each error, after which the sweep
    ///   goes on with the next part.
    package func run(report: @Sendable (Result<SweepCounts, StoreError>) -> Void) async {
        while !Task.isCancelled {
            var round = SweepCounts()
            for shard in 0..<FileStore.shardCount {
                do throws(StoreError) {
                    if shard.isMultiple(of: Self.partsBetweenMarks) { round += try await store.sweepMarks(now: now()) }
                    round += try await store.sweep(shard: shard, now: now())
                } catch {
                    report(.failure(error))
                }
                guard (try? await Task.sleep(for: pause)) != nil else { return }
            }
            report(.success(round))
        }
    }
}
