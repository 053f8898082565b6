import CPostgreSQL
import Glibc
import POSIX
import Sessions
import Synchronization

/// Runs all connections on the one thread that calls `run`.
///
/// While no connection for readers is open, the loop opens only one at a time, so that many machines do not overload a
/// server that comes back. Calls then fail immediately instead of waiting for their limit.
///
/// The same is true while the server acknowledges no write, because it waits for a standby or is a former primary: it keeps each
/// connection whose commit waits, even after this side closed it. No write is sent unless a recent proof was
/// acknowledged. Without one, the watching lane looks at the other hosts in turn and sends a proof to each.
final class ConnectionLoop {
    private enum Availability {
        case unknown
        case up
        case down(StoreError)
    }

    /// When a lane may connect again.
    private struct Retry {
        var at: ContinuousClock.Instant
        var pause: Duration
    }

    private let limits: DatabaseLimits
    private let mailbox: Mailbox
    private let observer: DatabaseClient.Observer
    private let notices: DatabaseClient.Listener?
    private let lanes: [Lane]
    /// The lanes for reads, which are the first ones: each turn of the loop asks only those that matter.
    private let readers: ArraySlice<Lane>
    /// The lanes for writes, spare ones included.
    private let writers: [Lane]
    /// The lane that proves the primary.
    private let watching: Int
    /// Lanes for writes that are opened only while all others are busy.
    private let spareLanes: Range<Int>
    private var retries: [Retry]
    private var waiting: [Call.Kind: [Call]] = [:]
    private var waitingLookUps: [RecordLookUp] = []
    /// Whether the mailbox woke the loop.
    private var hasRung = false
    /// What the system watches: the mailbox, and then the socket of each of these lanes.
    private var polls: [pollfd] = []
    private var polledLanes: [Int] = []
    private var availability = Availability.unknown
    private var preferredHost = 0
    /// When the last proof was sent that the server acknowledged.
    private var acknowledged: ContinuousClock.Instant?
    /// Whether the server answers, but did not acknowledge the last proof.
    private var isStalled = false
    /// Where the watching lane looks for the primary; nil: at the preferred host.
    private var searchedHost: Int?
    private let clock = ContinuousClock()

    init(
        _ target: DatabaseTarget,
        limits: DatabaseLimits,
        mailbox: Mailbox,
        observer: @escaping DatabaseClient.Observer,
        notices: DatabaseClient.Listener?,
        isService: Bool,
        lookUp: @escaping DatabaseClient.LookUp
    ) {
        self.limits = limits
        self.mailbox = mailbox
        self.observer = observer
        self.notices = notices
        let kinds =
            Array(repeating: Call.Kind.reading, count: limits.readers)
            + Array(repeating: .writing, count: limits.writers)
            + [.watching]
            + Array(repeating: .writing, count: limits.spareWriters)
        watching = limits.readers + limits.writers
        spareLanes = kinds.count - limits.spareWriters..<kinds.count
        let introduction =
            (notices == nil ? [] : [Statement("LISTEN linkedin_signin")])
            + (isService ? [AdvisoryLock.service.sharing] : [])
        let (timelines, resolver) = (Timelines(), Resolver(lookUp, wake: mailbox.ring))
        lanes = kinds.map {
            Lane(
                $0,
                target: target,
                limits: limits,
                mailbox: mailbox,
                timelines: timelines,
                resolver: resolver,
                introduction: introduction
            )
        }
        readers = lanes.prefix(limits.readers)
        writers = lanes.filter { $0.kind == .writing }
        retries = lanes.map { [now = clock.now] _ in Retry(at: now, pause: limits.firstPause) }
    }

