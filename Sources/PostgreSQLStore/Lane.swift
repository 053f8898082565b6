import CPostgreSQL
import Glibc
import Sessions

/// Opens one connection at a time, sends calls into its pipeline and passes the answers to their callers.
///
/// One thread uses it.
final class Lane {
    private struct InFlight {
        let work: Work
        let sent: ContinuousClock.Instant
        /// Whether it was sent by name, and whether the server had to be given the name first.
        var usesNames = false
        var prepares = false
        /// The number of answers before those to the statements.
        var preparations = 0
        var rows: [Rows] = []
        var failure: StoreError?
        /// Whether the server has answered all of it.
        var isComplete = false
    }

    /// An attempt to connect.
    private struct Attempt {
        let host: Int
        /// The number of hosts tried in this round, including the current one.
        let tried: Int
        let until: ContinuousClock.Instant
        /// Other addresses of the host, to try after this one.
        var rest: ArraySlice<String> = []

        /// The same attempt with another deadline.
        func renewed(until: ContinuousClock.Instant) -> Attempt {
            Attempt(host: host, tried: tried, until: until, rest: rest)
        }
    }

    private enum State {
        case closed
        /// Waiting for the addresses of a host.
        case resolving(String, Attempt)
        case opening(Connection, waits: Int16, Attempt)
        /// Connected, and waiting for the timeline of the server.
        case greeting(Connection, wantsWrite: Bool, Attempt)
        case open(Connection, wantsWrite: Bool)
    }

    /// Whether the server keeps statements under their names.
    ///
    /// A pooler uses another session for each transaction, which may not have them.
    private enum Naming {
        case untried
        case works
        case fails
    }

    /// An event of a lane that the loop must handle.
    enum Event {
        case opened
        /// No host could be reached.
        case unreachable(StoreError)
        /// An open connection was lost, with its calls.
        case lost(StoreError, [Work])
        /// The server did not answer a proof of the primary in time, or refuses the lock of the service. The connection was
        /// closed.
        case unproven(StoreError, [Work])
        /// A notification that a watching lane received.
        case told([String])
    }

    let kind: Call.Kind
    private let target: DatabaseTarget
    private let limits: DatabaseLimits
    private let mailbox: Mailbox
    private let timelines: Timelines
    private let resolver: Resolver
    /// What a watching lane sends first; a last statement that returns false refuses the connection.
    private let introduction: [Statement]
    private var state = State.closed {
        didSet {
            isClosed = if case .closed = state { true } else { false }
            isOpen = if case .open = state { true } else { false }
            isResolving = if case .resolving = state { true } else { false }
        }
    }
    // The loop asks for these in each of its turns; matching the state would retain its connection each time.
    private(set) var isClosed = true
    private(set) var isOpen = false
    private(set) var isResolving = false
    private var inFlight: [InFlight] = []
    private var naming = Naming.untried
    /// When a call ended last.
    private(set) var lastAnswer: ContinuousClock.Instant?
    /// The host of the current connection, or of the last one.
    private(set) var host = 0
    /// The last proof of the primary that was answered: when it was sent, and whether the server wrote it.
    private var lastProof: (sent: ContinuousClock.Instant, isWritten: Bool)?
    /// The timeline of the server that the lane is connected to; nil if the server has none.
    private var timeline: String?

    init(
        _ kind: Call.Kind,
        target: DatabaseTarget,
        limits: DatabaseLimits,
        mailbox: Mailbox,
        timelines: Timelines,
        resolver: Resolver,
        introduction: [Statement]
    ) {
        self.kind = kind
        self.target = target
        self.limits = limits
        self.mailbox = mailbox
        self.timelines = timelines
        self.resolver = resolver
        self.introduction = introduction
    }

    var load: Int { inFlight.count }
    /// The host to try after the current one, or the last one.
    var nextHost: Int { (host + 1) % target.hosts.count }
    /// When look-ups were sent whose answer is still to come.
    private(set) var lookUpsSent: ContinuousClock.Instant?
    /// Whether a call can be sent without waiting for another, now or when the connection is made.
    var isReadyOrOpening: Bool { !isClosed && (inFlight.isEmpty || !isOpen) }

    /// The socket and what to wait for; nil while there is none.
    var poll: pollfd? {
        guard !isClosed else { return nil }
        return switch state {
        case .closed, .resolving: nil
        case .opening(let connection, let waits, _):
            pollfd(fd: connection.socket, events: waits, revents: 0)
        case .greeting(let connection, let wantsWrite, _), .open(let connection, let wantsWrite):
            pollfd(fd: connection.socket, events: Int16(POLLIN | (wantsWrite ? POLLOUT : 0)), revents: 0)
        }
    }

    /// The time at which `expire` must be called, unless the socket is ready before.
    var deadline: ContinuousClock.Instant? {
        guard !isOpen else { return inFlight.first.map { $0.sent + answerLimit } }
        return switch state {
        case .closed, .open: nil
        case .resolving(_, let attempt), .opening(_, _, let attempt), .greeting(_, _, let attempt): attempt.until
        }
    }

