import Dispatch
import Synchronization

/// A few threads for calls that wait for the disk, so that none of Swift's own ever does.
///
/// Each is a serial queue: the system gives such a queue a thread at once, however busy the shared ones are.
final class WriterThreads: Sendable {
    private let queues: [DispatchQueue]
    /// How many pieces of work each queue has.
    private let loads: Mutex<[Int]>

    init(count: Int) {
        queues = (0..<count).map { DispatchQueue(label: "session-writer-\($0)") }
        loads = Mutex(Array(repeating: 0, count: count))
    }

    /// Runs work on the thread with the least to do, and waits for it without holding one.
    func run<Success: Sendable>(
        _ work: @escaping @Sendable () throws(StoreError) -> Success
    ) async throws(StoreError) -> Success {
        let index = loads.withLock { loads in
            let index = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[index] += 1
            return index
        }
        let result: Result<Success, StoreError> = await withCheckedContinuation { continuation in
            queues[index].async {
                let result = Result(catching: work)
                self.loads.withLock { $0[index] -= 1 }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
