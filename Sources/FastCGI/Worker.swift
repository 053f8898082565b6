import Glibc
import HTTP
import POSIX

/// One of a server's threads: takes what is ready, runs handlers and writes answers, and never waits for a peer.
struct Worker: ~Copyable {
    /// An answer of at most this many bytes fits into the empty buffer of any socket, so it is written directly.
    private static let directLimit = 32 << 10

    private let engine: Engine
    /// What the server does now; this worker replaces it between two events.
    private var service: Service
    private let progress: WorkerProgress
    private var input = InputBuffer()
    /// The answer that is written.
    private var output: [UInt8] = []
    /// Exchanges that can be used again.
    private var exchanges: [Exchange] = []
    /// Made when first needed; nil if the system has no memory for it.
    private lazy var spool = try? Spool()
    private var nextID = UInt64.random(in: 0...UInt64.max)

    init(engine: Engine, progress: WorkerProgress) {
        self.engine = engine
        self.progress = progress
        service = engine.service
    }

    /// Works until the server has stopped.
    mutating func run() {
        while !engine.isStopped {
            let event = engine.epoll.wait()
            progress.beginOrEnd()
            // One load of a number that almost never changes, instead of a lock for each request.
            if service.number != engine.serviceNumber { service = engine.service }
            switch event {
            case .listener(let index): engine.accept(from: index, for: service) { receive($0) }
            case .connection(let number): resume(number)
            case .completions: finishSuspended()
            case .stop, nil: break
            }
            progress.beginOrEnd()
        }
    }

    // MARK: - Receiving

    /// Continues with a connection whose descriptor is ready.
    private mutating func resume(_ number: Int32) {
        // Nil if the connection was closed meanwhile and the event is stale.
        guard let connection = engine.parked.remove(number) else { return }
        if connection.stage == .sending {
            send(connection)
        } else if connection.partialRequest != nil {
            continuePartialRequest(connection)
        } else if connection.admission == service.number || engine.readmits(connection, for: service) {
            receive(connection)
        }
    }

    /// Looks at what has arrived; libfcgi reads a complete request from the socket without waiting.
    private mutating func receive(_ connection: Connection) {
        switch input.receive(from: connection.number, peeking: true) {
        case .closed: return
        case .nothingYet: return parkIdle(connection)
        case .bytes(let count):
            var scanner = makeScanner()
            let progress = scanner.scan(input.prefix(count).span)
            // libfcgi would read bytes behind the request into its buffer, and they would be lost.
            guard progress.isComplete, scanner.problem == nil,
                progress == .complete(consumed: count) || scanner.role == .authorizer
            else { return beginPartialRequest(connection) }
            serve(connection, scanner, from: connection.number)
        }
    }

    private func makeScanner() -> RequestScanner {
        RequestScanner(parameterLimit: service.options.parameterLimit, bodyLimit: service.options.bodyLimit)
    }

    private func parkIdle(_ connection: Connection) {
        if connection.isKept {
            guard engine.isServing else { return }
            engine.park(connection, .idle, within: service.options.idleTimeout)
        } else {
            engine.park(connection, .idle, within: service.options.requestTimeout)
        }
    }

    /// Begins a request that has arrived partially, or with other bytes behind it: from here on, the worker reads it.
    private mutating func beginPartialRequest(_ connection: Connection) {
        // A kept connection may be idle for long; the request timeout starts at the first byte.
        if connection.isKept { connection.deadline = .now + service.options.requestTimeout }
        connection.partialRequest = PartialRequest(scanner: makeScanner())
        continuePartialRequest(connection)
    }

    /// Reads what has arrived of a partial request.
    private mutating func continuePartialRequest(_ connection: Connection) {
        while true {
            switch input.receive(from: connection.number, peeking: false) {
            case .closed: return engine.discardPartialRequest(of: connection)
            case .nothingYet:
                return engine.park(connection, .receiving, within: service.options.requestTimeout)
            case .bytes(let count):
                if append(input.prefix(count).span, connection) { return }
            }
        }
    }

