import CPostgreSQL
import Glibc
import Sessions

/// A place for one connection: it opens the connection, sends calls into its pipeline and hands the answers out.
///
/// One thread uses it.
final class Lane {
    private struct InFlight {
        /// Nil for what the lane itself asks for.
        let call: Call?
        let sent: ContinuousClock.Instant
        var rows: [Rows] = []
        var failure: StoreError?
    }

    private enum State {
        case closed
        /// Connecting to a host; `tried` hosts were tried in this round, this one included.
        case opening(Connection, waits: Int16, host: Int, tried: Int, until: ContinuousClock.Instant)
        case open(Connection, wantsWrite: Bool)
    }

    /// What happened to a lane, which the loop has to act on.
    enum Event {
        case opened(host: Int)
        /// No host could be reached.
        case unreachable(StoreError)
        /// An open connection is gone, with the calls it had.
        case lost(StoreError, [Call])
        /// What a listening lane was told.
        case told([String])
    }

    let kind: Call.Kind
    private let target: DatabaseTarget
    private let limits: DatabaseLimits
    private let mailbox: Mailbox
    private var state = State.closed
    private var inFlight: [InFlight] = []

    init(_ kind: Call.Kind, target: DatabaseTarget, limits: DatabaseLimits, mailbox: Mailbox) {
        self.kind = kind
        self.target = target
        self.limits = limits
        self.mailbox = mailbox
    }

    var isClosed: Bool { if case .closed = state { true } else { false } }
    var isOpen: Bool { if case .open = state { true } else { false } }
    var load: Int { inFlight.count }

    /// The socket and what to wait for; nil while there is none.
    var poll: pollfd? {
        switch state {
        case .closed: nil
        case .opening(let connection, let waits, _, _, _):
            pollfd(fd: connection.socket, events: waits, revents: 0)
        case .open(let connection, let wantsWrite):
            pollfd(fd: connection.socket, events: Int16(POLLIN | (wantsWrite ? POLLOUT : 0)), revents: 0)
        }
    }

    /// When `expire` has something to do, unless the socket is ready before.
    var deadline: ContinuousClock.Instant? {
        switch state {
        case .closed: nil
        case .opening(_, _, _, _, let until): until
        case .open: inFlight.first.map { $0.sent + (kind == .writing ? limits.commit : limits.answer) }
        }
    }

    /// Begins to connect, to this host first.
    func open(host: Int, now: ContinuousClock.Instant) -> Event? {
        open(host: host, tried: 1, now: now, fault: nil)
    }

    private func open(host: Int, tried: Int, now: ContinuousClock.Instant, fault: String?) -> Event? {
        let limit = target.connectTimeout.map { Duration.seconds($0) } ?? limits.connect
        guard let connection = Connection(to: target.hosts[host], of: target) else {
            return unreachable("out of memory")
        }
        guard case .waits(let events) = connection.start else {
            return next(after: host, tried: tried, now: now, fault: connection.fault)
        }
        state = .opening(connection, waits: events, host: host, tried: tried, until: now + limit)
        return nil
    }

    /// Goes on to the next host of a round.
    private func next(after host: Int, tried: Int, now: ContinuousClock.Instant, fault: String) -> Event? {
        guard tried < target.hosts.count else { return unreachable(fault) }
        return open(host: (host + 1) % target.hosts.count, tried: tried + 1, now: now, fault: fault)
    }

    private func unreachable(_ fault: String) -> Event {
        state = .closed
        return .unreachable(StoreError(.unreachable, detail: "PostgreSQL: \(fault)"))
    }

    /// Puts a call into the pipeline of the open connection.
    func send(_ call: Call, now: ContinuousClock.Instant) -> Event? {
        guard case .open(let connection, _) = state else { return nil }
        inFlight.append(InFlight(call: call, sent: now))
        guard connection.send(call.statements) else { return lost(connection.fault) }
        return flush(connection)
    }

    private func listen(_ connection: Connection, now: ContinuousClock.Instant) -> Event? {
        inFlight.append(InFlight(call: nil, sent: now))
        guard connection.send([Statement("LISTEN linkedin_signin")]) else { return lost(connection.fault) }
        return flush(connection)
    }

    private func flush(_ connection: Connection) -> Event? {
        guard let isDone = connection.flush() else { return lost(connection.fault) }
        state = .open(connection, wantsWrite: !isDone)
        return nil
    }

    /// Works on what the socket is ready for.
    func work(_ events: Int16, now: ContinuousClock.Instant) -> Event? {
        guard events != 0 else { return nil }
        switch state {
        case .closed: return nil
        case .opening(let connection, _, let host, let tried, let until):
            switch connection.advance() {
            case .waits(let events):
                state = .opening(connection, waits: events, host: host, tried: tried, until: until)
                return nil
            case .open:
                state = .open(connection, wantsWrite: false)
                if kind == .listening, let event = listen(connection, now: now) { return event }
                return .opened(host: host)
            case .failed: return next(after: host, tried: tried, now: now, fault: connection.fault)
            }
        case .open(let connection, let wantsWrite):
            guard connection.receive() else {
                // What arrived before the end still counts.
                return answers(connection) ?? lost(connection.fault)
            }
            if let event = answers(connection) { return event }
            if wantsWrite, let event = flush(connection) { return event }
            let notices = kind == .listening ? connection.notices() : []
            return notices.isEmpty ? nil : .told(notices)
        }
    }

    /// Hands out what has arrived.
    private func answers(_ connection: Connection) -> Event? {
        while !inFlight.isEmpty, let answer = connection.nextAnswer() {
            switch answer {
            case .rows(let rows): inFlight[0].rows.append(rows)
            case .skipped: break
            case .failure(let failure):
                if failure.endsConnection { return lost(failure.message) }
                if inFlight[0].failure == nil { inFlight[0].failure = failure.storeError }
            case .end:
                let first = inFlight.removeFirst()
                if let call = first.call {
                    mailbox.answer(call, first.failure.map { .failure($0) } ?? .success(first.rows))
                }
            }
        }
        return nil
    }

    /// Gives up what takes too long.
    func expire(now: ContinuousClock.Instant) -> Event? {
        guard let deadline, deadline <= now else { return nil }
        switch state {
        case .closed: return nil
        case .opening(_, _, let host, let tried, _):
            return next(after: host, tried: tried, now: now, fault: "the server does not answer")
        case .open: return lost("the server does not answer")
        }
    }

    private func lost(_ fault: String) -> Event {
        state = .closed
        defer { inFlight = [] }
        return .lost(StoreError(.unreachable, detail: "PostgreSQL: \(fault)"), inFlight.compactMap(\.call))
    }

    /// Closes the connection.
    ///
    /// - Returns: the calls that get no answer.
    func close() -> [Call] {
        state = .closed
        defer { inFlight = [] }
        return inFlight.compactMap(\.call)
    }
}
