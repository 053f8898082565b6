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
        let end = ContinuousClock.now + configuration.grace
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

    /// Takes what has connected already, and nothing after it.
    private func stopAccepting() {
        for (index, listener) in listeners.enumerated() where !listener.isInherited {
            listener.withdraw()
            while case .connection(let number) = listener.accept() {
                guard let connection = admit(number, from: listener) else { continue }
                park(connection, .idle, within: configuration.requestTimeout)
            }
            _ = epoll.modify(listener.number, Epoll.nothing, .listener(index))
        }
        phase.store(.draining, ordering: .sequentiallyConsistent)
        arm(Epoll.nothing)
    }

    /// Lets everything under way come to its end, but not for ever.
    private func drain(until end: ContinuousClock.Instant) {
        while census.count.load(ordering: .acquiring) > 0, .now < end {
            _ = parked.removeAll { $0.stage == .idle && $0.isKept }
            sweep(now: .now)
            wait(Self.drainTick)
        }
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