    /// Works until the mailbox is stopped.
    func run() {
        while let arrived = mailbox.collect(hasRung: hasRung) {
            for call in arrived.calls { accept(call) }
            accept(arrived.lookUps)
            let now = clock.now
            for index in lanes.indices where lanes[index].isResolving {
                handle(lanes[index].resolve(now: now), of: index)
            }
            judgeProof(now: now)
            connect(now: now)
            if isStalled { prove(now: now) }
            dispatch(now: now)
            wait(now: now)
        }
        let stopped = StoreError(.unreachable, detail: "the program is stopping")
        for lane in lanes { fail(lane.close(), stopped) }
        failWaiting(stopped)
        let rest = mailbox.remainder()
        for call in rest.calls { mailbox.answer(call, .failure(stopped)) }
        mailbox.fail(rest.lookUps, stopped)
        mailbox.end.announce()
    }

    private func accept(_ call: Call) {
        if case .down(let error) = availability {
            mailbox.answer(call, .failure(error))
        } else {
            waiting[call.kind, default: []].append(call)
        }
    }

    private func accept(_ lookUps: [RecordLookUp]) {
        if case .down(let error) = availability {
            mailbox.fail(lookUps, error)
        } else {
            waitingLookUps += lookUps
        }
    }

    // MARK: - Connecting

    private func connect(now: ContinuousClock.Instant) {
        for index in lanes.indices where lanes[index].isClosed && retries[index].at <= now {
            guard isWanted(index, now) else {
                // The spare lanes are the last ones, and none of them is needed.
                if spareLanes.contains(index) { break }
                continue
            }
            let host = index == watching ? searchedHost ?? preferredHost : preferredHost
            handle(lanes[index].open(host: host, now: now), of: index)
        }
    }

    /// Whether a closed lane is to be opened.
    private func isWanted(_ index: Int, _ now: ContinuousClock.Instant) -> Bool {
        guard canRead else { return index == 0 }
        if isStalled, lanes[index].kind == .writing { return false }
        guard spareLanes.contains(index) else { return true }
        return needsSpareLane(now)
    }

    private func needsSpareLane(_ now: ContinuousClock.Instant) -> Bool {
        if writers.contains(where: \.isReadyOrOpening) { return false }
        // A server that acknowledges nothing, because it waits for a standby, must not get more connections that wait: it keeps
        // each of them even after this side gave up.
        return writers.contains { ($0.lastAnswer.map { now - $0 < limits.flow } ?? false) }
    }

    /// Without a connection for readers the database counts as unreachable, even if other connections seem to be open:
    /// perhaps nothing was sent on them since the network failed.
    private var canRead: Bool {
        readers.contains(where: \.isOpen)
    }

    private func handle(_ event: Lane.Event?, of index: Int) {
        switch event {
        case nil: break
        case .opened:
            preferredHost = lanes[index].host
            if index == watching { searchedHost = nil }
            retries[index].pause = limits.firstPause
            // This server may have shown that another one is a former primary.
            for other in lanes.indices { handle(lanes[other].leaveFormerPrimary(), of: other) }
            if lanes[index].kind == .reading { comeUp() }
        case .unproven(let error, let work):
            fail(work, error)
            notices?(.lost)
            stall(error)
        case .told(let messages): for message in messages { notices?(.message(message)) }
        case .unreachable(let error):
            postpone(index)
            if !canRead { goDown(error) }
        case .lost(let error, let work):
            fail(work, error)
            // Notifications sent in the meantime are lost.
            if lanes[index].kind == .watching { notices?(.lost) }
            retries[index] = Retry(at: clock.now + random(below: limits.firstPause), pause: limits.firstPause)
        }
    }

    private func postpone(_ index: Int) {
        let pause = retries[index].pause
        retries[index].at = clock.now + pause / 2 + random(below: pause / 2)
        retries[index].pause = min(pause * 2, limits.longestPause)
    }

    /// Uses the database again, as soon as it can be read and acknowledges writes.
    private func comeUp() {
        if case .up = availability { return }
        // The other lanes follow, one after the other; in a stall, the watching lane has to be the first.
        for index in lanes.indices where lanes[index].isClosed {
            retries[index] = Retry(at: clock.now + random(below: limits.firstPause), pause: limits.firstPause)
        }
        guard canRead, !isStalled else { return }
        availability = .up
        observer(.reachable)
    }

