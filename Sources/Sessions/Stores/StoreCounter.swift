import Glibc
package import Metrics
import POSIX
import Synchronization

package import struct FoundationEssentials.Date

/// What is done with a store; the raw value is the name in the metrics.
package enum StoreOperation: String, Sendable, CaseIterable {
    /// Reading the session of a request.
    case read
    case create
    /// Reading a session and replacing it; the time includes the call to the provider that it is for.
    case update
    case remove
    /// Counting or removing the sessions of a member.
    case member
    /// Marking a state as used, or looking whether it is.
    case state
    case form
    /// Removing what has ended from one shard.
    case sweep
    /// Making, finding and revoking personal tokens.
    case token
}

/// Counts and times the operations of a store, without a lock on the path of a session check.
package final class StoreCounter: Sendable {
    /// A kind of failure.
    package struct Failure: Hashable, Sendable {
        package let operation: StoreOperation
        package let code: StoreError.Code
    }

    /// Sessions that had not ended, and what was removed.
    package struct Sweeps: Sendable {
        /// By shard, at its last sweep.
        fileprivate var live = [Int?](repeating: nil, count: RecordName.shardCount)
        package fileprivate(set) var removed = SweepCounts()
        /// The last sweep that succeeded; the start before the first one.
        package fileprivate(set) var last: Date

        /// The sessions in all shards; nil until each was swept once.
        package var sessions: Int? {
            let known = live.compactMap(\.self)
            return known.count == live.count ? known.reduce(0, +) : nil
        }
    }

    /// The counters that one thread uses, as a rule alone.
    private final class Stripe: Sendable {
        let durations = InlineArray<9, DurationCounter> { _ in DurationCounter() }
        private let padding = (0, 0, 0, 0, 0, 0, 0, 0)
    }

    private static let stripeCount = 16

    private let stripes = (0..<stripeCount).map { _ in Stripe() }
    private let failed = Mutex<[Failure: Int]>([:])
    private let swept: Mutex<Sweeps>

    /// - Parameter start: When the program started.
    package init(start: Date = Date()) {
        swept = Mutex(Sweeps(last: start))
    }

    /// Counts an operation that began at a time of `MonotonicClock`.
    func add(_ operation: StoreOperation, since start: Int) {
        let duration = MonotonicClock.nanoseconds &- start
        // The address of a thread's structure is different for each thread; Fibonacci hashing takes the upper bits.
        let stripe = Int(truncatingIfNeeded: (UInt64(pthread_self()) &* 0x9e37_79b9_7f4a_7c15) >> 60)
        stripes[stripe].durations[operation.index].add(duration)
    }

    /// Counts and times an operation, and counts its failure.
    func measure<Result>(
        _ operation: StoreOperation,
        _ body: () async throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        let start = MonotonicClock.nanoseconds
        defer { add(operation, since: start) }
        do {
            return try await body()
        } catch {
            add(error, in: operation)
            throw error
        }
    }

    func add(_ error: StoreError, in operation: StoreOperation) {
        failed.withLock { $0[Failure(operation: operation, code: error.code), default: 0] += 1 }
    }

    func add(_ counts: SweepCounts, shard: Int?, at time: Date) {
        swept.withLock { swept in
            swept.removed += counts
            swept.last = time
            if let shard { swept.live[shard] = counts.live }
        }
    }

    /// How long operations took, also those that failed.
    package func durations(of operation: StoreOperation) -> DurationCounts {
        stripes.reduce(into: DurationCounts()) { $0 += $1.durations[operation.index].read() }
    }

    package var failures: [Failure: Int] { failed.withLock(\.self) }
    package var sweeps: Sweeps { swept.withLock(\.self) }
}

extension StoreOperation {
    /// The position in `allCases`.
    fileprivate var index: Int {
        switch self {
        case .read: 0
        case .create: 1
        case .update: 2
        case .remove: 3
        case .member: 4
        case .state: 5
        case .form: 6
        case .sweep: 7
        case .token: 8
        }
    }
}
