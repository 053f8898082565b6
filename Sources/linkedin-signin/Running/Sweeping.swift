import EventLog
import Sessions
import SignIn

extension Vault {
    /// Removes ended sessions until the task is cancelled.
    func sweepRepeatedly(log: Log, status: ServiceStatus) -> Task<Void, Never> {
        let sweeper = Sweeper(store: self, pause: .seconds(5), firstPause: .milliseconds(50))
        // The default is the priority of the main thread's tasks, which Dispatch asks the system to prefer.
        return Task(priority: .medium) {
            await sweeper.run { result in
                switch result {
                case .success(let counts):
                    status.note(sessions: counts.live)
                    log(LogEvent(counts))
                case .failure(let error): log(LogEvent(error, while: .sweepFailed))
                }
            }
        }
    }
}

extension LogEvent {
    fileprivate init(_ counts: SweepCounts) {
        self.init(
            counts.damaged == 0 ? .info : .warning,
            .swept,
            fields: [
                ("live", String(counts.live)), ("expired", String(counts.expired)), ("idle", String(counts.idle)),
                ("damaged", String(counts.damaged)), ("newer", String(counts.newer)),
                ("unclaimed", String(counts.unclaimed)),
            ]
        )
    }
}