    private func goDown(_ error: StoreError) {
        if case .down = availability {} else { observer(.unreachable(error)) }
        availability = .down(error)
        failWaiting(error)
        // The lane may be waiting for an answer of a server that is gone.
        for index in lanes.indices where lanes[index].kind == .watching && lanes[index].isOpen {
            handle(.lost(error, lanes[index].close()), of: index)
        }
    }

    /// Gateways that lost the same server must not all reconnect in the same millisecond.
    private func random(below limit: Duration) -> Duration {
        limit * Double.random(in: 0..<1)
    }

    // MARK: - The proof of the primary

    /// Lets the server prove that it acknowledges writes, unless a proof is under way.
    private func prove(now: ContinuousClock.Instant) {
        guard lanes[watching].isOpen, lanes[watching].load == 0 else { return }
        handle(lanes[watching].send(.proof, now: now), of: watching)
    }

    private func judgeProof(now: ContinuousClock.Instant) {
        guard let proof = lanes[watching].takeProof() else { return }
        if proof.isWritten {
            acknowledged = proof.sent
            isStalled = false
            comeUp()
        } else if !isAcknowledged(now) {
            stall(.unacknowledged)
        }
    }

    /// Whether a write may be sent.
    private func isAcknowledged(_ now: ContinuousClock.Instant) -> Bool {
        acknowledged.map { now - $0 < limits.acknowledgement } ?? false
    }

    /// Stops using a server that acknowledges no write, or whose sessions move, and looks at the next host.
    private func stall(_ error: StoreError) {
        isStalled = true
        goDown(error)
        searchedHost = lanes[watching].nextHost
        retries[watching].pause = limits.longestPause
        postpone(watching)
    }

    // MARK: - Calls

    private func dispatch(now: ContinuousClock.Instant) {
        for kind in Call.Kind.allCases {
            guard let calls = waiting[kind], !calls.isEmpty else { continue }
            guard kind != .writing || isAcknowledged(now) else {
                prove(now: now)
                continue
            }
            var sent = 0
            while sent < calls.count, let index = freeLane(kind) {
                handle(lanes[index].send(.call(calls[sent]), now: now), of: index)
                sent += 1
            }
            waiting[kind]?.removeFirst(sent)
        }
        while let index = laneForLookUps(of: waitingLookUps.count, now) {
            let some = Array(waitingLookUps.prefix(limits.lookUps))
            waitingLookUps.removeFirst(some.count)
            handle(lanes[index].send(.lookUps(some), now: now), of: index)
        }
    }

    /// A lane for so many look-ups; nil if they wait, to be sent together.
    private func laneForLookUps(of count: Int, _ now: ContinuousClock.Instant) -> Int? {
        guard count >= limits.crowd || (count > 0 && !isLookUpRecent(now)) else { return nil }
        return readers.firstIndex { $0.isOpen && $0.load < limits.depth && $0.lookUpsSent == nil }
    }

    private func isLookUpRecent(_ now: ContinuousClock.Instant) -> Bool {
        oldestLookUp.map { now - $0 < limits.crowdPatience } ?? false
    }

    /// When the first look-ups under way were sent.
    private var oldestLookUp: ContinuousClock.Instant? {
        var oldest: ContinuousClock.Instant?
        for lane in readers {
            if let sent = lane.lookUpsSent { oldest = oldest.map { min($0, sent) } ?? sent }
        }
        return oldest
    }

    /// The open lane with the fewest calls under way; nil if all are full.
    private func freeLane(_ kind: Call.Kind) -> Int? {
        let candidates = lanes.indices.filter {
            lanes[$0].kind == kind && lanes[$0].isOpen && lanes[$0].load < limits.depth
        }
        return candidates.min { lanes[$0].load < lanes[$1].load }
    }

    private func fail(_ work: [Work], _ error: StoreError) {
        for one in work { mailbox.answer(one, .failure(error)) }
    }

