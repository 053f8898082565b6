import Dispatch
import POSIX
import Synchronization

/// A few threads for system calls that wait for the disk, so that no thread of Swift's shared pool waits.
///
/// Each thread serves one queue. It is available immediately, however busy the shared threads are.
final class WriterThreads: Sendable {
    /// Whether the caller has already done something that would be lost; decides how much work may wait ahead of it.
    enum Standing {
        /// If rejected, the caller loses nothing and can try again.
        case beginning
        /// If rejected, the caller would lose an authorization code, a new refresh token or a sign-out.
        case underway
    }

    private final class Writer: Sendable {
        let queue = DispatchQueue(label: "session-writer")
        /// How many tasks are queued; two callers may read it before either one adds to it.
        let load = Atomic<Int>(0)
    }

    private let writers: [Writer]
    private let limit: Int

    /// - Parameters:
    ///   - count: the maximum number of threads.
    ///   - limit: the maximum number of tasks that one thread has when it gets a task of a caller that is beginning. A
    ///     durable write takes about 5 ms on a slow disk: behind 256 of them a visitor waits a second, and behind more
    ///     the visitor would give up before the answer comes. For callers under way the limit is twice as high.
    init(count: Int, limit: Int = 256) {
        writers = (0..<count).map { _ in Writer() }
        self.limit = limit
    }

    /// Runs work on the thread with the fewest tasks, and waits for it without occupying a thread.
    ///
    /// - Throws: what the work throws; `StoreError` with the code `.busy`, immediately, if too many tasks are queued.
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

    /// Runs system calls in the directories of a store, which are opened again if they were replaced.
    func run<Success: Sendable>(
        _ standing: Standing,
        in directories: StoreDirectories,
        _ work: @escaping @Sendable () throws(SystemError) -> Success
    ) async throws(StoreError) -> Success {
        try await run(standing) { () throws(StoreError) in
            try directories.refresh()
            return try asStoreError(work)
        }
    }

    /// The writer with the fewest tasks, the new task already counted.
    private func admit(_ standing: Standing) throws(StoreError) -> Writer {
        var writer = writers[0]
        for other in writers where other.load.load(ordering: .relaxed) < writer.load.load(ordering: .relaxed) {
            writer = other
        }
        let room = standing == .beginning ? limit : 2 * limit
        guard writer.load.add(1, ordering: .relaxed).newValue <= room else {
            writer.load.subtract(1, ordering: .relaxed)
            throw StoreError(.busy, detail: "too much other work is waiting for the disk")
        }
        return writer
    }
}
