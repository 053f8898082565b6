import HTTP
import Synchronization

/// What all workers of a server share.
final class Engine: Sendable {
    enum Phase: UInt8, AtomicRepresentable {
        case serving
        /// Nothing new is accepted and nothing idle is kept.
        case draining
        case stopped
    }

    let configuration: Configuration
    let listeners: [Listener]
    let handler: Handler
    let tell: @Sendable (ServerEvent) -> Void

    let epoll: Epoll
    let parked = ParkedConnections()
    let suspended = SuspendedExchanges()
    let completions: Completions
    let census = Census()
    /// Wakes the thread that runs the server.
    let supervisor: Wakeup
    /// Ready from the end on, so that every worker sees it.
    let ending: Wakeup

    let phase = Atomic(Phase.serving)
    let isStopRequested = Atomic(false)
    /// The listeners are not armed for a moment.
    let isBackingOff = Atomic(false)
    /// The operator knows that accepting fails.
    private let isShort = Atomic(false)
    /// The supervisor sleeps until it is woken, since nothing has a deadline.
    let isSupervisorAsleep = Atomic(false)
    private let unfinishedBytes = Atomic<Int>(0)
    let liveWorkers = Atomic<Int>(0)

    init(
        configuration: Configuration,
        listeners: [Listener],
        handler: @escaping Handler,
        events: @escaping @Sendable (ServerEvent) -> Void
    ) throws(FastCGIError) {
        self.configuration = configuration
        self.listeners = listeners
        self.handler = handler
        tell = events
        epoll = try Epoll()
        completions = try Completions()
        supervisor = try Wakeup()
        ending = try Wakeup()
        guard epoll.add(completions.number, Epoll.readEdge, .completions), epoll.add(ending.number, Epoll.read, .stop)
        else { throw FastCGIError("fill the epoll set") }
        for (index, listener) in listeners.enumerated() {
            guard epoll.add(listener.number, Epoll.readEdge, .listener(index)) else {
                throw FastCGIError("wait for \(listener.name)", hint: "is the descriptor a listening socket?")
            }
        }
    }
}

extension Engine {
    /// Leaves a connection to whichever worker its peer wakes next.
    func park(_ connection: Connection, _ stage: Connection.Stage, within patience: Duration) {
        connection.stage = stage
        if connection.deadline == nil { connection.deadline = .now + patience }
        let events = stage == .sending ? Epoll.writeOnce : Epoll.readEdge
        let isIn = parked.insert(connection) { hasMissed in arm(connection, for: events, again: hasMissed) }
        if !isIn { forget(connection) }
        if isSupervisorAsleep.load(ordering: .sequentiallyConsistent) { supervisor.signal() }
    }

    /// Arms a connection in the epoll set; false if the system has no room for it.
    ///
    /// For reading that is done once: from then on the system tells of every arrival, and a kept connection costs no call
    /// between two requests.
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

    /// Stops accepting for a moment, for want of a resource.
    func backOff(_ code: Int32) {
        if !isShort.exchange(true, ordering: .relaxed) {
            tell(.acceptBackingOff(errorName: FastCGIError.name(code)))
        }
        arm(Epoll.nothing)
        isBackingOff.store(true, ordering: .sequentiallyConsistent)
        // Connections that are only kept for later are the cheapest to give up.
        _ = parked.removeAll { $0.stage == .idle && $0.isKept }
        supervisor.signal()
    }

    /// Tries to accept again, if it was put off.
    func tryAgain() {
        if isBackingOff.exchange(false, ordering: .sequentiallyConsistent) { arm(Epoll.readEdge) }
    }

    /// Notes that a connection could be accepted.
    func noteAccepted() {
        guard isShort.load(ordering: .relaxed), isShort.exchange(false, ordering: .relaxed) else { return }
        tell(.acceptResumed)
    }

    /// Arms the listeners anew; connections that wait already are told of again.
    func arm(_ events: UInt32) {
        for (index, listener) in listeners.enumerated() {
            _ = epoll.modify(listener.number, events, .listener(index))
        }
    }

    /// Closes what has outlasted its deadline.
    func sweep(now: ContinuousClock.Instant) {
        let expired = parked.removeAll { $0.deadline.map { $0 <= now } ?? false }
        for connection in expired {
            switch connection.stage {
            case .idle where connection.isKept: break
            case .idle, .receiving: tell(.timedOut(.request))
            case .sending: tell(.timedOut(.answer))
            }
            forget(connection)
        }
    }

    /// Gives back the memory a connection counts for; the connection is closed when its owner lets go.
    func forget(_ connection: Connection) {
        guard let assembly = connection.assembly else { return }
        connection.assembly = nil
        count(unfinished: -assembly.held)
    }

    /// Counts bytes of requests that are not whole; returns how many there are now.
    @discardableResult
    func count(unfinished bytes: Int) -> Int {
        unfinishedBytes.add(bytes, ordering: .relaxed).newValue
    }

    var isServing: Bool { phase.load(ordering: .relaxed) == .serving }
    var isStopped: Bool { phase.load(ordering: .relaxed) == .stopped }
}
