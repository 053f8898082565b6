import HTTP

extension Worker {
    /// Goes on with a connection whose peer did something.
    mutating func resume(_ number: Int32) {
        // Not there if it was closed meanwhile and the event is a stale one.
        guard let connection = engine.parked.remove(number) else { return }
        if connection.stage == .sending {
            send(connection)
        } else if connection.assembly != nil {
            assemble(connection)
        } else {
            receive(connection)
        }
    }

    /// Looks whether a whole request is there; if so libfcgi reads it from the socket without ever waiting.
    mutating func receive(_ connection: Connection) {
        switch input.receive(from: connection.number, peeking: true) {
        case .closed: return
        case .nothingYet: return parkIdle(connection)
        case .bytes(let count):
            var scanner = makeScanner()
            let progress = scanner.scan(input.prefix(count).span)
            // What follows the request in the socket would be lost in libfcgi's buffer.
            guard progress.isComplete, scanner.problem == nil,
                progress == .complete(consumed: count) || scanner.role == .authorizer
            else { return begin(connection) }
            serve(connection, scanner, from: connection.number)
        }
    }

    private func makeScanner() -> RequestScanner {
        RequestScanner(
            parameterLimit: engine.configuration.parameterLimit,
            bodyLimit: engine.configuration.bodyLimit
        )
    }

    private func parkIdle(_ connection: Connection) {
        let configuration = engine.configuration
        if connection.isKept {
            guard engine.isServing else { return }
            engine.park(connection, .idle, within: configuration.idleTimeout)
        } else {
            engine.park(connection, .idle, within: configuration.requestTimeout)
        }
    }

    /// Begins to put a request together that is not there whole, or not alone.
    private mutating func begin(_ connection: Connection) {
        // A kept connection was allowed to be silent; from its first byte on the request is timed.
        if connection.isKept { connection.deadline = .now + engine.configuration.requestTimeout }
        connection.assembly = Assembly(scanner: makeScanner())
        assemble(connection)
    }

    /// Reads what is there of a request.
    private mutating func assemble(_ connection: Connection) {
        while true {
            switch input.receive(from: connection.number, peeking: false) {
            case .closed: return engine.forget(connection)
            case .nothingYet:
                return engine.park(connection, .receiving, within: engine.configuration.requestTimeout)
            case .bytes(let count):
                if take(input.prefix(count).span, connection) { return }
            }
        }
    }

    /// Adds bytes to a request; true if that ended it, well or badly.
    private mutating func take(_ bytes: Span<UInt8>, _ connection: Connection) -> Bool {
        // Out of the connection for the while, so that the records are not copied.
        guard var assembly = connection.assembly else { return true }
        connection.assembly = nil
        let held = assembly.held
        let progress = assembly.take(bytes)
        let unfinished = engine.count(unfinished: assembly.held - held)
        if progress == .incomplete, assembly.size <= engine.configuration.discardLimit,
            unfinished <= engine.configuration.unfinishedLimit
        {
            connection.assembly = assembly
            return false
        }
        engine.count(unfinished: -assembly.held)
        switch progress {
        case .incomplete where unfinished > engine.configuration.unfinishedLimit: engine.tell(.memoryExhausted)
        case .incomplete, .complete: finish(assembly, connection, isWhole: progress.isComplete)
        case .refused(.aborted): break
        case .refused(let refusal): engine.tell(.recordRefused(refusal))
        }
        return true
    }

    /// Hands a request on that has been put together, or answers one that is over its bounds.
    private mutating func finish(_ assembly: Assembly, _ connection: Connection, isWhole: Bool) {
        switch assembly.scanner.problem {
        case nil:
            guard isWhole else { return engine.tell(.recordRefused(.oversized)) }
            if assembly.hasSurplus, assembly.scanner.role != .authorizer {
                engine.tell(.recordRefused(.early))
            }
            guard let copy = spool?.copy(holding: assembly.records) else { return engine.tell(.memoryExhausted) }
            serve(connection, assembly.scanner, from: copy, isLast: assembly.hasSurplus)
        case .unknownRole:
            let answer = MinimalRequest.unknownRoleAnswer(requestID: assembly.scanner.requestID)
            connection.deadline = nil
            let keeps = isWhole && !assembly.hasSurplus && assembly.scanner.keepsConnection
            connection.outgoing = Outgoing(answer, keepsConnection: keeps)
            send(connection)
        case .parametersTooLarge: reject(assembly, connection, isWhole, .headerFieldsTooLarge, .parametersTooLarge)
        case .parametersMalformed: reject(assembly, connection, isWhole, .badRequest, .parametersMalformed)
        case .bodyTooLarge where engine.configuration.asksWithoutBody: serveWithoutBody(assembly, connection, isWhole)
        case .bodyTooLarge: reject(assembly, connection, isWhole, .contentTooLarge, .bodyTooLarge)
        }
    }
}