    private var answerLimit: Duration {
        switch kind {
        case .reading, .watching: limits.answer
        case .writing: limits.commit
        }
    }

    /// For each address.
    private var connectLimit: Duration {
        target.connectTimeout.map { Duration.seconds($0) } ?? limits.connect
    }

    /// Begins to connect, to this host first.
    func open(host: Int, now: ContinuousClock.Instant) -> Event? {
        open(host: host, tried: 1, now: now)
    }

    private func open(host: Int, tried: Int, now: ContinuousClock.Instant) -> Event? {
        let attempt = Attempt(host: host, tried: tried, until: now + connectLimit)
        guard let name = target.hosts[host].unresolvedName else {
            return connect(attempt, to: target.hosts[host], now: now)
        }
        resolver.begin(name, now: now)
        state = .resolving(name, attempt)
        return resolve(now: now)
    }

    /// Continues if the addresses of the host are known now.
    func resolve(now: ContinuousClock.Instant) -> Event? {
        guard case .resolving(let name, let attempt) = state, let answer = resolver.answer(name) else { return nil }
        switch answer {
        case .addresses(let addresses): return connect(attempt, toOneOf: addresses[...], now: now)
        case .fault(let fault): return next(after: attempt, now: now, fault: fault)
        }
    }

    private func connect(
        _ attempt: Attempt,
        toOneOf addresses: ArraySlice<String>,
        now: ContinuousClock.Instant
    ) -> Event? {
        var (attempt, host) = (attempt, target.hosts[attempt.host])
        attempt.rest = addresses.dropFirst()
        host.address = addresses.first
        guard host.address != nil else { return next(after: attempt, now: now, fault: "the host has no address") }
        return connect(attempt, to: host, now: now)
    }

    private func connect(_ attempt: Attempt, to host: DatabaseTarget.Host, now: ContinuousClock.Instant) -> Event? {
        guard let connection = Connection(to: host, of: target) else { return unreachable("out of memory") }
        guard case .waits(let events) = connection.start else {
            return next(after: attempt, now: now, fault: connection.fault)
        }
        state = .opening(connection, waits: events, attempt)
        return nil
    }

    /// Tries the next address of the host, or the next host of the round.
    private func next(after attempt: Attempt, now: ContinuousClock.Instant, fault: String) -> Event? {
        inFlight = []
        if !attempt.rest.isEmpty {
            return connect(attempt.renewed(until: now + connectLimit), toOneOf: attempt.rest, now: now)
        }
        guard attempt.tried < target.hosts.count else { return unreachable(fault) }
        return open(host: (attempt.host + 1) % target.hosts.count, tried: attempt.tried + 1, now: now)
    }

    private func unreachable(_ fault: String) -> Event {
        state = .closed
        return .unreachable(StoreError(.unreachable, detail: "PostgreSQL: \(fault)"))
    }

    /// Puts work into the pipeline of the open connection.
    func send(_ work: Work, now: ContinuousClock.Instant) -> Event? {
        guard case .open(let connection, _) = state else { return nil }
        let statements = work.statements
        var entry = InFlight(work: work, sent: now)
        let names = statements.count { $0.name != nil }
        entry.usesNames = names > 0 && naming != .fails
        entry.prepares = entry.usesNames && naming == .untried
        entry.preparations = entry.prepares ? names : 0
        inFlight.append(entry)
        if case .lookUps = work { lookUpsSent = now }
        guard connection.send(statements, usesNames: entry.usesNames, prepares: entry.prepares) else {
            return lost(connection.fault)
        }
        return flush(connection)
    }

    /// Asks the server for its timeline.
    private func greet(_ connection: Connection, _ attempt: Attempt, now: ContinuousClock.Instant) -> Event? {
        let question = [Statement("SELECT linkedin_signin.timeline()")]
        guard connection.send(question), let isDone = connection.flush() else {
            return next(after: attempt, now: now, fault: connection.fault)
        }
        inFlight = [InFlight(work: .own(question), sent: now)]
        state = .greeting(connection, wantsWrite: !isDone, attempt)
        return nil
    }

    /// Accepts the server, unless it is a former primary.
    private func accept(_ connection: Connection, _ attempt: Attempt, now: ContinuousClock.Instant) -> Event? {
        // A server without the function has no tables of this program, or is an engine that needs no timelines.
        timeline = inFlight.first?.rows.first?.text(0)
        inFlight = []
        if let fault = timelines.objection(to: timeline) { return next(after: attempt, now: now, fault: fault) }
        state = .open(connection, wantsWrite: false)
        host = attempt.host
        if kind == .watching, !introduction.isEmpty, let event = send(.own(introduction), now: now) { return event }
        return .opened
    }

    /// The last proof of the primary that was answered, unless it was taken before.
    func takeProof() -> (sent: ContinuousClock.Instant, isWritten: Bool)? {
        defer { lastProof = nil }
        return lastProof
    }

    /// Leaves a server that is now known to be a former primary; returns nil if it is not.
    func leaveFormerPrimary() -> Event? {
        guard isOpen, let fault = timelines.objection(to: timeline) else { return nil }
        return lost(fault)
    }