    /// Adds bytes to the partial request; returns true if that completed the request or made it unusable.
    private mutating func append(_ bytes: Span<UInt8>, _ connection: Connection) -> Bool {
        // Moved out of the connection, so that the records are not copied.
        guard var request = connection.partialRequest else { return true }
        connection.partialRequest = nil
        let heldBefore = request.held
        let progress = request.append(bytes)
        let unfinished = engine.addUnfinished(bytes: request.held - heldBefore)
        if progress == .incomplete, request.size <= service.options.discardLimit,
            unfinished <= service.options.unfinishedLimit
        {
            connection.partialRequest = request
            return false
        }
        engine.addUnfinished(bytes: -request.held)
        switch progress {
        case .incomplete where unfinished > service.options.unfinishedLimit: engine.tell(.memoryExhausted)
        case .incomplete, .complete: finish(request, connection, isWhole: progress.isComplete)
        case .refused(.aborted): break
        case .refused(let refusal): engine.tell(.recordRefused(refusal))
        }
        return true
    }

    /// Serves a request that was read by this worker, or answers one that is over its limits.
    private mutating func finish(_ request: PartialRequest, _ connection: Connection, isWhole: Bool) {
        switch request.scanner.problem {
        case nil:
            guard isWhole else { return engine.tell(.recordRefused(.oversized)) }
            if request.hasSurplus, request.scanner.role != .authorizer {
                engine.tell(.recordRefused(.early))
            }
            guard let copy = spool?.copy(holding: request.records) else { return engine.tell(.memoryExhausted) }
            serve(connection, request.scanner, from: copy, isLast: request.hasSurplus)
        case .unknownRole:
            let answer = MinimalRequest.unknownRoleAnswer(requestID: request.scanner.requestID)
            connection.deadline = nil
            let keeps = isWhole && !request.hasSurplus && request.scanner.keepsConnection
            connection.partialAnswer = PartialAnswer(answer, keepsConnection: keeps)
            send(connection)
        case .parametersTooLarge: reject(request, connection, isWhole, .headerFieldsTooLarge, .parametersTooLarge)
        case .parametersMalformed: reject(request, connection, isWhole, .badRequest, .parametersMalformed)
        case .bodyTooLarge where service.options.asksWithoutBody: serveWithoutBody(request, connection, isWhole)
        case .bodyTooLarge: reject(request, connection, isWhole, .contentTooLarge, .bodyTooLarge)
        }
    }

    // MARK: - Serving

    /// Lets libfcgi parse the complete request that a descriptor contains, and runs the handler.
    private mutating func serve(
        _ connection: Connection,
        _ scanner: RequestScanner,
        from number: Int32,
        isLast: Bool = false
    ) {
        guard let exchange = parse(connection, scanner, from: number, isLast: isLast) else { return }
        let isBodyOmitted = scanner.problem == .bodyTooLarge
        let bodySize = isBodyOmitted ? 0 : scanner.bodySize
        let role: Request.Role = scanner.role == .authorizer ? .authorizer : .responder
        // The body of an authorizer's request is for the responder that the web server asks next.
        let body = role == .authorizer ? [] : exchange.readBody(size: bodySize)
        endReading(number, connection)
        guard role == .authorizer || body.count == bodySize else { return drop(exchange) }
        var variables = CGIRequest()
        exchange.forEachVariable { variables.add($0) }
        if let id = variables.id { exchange.id = id }
        let remoteAddress = variables.remoteAddress
        if isBodyOmitted { engine.tell(.rejected(exchange.id, .bodyTooLarge, remoteAddress: remoteAddress)) }
        do {
            var request = try variables.request(id: exchange.id, role: role, body: body)
            request.isBodyOmitted = isBodyOmitted
            if role == .authorizer, !scanner.hasNoBody { request.mayHaveBody = true }
            CGIRequest.addAuthorization(
                to: &request,
                at: service.options.authorizationPath,
                exchange.forEachVariable
            )
            CGIRequest.countVariables(
                of: &request,
                at: service.options.describedPath,
                exchange.forEachVariable
            )
            exchange.method = request.method
            startHandler(exchange, request)
        } catch {
            engine.tell(.rejected(exchange.id, error.reason, remoteAddress: remoteAddress))
            answer(exchange, CGIResponse.plain(.badRequest))
        }
    }

