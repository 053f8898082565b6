import Synchronization

/// Forms that are being sent just now: whoever asks for the same one again gets the answer of the first.
///
/// A double click makes a browser forget its first request and wait for the second; the application sees one all the
/// same.
final class SubmissionsUnderWay: Sendable {
    private let tasks = Mutex<[String: Task<Submission, Never>]>([:])

    /// Waits for the work under a key, which is begun unless it is under way.
    func join(_ key: String, _ work: @escaping @Sendable () async -> Submission) async -> Submission {
        let task = tasks.withLock { tasks in
            if let running = tasks[key] { return running }
            let task = Task {
                let submission = await work()
                self.tasks.withLock { $0[key] = nil }
                return submission
            }
            tasks[key] = task
            return task
        }
        return await task.value
    }
}
