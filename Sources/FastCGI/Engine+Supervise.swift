import Glibc
import Synchronization

extension Engine {
    /// How often deadlines are looked at while something has one, in milliseconds.
    private static let tick: Int32 = 100
    /// How often it is looked whether the last connection has ended, in milliseconds.
    private static let drainTick: Int32 = 5

    /// Starts one worker on a thread of its own.
    func startWorker() throws(FastCGIError) {
        liveWorkers.add(1, ordering: .relaxed)
        do {
            try Thread.start { [self] in
                var worker = Worker(engine: self)
                worker.run()
                liveWorkers.subtract(1, ordering: .releasing)
                supervisor.signal()
            }
        } catch {
            liveWorkers.subtract(1, ordering: .relaxed)
            throw error
        }
    }

    /// Keeps deadlines until the server is to stop, then stops it.
    func supervise(until signals: StopSignals?) {
        var signal: String?
        var retry: ContinuousClock.Instant?
        while signal == nil, !isStopRequested.load(ordering: .sequentiallyConsistent) {
            sleep(until: signals)
            signal = signals.flatMap(nextStop)
            let now = ContinuousClock.now
            if let time = retry, time <= now {
                tryAgain()
                retry = nil
            } else if retry == nil, isBackingOff.load(ordering: .sequentiallyConsistent) {
                // Not at once: this thread was woken because it has just failed.
                retry = now + .milliseconds(Int(Self.tick))
            }
            sweep(now: now)
        }
        tell(.stopping(signal: signal))
        let start = ContinuousClock.now
        let end = start + configuration.grace
        // The rest of the grace time is for the requests that arrive until then.
        serveWhileCallsEnd(until: start + configuration.grace * 0.9)
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
            case .ignored(let name): tell(.signalIgnored(name))
            }
        }
        return nil
    }

    /// Waits for a signal, a call or the next look at the deadlines.
    private func sleep(until signals: StopSignals?) {
        // Said before looking, so that whoever parks a connection after the look wakes this thread.
        isSupervisorAsleep.store(true, ordering: .sequentiallyConsistent)
        let isQuiet = parked.isEmpty && !isBackingOff.load(ordering: .sequentiallyConsistent)
        if !isQuiet { isSupervisorAsleep.store(false, ordering: .sequentiallyConsistent) }
        wait(isQuiet ? -1 : Self.tick, signals?.number ?? -1)
        isSupervisorAsleep.store(false, ordering: .sequentiallyConsistent)
    }

    /// Waits for one of this thread's own descriptors; the system overlooks a negative one.
    private func wait(_ milliseconds: Int32, _ signals: Int32 = -1) {
        var descriptors = [
            pollfd(fd: supervisor.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        ]
        // unsafe because the system call writes through a pointer within the array's bounds.
        _ = unsafe poll(&descriptors, 2, milliseconds)
        supervisor.clear()
    }

    /// Serves on while requests wait for the provider: whoever starts the next process may wait for this one to end, and
    /// no other visitor should.
    ///
    /// Ends early if a successor has taken over every listener.
    private func serveWhileCallsEnd(until end: ContinuousClock.Instant) {
        suspended.beginRound()
        guard suspended.hasEarlierRound else { return }
        for listener in listeners { listener.announceEnd() }
        while suspended.hasEarlierRound, !listeners.allSatisfy(\.isReplaced), .now < end {
            tryAgain()
            sweep(now: .now)
            wait(Self.drainTick)
        }
    }

    /// Takes what has connected already, and nothing after it.
    private func stopAccepting() {
        for listener in listeners { listener.withdraw() }
        phase.store(.draining, ordering: .sequentiallyConsistent)
        arm(Epoll.nothing)
        acceptRest()
    }

    /// Accepts what connected to a socket whose path is gone; what waits at an inherited socket is the next process's.
    private func acceptRest() {
        for listener in listeners where !listener.isInherited {
            while case .connection(let number) = listener.accept() {
                guard let connection = admit(number, from: listener) else { continue }
                park(connection, .idle, within: configuration.requestTimeout)
            }
        }
    }

    /// Finishes all requests in progress, within the grace time.
    private func drain(until end: ContinuousClock.Instant) {
        // At least once: a client that looked the path up just before connects a moment later.
        repeat {
            _ = parked.removeAll { $0.stage == .idle && $0.isKept }
            sweep(now: .now)
            wait(Self.drainTick)
            acceptRest()
        } while census.count.load(ordering: .acquiring) > 0 && .now < end
    }

    /// Cuts off what is left; returns how many connections that were.
    private func abandon() -> Int {
        let left = census.count.load(ordering: .acquiring)
        end()
        suspended.abandonAll()
        _ = parked.removeAll { _ in true }
        return left
    }

    /// Makes the workers leave.
    func end() {
        phase.store(.stopped, ordering: .sequentiallyConsistent)
        ending.signal()
    }

    private func waitForWorkers(until end: ContinuousClock.Instant) {
        while liveWorkers.load(ordering: .acquiring) > 0, .now < end { wait(Self.drainTick) }
    }
}
