import Synchronization

/// How the threads of a running server do.
package struct Pulse: Sendable, Equatable {
    /// A kind of thread.
    package enum Threads: String, Sendable {
        case worker
        case sharedPool = "shared-pool"
    }

    package var workers = 0
    /// Workers that were not waiting for a request.
    package var busyWorkers = 0
    /// Requests whose handlers wait for something, such as the provider.
    package var waitingRequests = 0
    /// Requests whose handlers have been started since the server was made.
    package var requests = 0
    /// The threads of which one makes no progress.
    package var hung: [Threads] = []

    package init() {}
}

/// How often the server looks at its own threads.
package struct PulseCheck: Sendable {
    let interval: Duration
    let report: @Sendable (Pulse) -> Void

    /// - Parameters:
    ///   - interval: The time between two looks.
    ///   - report: Receives each result on the thread that supervises the server; it must not block. If that thread hangs,
    ///     nothing is reported.
    package init(every interval: Duration, report: @escaping @Sendable (Pulse) -> Void) {
        self.interval = interval
        self.report = report
    }
}

/// What one worker does.
///
/// Only the worker writes it; the supervisor and the threads that report figures read it.
final class WorkerProgress: Sendable {
    /// Even while the worker waits, odd while it works; another number for each request.
    let step = Atomic(0)
    /// The requests whose handlers were started.
    let requests = Atomic(0)
    /// What it has answered.
    let answers = RequestCounter()
    // No other worker's numbers are in the same cache line.
    private let padding = (0, 0, 0, 0, 0, 0)

    /// The worker has something to do, or has done it.
    func beginOrEnd() {
        add(1, to: step)
    }

    /// The worker runs the handler of one more request.
    func countRequest() {
        add(2, to: step)
        add(1, to: requests)
    }

    /// Only one thread writes, so a plain load and store is enough; an atomic addition costs more.
    private func add(_ count: Int, to number: borrowing Atomic<Int>) {
        number.store(number.load(ordering: .relaxed) &+ count, ordering: .relaxed)
    }
}

/// Finds threads that make no progress: a worker that is busy with one request, or a shared pool that runs no task, for
/// longer than a limit.
///
/// A worker never waits for a peer or the provider, so a longer time means that a system call does not return. The
/// supervisor samples numbers that workers count up, because reading a clock for each request would cost more.
final class PulseTaker: Sendable {
    private struct State {
        var check: PulseCheck?
        var next = ContinuousClock.now
        /// The last step of each worker, and since when it is the same.
        var steps: [(number: Int, since: ContinuousClock.Instant)]
        var probe = 0
        var probed = ContinuousClock.now
        var hung: [Pulse.Threads] = []
    }

    let workers: [WorkerProgress]
    private let state: Mutex<State>
    /// The last probe that the shared pool has run.
    private let answered = Atomic(0)

    init(workers count: Int) {
        workers = (0..<count).map { _ in WorkerProgress() }
        state = Mutex(State(steps: Array(repeating: (0, .now), count: count)))
    }

    func start(_ check: PulseCheck?) {
        state.withLock { state in
            state.check = check
            state.next = .now
        }
    }

    /// What the workers have answered, and how many are busy.
    var figures: ServerFigures {
        var figures = ServerFigures()
        figures.workers = workers.count
        for worker in workers {
            if !worker.step.load(ordering: .relaxed).isMultiple(of: 2) { figures.busyWorkers += 1 }
            worker.answers.add(to: &figures)
        }
        return figures
    }

    /// The maximum time that the supervisor may sleep, in milliseconds; -1 for any time.
    var patience: Int32 {
        state.withLock { state in
            guard state.check != nil else { return -1 }
            return Int32(max(1, min(60_000, (state.next - .now) / .milliseconds(1))))
        }
    }

    /// Looks at the threads if it is time to.
    ///
    /// - Parameters:
    ///   - limit: The time after which a thread without progress hangs.
    ///   - waiting: The number of requests whose handlers wait.
    ///   - tell: Receives an event when threads begin to hang, and when they go on.
    func take(limit: Duration, waiting: () -> Int, tell: (ServerEvent) -> Void) {
        let now = ContinuousClock.now
        let result: (PulseCheck, Pulse, began: [Pulse.Threads], ended: [Pulse.Threads])? = state.withLock { state in
            guard let check = state.check, now >= state.next else { return nil }
            state.next = now + check.interval
            var pulse = look(&state, now: now, limit: limit)
            pulse.waitingRequests = waiting()
            let before = state.hung
            state.hung = pulse.hung
            let began = pulse.hung.filter { !before.contains($0) }
            return (check, pulse, began, before.filter { !pulse.hung.contains($0) })
        }
        guard let (check, pulse, began, ended) = result else { return }
        for threads in began { tell(.threadHung(threads)) }
        for threads in ended { tell(.threadResumed(threads)) }
        check.report(pulse)
    }

    private func look(_ state: inout State, now: ContinuousClock.Instant, limit: Duration) -> Pulse {
        var pulse = Pulse()
        pulse.workers = workers.count
        for (index, worker) in workers.enumerated() {
            let step = worker.step.load(ordering: .relaxed)
            let isBusy = !step.isMultiple(of: 2)
            if !isBusy || step != state.steps[index].number { state.steps[index] = (step, now) }
            if isBusy { pulse.busyWorkers += 1 }
            pulse.requests += worker.requests.load(ordering: .relaxed)
            if now - state.steps[index].since >= limit { pulse.hung = [.worker] }
        }
        if answered.load(ordering: .relaxed) == state.probe {
            state.probe += 1
            state.probed = now
            // Left out, the priority would be that of the caller.
            Task(priority: .medium) { [probe = state.probe] in answered.store(probe, ordering: .relaxed) }
        } else if now - state.probed >= limit {
            pulse.hung.append(.sharedPool)
        }
        return pulse
    }
}
