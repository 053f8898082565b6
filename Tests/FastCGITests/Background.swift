import Dispatch

/// Runs what blocks on a thread of its own, since Swift's shared pool has few.
enum Background {
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) -> Task<Value, any Error> {
        Task {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: "Background").async { continuation.resume(with: Result(catching: work)) }
            }
        }
    }
}
