import Dispatch
import Synchronization

/// A few threads for calls that wait for the disk, so that none of Swift's own ever does.
///
/// Each is a serial queue: the system gives such a queue a thread at once, however busy the shared ones are.
final class WriterThreads: Sendable {
    private final class Writer: Sendable {
        let queue = DispatchQueue(label: "session-writer")
        /// How many pieces of work it has; a hint, which two callers may read before either adds to it.
        let load = Atomic<Int>(0)
    }

    private let writers: [Writer]

    init(count: Int) {
        writers = (0..<count).map { _ in Writer() }
    }

    /// Runs work on the thread with the least to do, and waits for it without holding one.
    func run<Success: Sendable>(
        _ work: @escaping @Sendable () throws(StoreError) -> Success
    ) async throws(StoreError) -> Success {
        var writer = writers[0]
        for other in writers where other.load.load(ordering: .relaxed) < writer.load.load(ordering: .relaxed) {
            writer = other
        }
        let chosen = writer
        chosen.load.add(1, ordering: .relaxed)
        let result: Result<Success, StoreError> = await withCheckedContinuation { continuation in
            chosen.queue.async {
                let result = Result(catching: work)
                chosen.load.subtract(1, ordering: .relaxed)
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
