import Synchronization

/// The kept forms that are being sent; a second request for the same form gets the answer of the first.
///
/// After a double click, a browser drops its first request and waits for the second. The application receives one.
final class SubmissionsUnderWay: Sendable {
    private let tasks = Mutex<[String: Task<Submission, Never>]>([:])

    /// Waits for the work with a key, and starts it unless it is running.
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
