/// The classes into which every histogram sorts durations.
package enum DurationClasses {
    /// The upper bound of each class, in nanoseconds, from 50 µs to 10 s; one more class has no bound.
    package static let bounds: InlineArray<16, Int> = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 10_000_000_000,
    ]
    package static let count = 17

    /// The class of a duration in nanoseconds.
    static func index(of duration: Int) -> Int {
        var index = 0
        while index < bounds.count, duration > bounds[index] { index += 1 }
        return index
    }
}

/// How many durations were in each class, and their sum.
package struct DurationCounts: Sendable, Equatable {
    /// One number for each class; not added up.
    package internal(set) var counts = Array(repeating: 0, count: DurationClasses.count)
    /// Nanoseconds.
    package internal(set) var sum = 0

    package init() {}

    /// The number of durations.
    package var count: Int { counts.reduce(0, +) }

    /// Adds one duration in nanoseconds.
    package mutating func add(_ duration: Int) {
        counts[DurationClasses.index(of: duration)] += 1
        sum += duration
    }

    package static func += (counts: inout DurationCounts, more: DurationCounts) {
        for index in counts.counts.indices { counts.counts[index] += more.counts[index] }
        counts.sum += more.sum
    }
}
