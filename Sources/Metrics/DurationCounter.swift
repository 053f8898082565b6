import Synchronization

/// Counts durations without a lock.
///
/// A reader may see a duration in its class and not yet in the sum, which does not matter for a graph.
package struct DurationCounter: ~Copyable, Sendable {
    private let classes = InlineArray<17, Atomic<Int>> { _ in Atomic(0) }
    private let sum = Atomic(0)

    package init() {}

    /// Adds a duration in nanoseconds; only one thread may call this.
    package borrowing func addAlone(_ duration: Int) {
        let index = DurationClasses.index(of: duration)
        // Only one thread writes, so a plain load and store is enough; an atomic addition costs more.
        classes[index].store(classes[index].load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        sum.store(sum.load(ordering: .relaxed) &+ duration, ordering: .relaxed)
    }

    /// Adds a duration in nanoseconds, from any thread.
    package borrowing func add(_ duration: Int) {
        classes[DurationClasses.index(of: duration)].wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(duration, ordering: .relaxed)
    }

    /// What was counted so far.
    package borrowing func read() -> DurationCounts {
        var counts = DurationCounts()
        for index in 0..<DurationClasses.count {
            counts.counts[index] = classes[index].load(ordering: .relaxed)
        }
        counts.sum = sum.load(ordering: .relaxed)
        return counts
    }
}
