import Dispatch

/// Runs blocking work on its own thread, at once: Swift's shared pool has few threads, and tests keep them busy.
enum Background {
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) -> Task<Value, any Error> {
        let (results, done) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
        DispatchQueue(label: "Background").async { done.yield(Result(catching: work)) }
        return Task {
            for await result in results { return try result.get() }
            throw CancellationError()
        }
    }
}