    /// Lets libfcgi parse the parameters of a request whose body is over the limit, and runs the handler.
    private mutating func serveWithoutBody(_ request: PartialRequest, _ connection: Connection, _ isWhole: Bool) {
        let records = request.records + MinimalRequest.emptyBody(requestID: request.scanner.requestID)
        guard let copy = spool?.copy(holding: records) else { return engine.tell(.memoryExhausted) }
        serve(connection, request.scanner, from: copy, isLast: !isWhole || request.hasSurplus)
    }

    /// Answers a request that libfcgi must not see; libfcgi gets a request without content in its place.
    private mutating func reject(
        _ request: PartialRequest,
        _ connection: Connection,
        _ isWhole: Bool,
        _ status: Status,
        _ reason: ServerEvent.Rejection
    ) {
        let scanner = request.scanner
        let records = MinimalRequest.records(requestID: scanner.requestID, role: scanner.role)
        guard let copy = spool?.copy(holding: records) else { return engine.tell(.memoryExhausted) }
        let isLast = !isWhole || request.hasSurplus
        guard let exchange = parse(connection, scanner, from: copy, isLast: isLast) else { return }
        endReading(copy, connection)
        // The parameters were not parsed, so the address is not known.
        engine.tell(.rejected(exchange.id, reason, remoteAddress: ""))
        answer(exchange, CGIResponse.plain(status))
    }

    /// Lets libfcgi parse; returns nil and closes everything if it cannot.
    private mutating func parse(
        _ connection: Connection,
        _ scanner: RequestScanner,
        from number: Int32,
        isLast: Bool
    ) -> Exchange? {
        connection.deadline = nil
        let exchange = makeExchange(for: connection)
        let isParsed = exchange.parse(from: number)
        connection.isClosedByLibrary = !isParsed && number == connection.number
        guard isParsed, !exchange.isTruncated else {
            if isParsed { endReading(number, connection) }
            drop(exchange)
            return nil
        }
        // The body of an authorizer's request may follow or not, so a next request could not be recognized.
        connection.mayHaveInput = scanner.role == .authorizer || isLast
        exchange.keepsConnection = scanner.keepsConnection && scanner.role == .responder && !isLast
        return exchange
    }

    /// Closes the descriptor that libfcgi read from, unless it is the connection's.
    private mutating func endReading(_ number: Int32, _ connection: Connection) {
        if number != connection.number { spool?.close(copy: number) }
    }

    /// Closes a connection whose request turned out to be incomplete.
    private mutating func drop(_ exchange: Exchange) {
        exchange.release()
        recycle(exchange)
    }

    /// Starts the handler on this thread; if the handler waits, the worker continues without it.
    private mutating func startHandler(_ exchange: Exchange, _ request: Request) {
        let responder = service.responder
        progress.countRequest()
        exchange.route = responder.route(of: request)
        switch responder.respondAtOnce(to: request, or: exchange) {
        case .now(let response): answer(exchange, response)
        case .later: answerOrSuspend(exchange, nil)
        case .needsTask: answerOrSuspend(exchange, Task.immediate { await exchange.run(responder, request) })
        }
    }

    /// Answers if the answer is there; otherwise the worker continues without it.
    private mutating func answerOrSuspend(_ exchange: Exchange, _ task: Task<Void, Never>?) {
        if !exchange.isCompleted {
            engine.suspended.insert(exchange, task)
            if exchange.suspend() { return }
            // False if the exchange was abandoned meanwhile, at the end of the grace time.
            guard engine.suspended.remove(exchange) else { return }
        }
        answer(exchange)
    }

    /// Answers the exchanges whose handlers have returned on another thread, unless they were abandoned meanwhile.
    private mutating func finishSuspended() {
        engine.completions.shareWork()
        while let exchange = engine.completions.pop() {
            if engine.suspended.remove(exchange) { answer(exchange) }
        }
    }

    // MARK: - Answering

