import HTTP

extension Worker {
    /// Lets libfcgi parse a request that a descriptor holds whole, and asks the handler.
    mutating func serve(
        _ connection: Connection,
        _ scanner: RequestScanner,
        from number: Int32,
        isLast: Bool = false
    ) {
        guard let exchange = parse(connection, scanner, from: number, isLast: isLast) else { return }
        let isBodyOmitted = scanner.problem == .bodyTooLarge
        let bodySize = isBodyOmitted ? 0 : scanner.bodySize
        let role: Request.Role = scanner.role == .authorizer ? .authorizer : .responder
        // An authorizer's body belongs to the responder behind it.
        let body = role == .authorizer ? [] : exchange.readBody(size: bodySize)
        endReading(number, connection)
        guard role == .authorizer || body.count == bodySize else { return drop(exchange) }
        var variables = CGIRequest()
        exchange.forEachVariable { variables.add($0) }
        let remoteAddress = variables.remoteAddress
        if isBodyOmitted { engine.tell(.rejected(exchange.id, .bodyTooLarge, remoteAddress: remoteAddress)) }
        do {
            var request = try variables.request(id: exchange.id, role: role, body: body)
            request.isBodyOmitted = isBodyOmitted
            exchange.method = request.method
            ask(exchange, request)
        } catch {
            engine.tell(.rejected(exchange.id, error.reason, remoteAddress: remoteAddress))
            answer(exchange, CGIResponse.plain(.badRequest))
        }
    }

    /// Lets libfcgi parse the parameters of a request whose body is not kept, and asks the handler.
    mutating func serveWithoutBody(_ assembly: Assembly, _ connection: Connection, _ isWhole: Bool) {
        let records = assembly.records + MinimalRequest.emptyBody(requestID: assembly.scanner.requestID)
        guard let copy = spool?.copy(holding: records) else { return engine.tell(.memoryExhausted) }
        serve(connection, assembly.scanner, from: copy, isLast: !isWhole || assembly.hasSurplus)
    }

    /// Answers a request that libfcgi must not see, by way of one without content.
    mutating func reject(
        _ assembly: Assembly,
        _ connection: Connection,
        _ isWhole: Bool,
        _ status: Status,
        _ reason: ServerEvent.Rejection
    ) {
        let scanner = assembly.scanner
        let records = MinimalRequest.records(requestID: scanner.requestID, role: scanner.role)
        guard let copy = spool?.copy(holding: records) else { return engine.tell(.memoryExhausted) }
        let isLast = !isWhole || assembly.hasSurplus
        guard let exchange = parse(connection, scanner, from: copy, isLast: isLast) else { return }
        endReading(copy, connection)
        // The parameters, and so the address, were not parsed.
        engine.tell(.rejected(exchange.id, reason, remoteAddress: ""))
        answer(exchange, CGIResponse.plain(status))
    }

    /// Lets libfcgi parse; nil if it could not, with everything closed.
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
        // An authorizer's body may follow or not, so nothing can be told apart behind it.
        connection.mayHaveInput = scanner.role == .authorizer || isLast
        exchange.keepsConnection = scanner.keepsConnection && scanner.role == .responder && !isLast
        return exchange
    }

    /// Lets go of what libfcgi read from, if that was not the connection itself.
    private mutating func endReading(_ number: Int32, _ connection: Connection) {
        if number != connection.number { spool?.close(copy: number) }
    }

    /// Closes a connection whose request has turned out to be a part of one.
    private mutating func drop(_ exchange: Exchange) {
        exchange.release()
        recycle(exchange)
    }

    /// Starts the handler on this thread; one that waits goes on without it.
    private mutating func ask(_ exchange: Exchange, _ request: Request) {
        let engine = engine
        let task = Task.immediate {
            await exchange.run(engine.handler, request) { engine.completions.push($0) }
        }
        if !exchange.isCompleted {
            engine.suspended.insert(exchange, task)
            if exchange.suspend() { return }
            // Not there if it was given up meanwhile, at the end of the grace time.
            guard engine.suspended.remove(exchange) else { return }
        }
        answer(exchange)
    }

    /// Answers what handlers have finished elsewhere.
    mutating func finishSuspended() {
        while let exchange = engine.completions.pop() {
            // Not there if it was given up at the end of the grace time.
            if engine.suspended.remove(exchange) { answer(exchange) }
        }
    }
}
