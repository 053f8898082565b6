import Glibc
import HTTP
import POSIX
import Synchronization

/// What the workers of a server share, and the supervisor: the thread that runs the server.
final class Engine: Sendable {
    private enum Phase: UInt8, AtomicRepresentable {
        case serving
        /// The server accepts nothing new and keeps no idle connection.
        case draining
        case stopped
    }

    /// The interval at which deadlines are checked while a connection has one, in milliseconds.
    private static let tick: Int32 = 100
    /// The interval of checks while the server stops, in milliseconds.
    private static let drainTick: Int32 = 5

    let tell: @Sendable (ServerEvent) -> Void
    let notes: ErrorNotes
    let epoll: Epoll
    let parked = ParkedConnections()
    let suspended = SuspendedExchanges()
    let completions: Completions
    let pulse: PulseTaker
    let refusals = RefusalCounter()

    private let current: Mutex<Service>
    private let currentNumber = Atomic(0)
    private let listeners: [Listener]
    private let reserve = DescriptorReserve()
    let openConnections = OpenConnections()
    private let supervisorWakeup: Wakeup
    /// Signalled once and never cleared, so that every worker sees it.
    private let endWakeup: Wakeup

    private let phase = Atomic(Phase.serving)
    private let isStopRequested = Atomic(false)
    /// Whether the listeners are disarmed for a moment.
    private let isBackingOff = Atomic(false)
    /// Whether the operator was told that accepting fails.
    private let hasReportedShortage = Atomic(false)
    /// Whether the supervisor sleeps until it is woken, because no connection has a deadline.
    private let isSupervisorAsleep = Atomic(false)
    private let unfinishedBytes = Atomic<Int>(0)
    private let liveWorkers = Atomic<Int>(0)

    init(
        options: ServerOptions,
        listeners: [Listener],
        notes: ErrorNotes,
        responder: any Responder,
        events: @escaping @Sendable (ServerEvent) -> Void
    ) throws(FastCGIError) {
        current = Mutex(Service(number: 0, options, responder))
        pulse = PulseTaker(workers: max(1, options.workers))
        self.listeners = listeners
        tell = events
        self.notes = notes
        epoll = try Epoll()
        completions = try Completions()
        supervisorWakeup = try Wakeup()
        endWakeup = try Wakeup()
        guard epoll.add(completions.number, Epoll.readEdge, .completions),
            epoll.add(endWakeup.number, Epoll.read, .stop)
        else { throw FastCGIError("fill the epoll set") }
        for (index, listener) in listeners.enumerated() {
            guard epoll.add(listener.number, Epoll.readEdge, .listener(index)) else {
                throw FastCGIError("wait for \(listener.name)", hint: "is the descriptor a listening socket?")
            }
        }
    }

    /// What the server does now.
    var service: Service { current.withLock(\.self) }
    /// The number of the current service, read without a lock.
    var serviceNumber: Int { currentNumber.load(ordering: .relaxed) }

    /// Replaces what the server does: each worker continues with it before its next event.
    func replace(_ service: (_ number: Int) -> Service) {
        current.withLock { current in
            current = service(current.number + 1)
            // Relaxed, because a worker that sees the number takes the service under the lock.
            currentNumber.store(current.number, ordering: .relaxed)
        }
    }

    var isServing: Bool { phase.load(ordering: .relaxed) == .serving }
    var isStopped: Bool { phase.load(ordering: .relaxed) == .stopped }

    // MARK: - Accepting

    /// Accepts waiting connections and passes each on immediately.
    ///
    /// After many connections in a row the listener is armed again instead, so that kept connections get their turn.
    func accept(from index: Int, for service: Service, _ serve: (Connection) -> Void) {
        let listener = listeners[index]
        for _ in 0..<64 {
            guard isServing else { return }
            switch listener.accept() {
            case .connection(let number):
                let isFromReserve = reserve.contains(number)
                // Before the connection is served, which takes time.
                if isFromReserve { backOff(SystemError("accept4", EMFILE)) } else { reportRecovery() }
                if let connection = admit(number, for: service) { serve(connection) }
                if isFromReserve { return }
            case .none: return
            case .exhausted(let error): return backOff(error)
            }
        }
        _ = epoll.modify(listener.number, Epoll.readEdge, .listener(index))
    }

    /// Takes ownership of an accepted descriptor; returns nil and closes it if the user of its peer is not allowed.
    private func admit(_ number: Int32, for service: Service) -> Connection? {
        let connection = Connection(number, admission: service.number, openConnections: openConnections)
        return isAllowed(connection, by: service) ? connection : nil
    }

    /// Whether a kept connection may carry another request, after a replacement that may have changed the allowed users.
    func readmits(_ connection: Connection, for service: Service) -> Bool {
        connection.admission = service.number
        return isAllowed(connection, by: service)
    }

    private func isAllowed(_ connection: Connection, by service: Service) -> Bool {
        guard case .only(let users) = service.options.peers else { return true }
        // Treat unknown peers as not allowed.
        let user = PeerPolicy.peer(of: connection.number) ?? .max
        guard !users.contains(user) else { return true }
        tell(.peerRefused(user: user))
        return false
    }