    /// Sends the answer of the handler, or 500 if it threw.
    private mutating func answer(_ exchange: Exchange) {
        switch exchange.result {
        case .success(let response):
            answer(exchange, response)
        case .failure(let error):
            engine.tell(.handlerFailed(exchange.id, errorType: "\(type(of: error))"))
            answer(exchange, CGIResponse.plain(.internalServerError))
        case nil:
            answer(exchange, exchange.makeAnswer?() ?? CGIResponse.plain(.internalServerError))
        }
    }

    /// Writes an answer and continues with the connection.
    private mutating func answer(_ exchange: Exchange, _ response: Response) {
        let options = service.options
        let limit = response.hasForeignHeader ? options.foreignHeaderLimit : options.answerHeaderLimit
        let (method, id) = (exchange.method, exchange.id)
        let status = CGIResponse.encode(response, to: method, id: id, limit: limit, into: &output, tell: engine.tell)
        // A long answer is rare and would occupy the memory of all workers.
        defer { if output.capacity > 2 * Self.directLimit { output = [] } }
        let notes = engine.notes.take(for: exchange.id)
        guard let connection = exchange.connection else { return recycle(exchange) }
        let keeps = exchange.keepsConnection
        if output.count <= Self.directLimit {
            let isWritten = exchange.write(output, note: notes.text, to: connection.number)
            count(exchange, status, notes.reason)
            recycle(exchange)
            if isWritten { proceed(connection, keeps: keeps) }
        } else {
            let records = spool?.contents { exchange.write(output, note: notes.text, to: $0) }
            count(exchange, status, notes.reason)
            recycle(exchange)
            guard let records else { return engine.tell(.memoryExhausted) }
            connection.partialAnswer = PartialAnswer(records, keepsConnection: keeps)
            send(connection)
        }
    }

    /// Counts an answer, with the reason why the request was refused.
    private func count(_ exchange: Exchange, _ status: Int, _ reason: String?) {
        let duration = MonotonicClock.nanoseconds &- exchange.began
        let route = exchange.route
        progress.answers.count(route: route, status: status, hasReason: reason != nil, duration: duration)
        if let reason { engine.refusals.count(route: route, status: status, reason: reason) }
    }

    /// Sends what the peer takes of a long answer, and keeps the rest until it takes more.
    private mutating func send(_ connection: Connection) {
        switch connection.partialAnswer?.send(to: connection.number) {
        case .blocked: engine.park(connection, .sending, within: service.options.answerTimeout)
        case .failed, nil: return
        case .done:
            let keeps = connection.partialAnswer?.keepsConnection ?? false
            connection.partialAnswer = nil
            proceed(connection, keeps: keeps)
        }
    }

    /// Waits for the next request, or closes the connection.
    private mutating func proceed(_ connection: Connection, keeps: Bool) {
        connection.deadline = nil
        guard keeps, engine.isServing else { return discardInput(of: connection) }
        connection.isKept = true
        engine.park(connection, .idle, within: service.options.idleTimeout)
    }

    /// Reads what is left in the socket, because the system discards the answer if a socket is closed with input unread.
    private mutating func discardInput(of connection: Connection) {
        guard connection.mayHaveInput else { return }
        _ = shutdown(connection.number, Int32(SHUT_WR))
        for _ in 0..<16 {
            guard case .bytes = input.receive(from: connection.number, peeking: false) else { return }
        }
    }

    // MARK: - Exchanges

    /// An exchange for a connection, reused if possible.
    private mutating func makeExchange(for connection: Connection) -> Exchange {
        let exchange = exchanges.popLast() ?? Exchange(engine.completions)
        exchange.begin(makeID(), connection)
        return exchange
    }

    private mutating func recycle(_ exchange: Exchange) {
        exchange.reset()
        if exchanges.count < 8 { exchanges.append(exchange) }
    }

    /// A number for a request (SplitMix64), because the system's generator would cost a system call for each.
    private mutating func makeID() -> RequestID {
        nextID &+= 0x9e37_79b9_7f4a_7c15
        var mixed = nextID
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return RequestID(mixed ^ (mixed >> 31))
    }
}
