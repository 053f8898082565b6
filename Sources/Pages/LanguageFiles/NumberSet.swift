/// A set of numbers, written as `1`, `2-4`, or several of these separated by commas.
struct NumberSet: Sendable, Equatable {
    private let ranges: [ClosedRange<Int>]

    /// Returns nil for an invalid text.
    init?(_ text: Substring) {
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.trimmingLineBlanks.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard ends.count <= 2, let low = ends.first ?? nil, let high = ends.last ?? nil, low <= high else {
                return nil
            }
            ranges.append(low...high)
        }
        self.ranges = ranges
    }

    func contains(_ number: Int) -> Bool {
        ranges.contains { $0.contains(number) }
    }
}
