import Synchronization

/// How many forms are being written at once: each waits in memory for its turn.
final class KeepingRoom: Sendable {
    private static let capacity = 16
    private let count = Atomic<Int>(0)

    /// Does the work, or returns nil if too many others are at it.
    nonisolated(nonsending) func run<Success: Sendable, Failure: Error>(
        _ work: () async throws(Failure) -> Success
    ) async throws(Failure) -> Success? {
        defer { count.subtract(1, ordering: .relaxed) }
        guard count.add(1, ordering: .relaxed).newValue <= Self.capacity else { return nil }
        return try await work()
    }
}