    private func flush(_ connection: Connection) -> Event? {
        guard let isDone = connection.flush() else { return lost(connection.fault) }
        state = .open(connection, wantsWrite: !isDone)
        return nil
    }

    /// Reads and writes what the socket is ready for.
    func work(_ events: Int16, now: ContinuousClock.Instant) -> Event? {
        guard events != 0 else { return nil }
        switch state {
        case .closed, .resolving: return nil
        case .opening(let connection, _, let attempt):
            switch connection.advance() {
            case .waits(let events):
                state = .opening(connection, waits: events, attempt)
                return nil
            case .open: return greet(connection, attempt, now: now)
            case .failed: return next(after: attempt, now: now, fault: connection.fault)
            }
        case .greeting(let connection, let wantsWrite, let attempt):
            return greeted(connection, wantsWrite: wantsWrite, attempt, now: now)
        case .open(let connection, let wantsWrite):
            guard connection.receive() else {
                // What arrived before the end still counts.
                return answers(connection) ?? lost(connection.fault)
            }
            let before = inFlight.count
            if let event = answers(connection) { return event }
            if inFlight.count < before { lastAnswer = now }
            if wantsWrite, let event = flush(connection) { return event }
            let notices = kind == .watching ? connection.notices() : []
            return notices.isEmpty ? nil : .told(notices)
        }
    }

    /// Sends the question for the timeline, or reads its answer.
    private func greeted(
        _ connection: Connection,
        wantsWrite: Bool,
        _ attempt: Attempt,
        now: ContinuousClock.Instant
    ) -> Event? {
        if wantsWrite {
            guard let isDone = connection.flush() else {
                return next(after: attempt, now: now, fault: connection.fault)
            }
            state = .greeting(connection, wantsWrite: !isDone, attempt)
        }
        guard connection.receive() else { return next(after: attempt, now: now, fault: connection.fault) }
        let event = answers(connection)
        if case .lost(let error, _) = event { return next(after: attempt, now: now, fault: error.detail) }
        return inFlight.first?.isComplete == true ? accept(connection, attempt, now: now) : event
    }

    /// Passes on the answers that have arrived.
    private func answers(_ connection: Connection) -> Event? {
        while !inFlight.isEmpty, let answer = connection.nextAnswer() {
            switch answer {
            case .rows where inFlight[0].preparations > 0: inFlight[0].preparations -= 1
            case .rows(let rows): inFlight[0].rows.append(rows)
            case .skipped: break
            case .failure(let failure):
                if failure.endsConnection { return lost(failure.message) }
                if inFlight[0].failure == nil { inFlight[0].failure = failure.storeError }
            case .end:
                if case .greeting = state {
                    inFlight[0].isComplete = true
                    return nil
                }
                let first = inFlight.removeFirst()
                if let event = end(first) { return event }
            }
        }
        return nil
    }

    /// Passes on a complete answer, or sends the statements again without names.
    private func end(_ entry: InFlight) -> Event? {
        if case .lookUps = entry.work { lookUpsSent = nil }
        if entry.usesNames {
            naming = entry.failure == nil ? .works : .fails
            // The failed transaction changed nothing. The time limit of the call does not start again.
            if entry.failure != nil { return send(entry.work, now: entry.sent) }
        }
        if case .own = entry.work, entry.rows.last?.bool(0) == false { return .unproven(.movingDatabase, close()) }
        // A server that answers with an error does not wait either.
        if entry.work.isProof { lastProof = (entry.sent, entry.rows.first?.bool(0) ?? true) }
        mailbox.answer(entry.work, entry.failure.map { .failure($0) } ?? .success(entry.rows))
        return nil
    }

    /// Gives up calls and attempts that take too long.
    func expire(now: ContinuousClock.Instant) -> Event? {
        guard let deadline, deadline <= now else { return nil }
        switch state {
        case .closed: return nil
        case .resolving(let name, let attempt):
            let addresses = resolver.earlier(name)
            if !addresses.isEmpty {
                return connect(attempt.renewed(until: now + connectLimit), toOneOf: addresses[...], now: now)
            }
            return next(after: attempt, now: now, fault: "the name \(name) was not found in time")
        case .opening(_, _, let attempt), .greeting(_, _, let attempt):
            return next(after: attempt, now: now, fault: "the server does not answer")
        case .open:
            return inFlight.contains(where: \.work.isProof)
                ? .unproven(.unacknowledged, close()) : lost("the server does not answer")
        }
    }

    private func lost(_ fault: String) -> Event {
        .lost(StoreError(.unreachable, detail: "PostgreSQL: \(fault)"), close())
    }

    /// Closes the connection.
    ///
    /// - Returns: the work without an answer.
    func close() -> [Work] {
        // A server or a pooler may close a connection because of a name, so the next connection uses none.
        naming = inFlight.contains(where: \.prepares) ? .fails : .untried
        lookUpsSent = nil
        state = .closed
        defer { inFlight = [] }
        return inFlight.map(\.work)
    }
}