    private func failWaiting(_ error: StoreError) {
        for kind in Call.Kind.allCases {
            fail((waiting[kind] ?? []).map(Work.call), error)
            waiting[kind] = []
        }
        mailbox.fail(waitingLookUps, error)
        waitingLookUps = []
    }

    // MARK: - Waiting

    private func wait(now: ContinuousClock.Instant) {
        polls.removeAll(keepingCapacity: true)
        polledLanes.removeAll(keepingCapacity: true)
        polls.append(pollfd(fd: mailbox.alarm, events: Int16(POLLIN), revents: 0))
        for index in lanes.indices {
            guard let poll = lanes[index].poll else { continue }
            polls.append(poll)
            polledLanes.append(index)
        }
        mailbox.openConnections.store(lanes.count(where: \.isOpen), ordering: .relaxed)
        let deadline = nextDeadline(now)
        let canRest = mailbox.rest(rest(now))
        // unsafe because the system call writes into the array, whose length it is told.
        let count = unsafe poll(&polls, nfds_t(polls.count), canRest ? Self.milliseconds(from: now, to: deadline) : 0)
        hasRung = polls[0].revents != 0
        let end = clock.now
        if count > 0 {
            for (position, index) in polledLanes.enumerated() where polls[position + 1].revents != 0 {
                handle(lanes[index].work(polls[position + 1].revents, now: end), of: index)
            }
        }
        if let deadline, deadline <= end { expire(now: end) }
    }

    /// What has to wake the loop, in addition to answers.
    private func rest(_ now: ContinuousClock.Instant) -> Mailbox.Rest {
        if oldestLookUp == nil || laneForLookUps(of: 1, now) != nil { return .until(lookUps: 1) }
        guard laneForLookUps(of: limits.crowd, now) != nil else { return .untilCall }
        return .until(lookUps: limits.crowd - waitingLookUps.count)
    }

    /// When something has to be given up, tried again or sent, unless an answer comes before.
    private func nextDeadline(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        var next: ContinuousClock.Instant?
        func consider(_ instant: ContinuousClock.Instant?) {
            if let instant { next = next.map { min($0, instant) } ?? instant }
        }
        for lane in lanes where !lane.isClosed { consider(lane.deadline) }
        let wanted = needsSpareLane(now) ? lanes.indices : 0..<spareLanes.lowerBound
        for index in wanted where lanes[index].isClosed && isWanted(index, now) { consider(retries[index].at) }
        for calls in waiting.values where !calls.isEmpty { consider(calls[0].deadline) }
        consider(waitingLookUps.first?.deadline)
        // Look-ups may wait in the mailbox, too.
        if isLookUpRecent(now) { consider(oldestLookUp.map { $0 + limits.crowdPatience }) }
        return next
    }

    /// For the system: -1 if there is no deadline.
    private static func milliseconds(from now: ContinuousClock.Instant, to deadline: ContinuousClock.Instant?) -> Int32
    {
        guard let deadline else { return -1 }
        // Rounded up, so that the deadline is over when the wait is.
        return Int32(max(0, min(60_000, (now.duration(to: deadline) / .milliseconds(1)).rounded(.up))))
    }

    private func expire(now: ContinuousClock.Instant) {
        for index in lanes.indices { handle(lanes[index].expire(now: now), of: index) }
        let late = StoreError(.unreachable, detail: "PostgreSQL: no connection became free in time")
        for kind in Call.Kind.allCases {
            guard let calls = waiting[kind] else { continue }
            let count = calls.prefix { $0.deadline <= now }.count
            guard count > 0 else { continue }
            fail(calls.prefix(count).map(Work.call), late)
            waiting[kind]?.removeFirst(count)
        }
        let count = waitingLookUps.prefix { $0.deadline <= now }.count
        mailbox.fail(Array(waitingLookUps.prefix(count)), late)
        waitingLookUps.removeFirst(count)
    }
}
