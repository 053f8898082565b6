import Dispatch
import Synchronization

/// A few threads for calls that wait for the disk, so that none of Swift's own ever does.
///
/// Each is a serial queue: the system gives such a queue a thread at once, however busy the shared ones are.
final class WriterThreads: Sendable {
    /// How far the caller has come, which says how much work may wait before its own.
    enum Standing {
        /// Refused, it has lost nothing and can ask again.
        case beginning
        /// Refused, it would lose what it did before: an authorization code, a new refresh token, the wish to sign out.
        case underway
    }

    private final class Writer: Sendable {
        let queue = DispatchQueue(label: "session-writer")
        /// How many pieces of work it has; two callers may read it before either adds to it.
        let load = Atomic<Int>(0)
    }

    private let writers: [Writer]
    private let limit: Int

    /// - Parameters:
    ///   - count: how many threads there are at most.
    ///   - limit: pieces of work that one of them may have when work that begins is given to it. A durable write takes
    ///     about 5 ms on a slow disk: behind 256 of them a visitor waits a second, and behind more would give up before
    ///     the answer comes. Work under way may add as many again.
    init(count: Int, limit: Int = 256) {
        writers = (0..<count).map { _ in Writer() }
        self.limit = limit
    }

    /// Runs work on the thread with the least to do, and waits for it without holding one.
    ///
    /// - Throws: what the work throws; `StoreError` with the code `.busy`, at once, if too much work waits already.
    func run<Success: Sendable>(
        _ standing: Standing,
        _ work: @escaping @Sendable () throws(StoreError) -> Success
    ) async throws(StoreError) -> Success {
        let writer = try admit(standing)
        let result: Result<Success, StoreError> = await withCheckedContinuation { continuation in
            writer.queue.async {
                let result = Result(catching: work)
                writer.load.subtract(1, ordering: .relaxed)
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    /// The writer with the least to do, with the work counted.
    private func admit(_ standing: Standing) throws(StoreError) -> Writer {
        var writer = writers[0]
        for other in writers where other.load.load(ordering: .relaxed) < writer.load.load(ordering: .relaxed) {
            writer = other
        }
        let room = standing == .beginning ? limit : 2 * limit
        guard writer.load.add(1, ordering: .relaxed).newValue <= room else {
            writer.load.subtract(1, ordering: .relaxed)
            throw StoreError(.busy, detail: "too many writes wait for the disk")
        }
        return writer
    }
}