    /// Stops accepting for a moment, because a resource ran out.
    private func backOff(_ error: SystemError) {
        if !hasReportedShortage.exchange(true, ordering: .relaxed) { tell(.acceptBackingOff(errorName: error.name)) }
        arm(Epoll.nothing)
        isBackingOff.store(true, ordering: .sequentiallyConsistent)
        parked.closeIdle()
        supervisorWakeup.signal()
    }

    /// Accepts again after `backOff`, unless the open connections leave too few descriptors free.
    private func acceptAgain() {
        guard isBackingOff.load(ordering: .sequentiallyConsistent) else { return }
        let isAlone = openConnections.count.load(ordering: .relaxed) == 0
        guard isAlone || reserve.isUntouched(duplicating: supervisorWakeup.number) else { return parked.closeIdle() }
        if isBackingOff.exchange(false, ordering: .sequentiallyConsistent) { arm(Epoll.readEdge) }
    }

    /// Reports, once, that accepting works again.
    private func reportRecovery() {
        // Read first, because this is called for each connection.
        guard hasReportedShortage.load(ordering: .relaxed),
            hasReportedShortage.exchange(false, ordering: .relaxed)
        else { return }
        tell(.acceptResumed)
    }

    /// Arms the listeners again; connections that are already waiting are reported again.
    private func arm(_ events: UInt32) {
        for (index, listener) in listeners.enumerated() {
            _ = epoll.modify(listener.number, events, .listener(index))
        }
    }

    // MARK: - Parking

    /// Parks a connection until its peer acts; the worker that the peer then wakes continues with it.
    func park(_ connection: Connection, _ stage: Connection.Stage, within patience: Duration) {
        connection.stage = stage
        if connection.deadline == nil { connection.deadline = .now + patience }
        let events = stage == .sending ? Epoll.writeOnce : Epoll.readEdge
        let isInserted = parked.insert(connection) { hasMissed in arm(connection, for: events, again: hasMissed) }
        if !isInserted { discardPartialRequest(of: connection) }
        // After the insertion. The lock of the parked connections orders it with the check in `sleep`: either this
        // thread reads that the supervisor sleeps, or the supervisor sees the connection.
        if isSupervisorAsleep.load(ordering: .sequentiallyConsistent) { supervisorWakeup.signal() }
    }

    /// Arms a connection in the epoll set; returns false if the system has no memory for it.
    ///
    /// Once is enough for reading: the system then reports every arrival, and a kept connection costs no call between two
    /// requests.
    private func arm(_ connection: Connection, for events: UInt32, again: Bool) -> Bool {
        let number = connection.number
        if connection.armed == Epoll.readEdge, events == Epoll.readEdge, !again { return true }
        let isArmed =
            connection.armed == nil
            ? epoll.add(number, events, .connection(number))
            : epoll.modify(number, events, .connection(number))
        if isArmed { connection.armed = events }
        return isArmed
    }

    /// Closes the connections whose deadline has passed.
    private func sweep(now: ContinuousClock.Instant) {
        let expired = parked.removeAll { $0.deadline.map { $0 <= now } ?? false }
        for connection in expired {
            switch connection.stage {
            case .idle where connection.isKept: break
            case .idle, .receiving: tell(.timedOut(.request))
            case .sending: tell(.timedOut(.answer))
            }
            discardPartialRequest(of: connection)
        }
    }

    /// Frees a connection's partial request, if there is one; the connection is closed when its owner releases it.
    func discardPartialRequest(of connection: Connection) {
        guard let request = connection.partialRequest else { return }
        connection.partialRequest = nil
        addUnfinished(bytes: -request.held)
    }

    /// Adds to the memory of all partial requests; returns the sum in bytes.
    @discardableResult
    func addUnfinished(bytes: Int) -> Int {
        unfinishedBytes.add(bytes, ordering: .relaxed).newValue
    }

    // MARK: - Supervising

    /// Serves on worker threads until the server is stopped; blocks the calling thread, which supervises.
    func run(until signals: StopSignals?, checking check: PulseCheck?) throws(FastCGIError) {
        pulse.start(check)
        do {
            for progress in pulse.workers { try startWorker(progress) }
        } catch {
            stopWorkers()
            throw error
        }
        supervise(until: signals)
    }

    /// Makes `run` return, from any thread.
    func requestStop() {
        isStopRequested.store(true, ordering: .sequentiallyConsistent)
        supervisorWakeup.signal()
    }

    private func startWorker(_ progress: WorkerProgress) throws(FastCGIError) {
        liveWorkers.add(1, ordering: .relaxed)
        do throws(SystemError) {
            _ = try Thread { [self] in
                var worker = Worker(engine: self, progress: progress)
                worker.run()
                liveWorkers.subtract(1, ordering: .releasing)
                supervisorWakeup.signal()
            }
        } catch {
            liveWorkers.subtract(1, ordering: .relaxed)
            throw FastCGIError("start a thread", error)
        }
    }

