import Glibc
import HTTP

extension Worker {
    /// An answer that fits into any socket's empty buffer is written at once; a longer one might have to wait.
    private static let directLimit = 32 << 10

    /// Answers with what the handler returned, or with 500 if it threw.
    mutating func answer(_ exchange: Exchange) {
        switch exchange.result {
        case .success(let response):
            answer(exchange, response)
        case .failure(let error):
            engine.tell(.handlerFailed(exchange.id, errorType: "\(type(of: error))"))
            answer(exchange, CGIResponse.plain(.internalServerError))
        case nil:
            answer(exchange, CGIResponse.plain(.internalServerError))
        }
    }

    /// Writes an answer and goes on with the connection.
    mutating func answer(_ exchange: Exchange, _ response: Response) {
        let configuration = engine.configuration
        let limit = response.hasForeignHeader ? configuration.foreignHeaderLimit : configuration.answerHeaderLimit
        let bytes = CGIResponse.encode(
            response,
            to: exchange.method,
            id: exchange.id,
            limit: limit,
            tell: engine.tell
        )
        guard let connection = exchange.connection else { return recycle(exchange) }
        let keeps = exchange.keepsConnection
        if bytes.count <= Self.directLimit {
            let isWritten = exchange.write(bytes, to: connection.number)
            recycle(exchange)
            if isWritten { goOn(connection, keeps: keeps) }
        } else {
            let records = spool?.contents { exchange.write(bytes, to: $0) }
            recycle(exchange)
            guard let records else { return engine.tell(.memoryExhausted) }
            connection.outgoing = Outgoing(records, keepsConnection: keeps)
            send(connection)
        }
    }

    /// Sends what the peer takes of a long answer, and leaves the rest until it takes more.
    mutating func send(_ connection: Connection) {
        switch connection.outgoing?.send(to: connection.number) {
        case .blocked: engine.park(connection, .sending, within: engine.configuration.answerTimeout)
        case .failed, nil: return
        case .done:
            let keeps = connection.outgoing?.keepsConnection ?? false
            connection.outgoing = nil
            goOn(connection, keeps: keeps)
        }
    }

    /// Waits for the next request, or closes.
    private mutating func goOn(_ connection: Connection, keeps: Bool) {
        connection.deadline = nil
        guard keeps, engine.isServing else { return part(from: connection) }
        connection.isKept = true
        engine.park(connection, .idle, within: engine.configuration.idleTimeout)
    }

    /// Reads what is left in the socket: closed with input unread, it would take the answer away from the peer.
    private mutating func part(from connection: Connection) {
        guard connection.mayHaveInput else { return }
        _ = shutdown(connection.number, Int32(SHUT_WR))
        for _ in 0..<16 {
            guard case .bytes = input.receive(from: connection.number, peeking: false) else { return }
        }
    }
}
