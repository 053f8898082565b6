import FastCGI
import POSIX
import PostgreSQLStore
import Synchronization

import struct FoundationEssentials.Date

/// What systemd knows about the program: its state, a line for `systemctl status`, and that it is alive.
final class ServiceStatus: Sendable {
    private struct State {
        var pulse = Pulse()
        var reloads = Reloads()
        /// Sessions that had not ended at the last sweep; nil before the first one.
        var sessions: Int?
        var isStoreReachable = true
    }

    /// What became of the settings.
    struct Reloads {
        var refused = 0
        var applied = 0
        /// The start or the last reload without an error.
        var lastSuccess = Date()
        var isLastRefused = false
    }

    private let manager: ServiceManager?
    private let store: String
    private let state = Mutex(State())

    /// - Parameters:
    ///   - manager: The service manager that started the process; nil if there is none to tell.
    ///   - store: What the sessions are in, for people.
    init(_ manager: ServiceManager?, store: String) {
        self.manager = manager
        self.store = store
    }

    /// How often to look at the threads of the server: twice within the time in which systemd expects a sign of life.
    var interval: Duration { manager?.watchdog.map { $0 / 2 } ?? .seconds(10) }

    /// The reason codes of the kinds of threads that make no progress.
    var hungThreads: [String] { state.withLock { $0.pulse.hung.map(\.rawValue) } }

    func report(_ pulse: Pulse) {
        state.withLock { $0.pulse = pulse }
        guard let manager else { return }
        if pulse.hung.isEmpty, manager.watchdog != nil {
            manager.notify("WATCHDOG=1", line)
        } else {
            // Without a sign of life, systemd restarts the program.
            manager.notify(line)
        }
    }

    var reloads: Reloads { state.withLock(\.reloads) }
    var isStoreReachable: Bool { state.withLock(\.isStoreReachable) }

    func note(sessions: Int) {
        state.withLock { $0.sessions = sessions }
    }

    func note(_ event: DatabaseClient.Event) {
        let isReachable: Bool
        switch event {
        case .reachable: isReachable = true
        case .unreachable: isReachable = false
        }
        state.withLock { $0.isStoreReachable = isReachable }
    }

    func ready() {
        manager?.notify("READY=1", line)
    }

    func reloading() {
        manager?.notify("RELOADING=1", ServiceManager.monotonicTime)
    }

    func reloaded(_ isRefused: Bool) {
        state.withLock { state in
            state.reloads.isLastRefused = isRefused
            if isRefused {
                state.reloads.refused += 1
            } else {
                state.reloads.applied += 1
                state.reloads.lastSuccess = Date()
            }
        }
        manager?.notify("READY=1", line)
    }

    func stopping() {
        manager?.notify("STOPPING=1", "STATUS=Finishing requests")
    }

    private var line: String {
        let state = state.withLock(\.self)
        let pulse = state.pulse
        let parts = [
            "\(pulse.requests) requests served",
            pulse.workers == 0 ? nil : "\(pulse.busyWorkers) of \(pulse.workers) workers busy",
            pulse.waitingRequests == 0 ? nil : "\(pulse.waitingRequests) requests wait",
            pulse.hung.isEmpty ? nil : "hung: \(pulse.hung.map(\.rawValue).joined(separator: ", "))",
            state.sessions.map { "\($0) sessions" },
            state.isStoreReachable ? store : "\(store) not reachable",
            state.reloads.isLastRefused ? "the last reload was refused, see the log" : nil,
        ]
        return "STATUS=" + parts.compactMap(\.self).joined(separator: "; ")
    }
}