    /// Enforces deadlines until the server is to stop, then stops it.
    private func supervise(until signals: StopSignals?) {
        var signal: String?
        var retry: ContinuousClock.Instant?
        while signal == nil, !isStopRequested.load(ordering: .sequentiallyConsistent) {
            sleep(until: signals)
            signal = signals.flatMap(nextStop)
            let now = ContinuousClock.now
            if let time = retry, time <= now {
                acceptAgain()
                retry = nil
            } else if retry == nil, isBackingOff.load(ordering: .sequentiallyConsistent) {
                // Later, because a failure to accept has just woken this thread.
                retry = now + .milliseconds(Int(Self.tick))
            }
            sweep(now: now)
        }
        tell(.stopping(signal: signal))
        let start = ContinuousClock.now
        let grace = service.options.grace
        let end = start + grace
        // The rest of the grace time is for the requests that arrive until then.
        serveWhileCallsWait(until: start + grace * 0.9)
        stopAccepting()
        drain(until: end)
        let abandoned = abandon()
        waitForWorkers(until: max(end, .now + .milliseconds(100)))
        tell(.stopped(abandoned: abandoned))
    }

    /// The signal that stops the program, if it arrived; reports the signals before it.
    private func nextStop(_ signals: StopSignals) -> String? {
        while let arrival = signals.next() {
            switch arrival {
            case .stop(let name): return name
            case .reload(let name): tell(.reloadRequested(signal: name))
            case .ignored(let name): tell(.signalIgnored(name))
            }
        }
        return nil
    }

    /// Waits for a signal, for `supervisorWakeup`, or until the deadlines must be checked.
    private func sleep(until signals: StopSignals?) {
        // Before the parked connections are checked, so that a worker that parks one after the check wakes this thread.
        isSupervisorAsleep.store(true, ordering: .sequentiallyConsistent)
        let hasNoDeadline = parked.isEmpty && !isBackingOff.load(ordering: .sequentiallyConsistent)
        if !hasNoDeadline { isSupervisorAsleep.store(false, ordering: .sequentiallyConsistent) }
        wait(hasNoDeadline ? pulse.patience : Self.tick, signals?.number ?? -1)
        isSupervisorAsleep.store(false, ordering: .sequentiallyConsistent)
    }

    /// Waits for one of the supervisor's descriptors; the system ignores a negative one.
    private func wait(_ milliseconds: Int32, _ signals: Int32 = -1) {
        var descriptors = [
            pollfd(fd: supervisorWakeup.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        ]
        // unsafe because the call writes through a pointer within the bounds of the array.
        _ = unsafe poll(&descriptors, 2, milliseconds)
        supervisorWakeup.clear()
        pulse.take(limit: service.options.hangLimit, waiting: { suspended.count }, tell: tell)
    }

    // MARK: - Stopping

    /// Continues to serve while requests wait for the provider: the next process may start only after this one has ended,
    /// and no other visitor should wait.
    ///
    /// Ends early if a successor has replaced every listener.
    private func serveWhileCallsWait(until end: ContinuousClock.Instant) {
        suspended.beginRound()
        guard suspended.hasEarlierRound else { return }
        for listener in listeners { listener.announceEnd() }
        while suspended.hasEarlierRound, !listeners.allSatisfy(\.isReplaced), .now < end {
            acceptAgain()
            sweep(now: .now)
            wait(Self.drainTick)
        }
    }

    /// Accepts the connections that already wait, and none after them.
    private func stopAccepting() {
        for listener in listeners { listener.withdraw() }
        phase.store(.draining, ordering: .sequentiallyConsistent)
        arm(Epoll.nothing)
        acceptRest()
    }

    /// Accepts the connections to sockets whose path is gone; those that wait at an inherited socket are for the next
    /// process.
    private func acceptRest() {
        let service = service
        for listener in listeners where !listener.isInherited {
            while case .connection(let number) = listener.accept() {
                guard let connection = admit(number, for: service) else { continue }
                park(connection, .idle, within: service.options.requestTimeout)
            }
        }
    }

    /// Finishes all requests in progress, within the grace time.
    private func drain(until end: ContinuousClock.Instant) {
        // At least once, because a client that looked up the path just before connects a moment later.
        repeat {
            parked.closeIdle()
            sweep(now: .now)
            wait(Self.drainTick)
            acceptRest()
        } while openConnections.count.load(ordering: .acquiring) > 0 && .now < end
    }

    /// Closes the remaining connections; returns their number.
    private func abandon() -> Int {
        let left = openConnections.count.load(ordering: .acquiring)
        stopWorkers()
        suspended.abandonAll()
        completions.removeAll()
        _ = parked.removeAll { _ in true }
        return left
    }

    /// Makes the workers return.
    private func stopWorkers() {
        phase.store(.stopped, ordering: .sequentiallyConsistent)
        endWakeup.signal()
    }

    private func waitForWorkers(until end: ContinuousClock.Instant) {
        while liveWorkers.load(ordering: .acquiring) > 0, .now < end { wait(Self.drainTick) }
    }
}
