import HTTP
import Synchronization

/// A transport to one server with prepared answers; records the requests.
final class ScriptedTransport: Transport {
    typealias Peer = @Sendable (ClientRequest) async throws(TransportError) -> ClientResponse

    private let requests = Mutex<[ClientRequest]>([])
    private let peer: Peer

    init(_ peer: @escaping Peer) {
        self.peer = peer
    }

    /// Returns these answers one after the other, then fails.
    convenience init(_ answers: [ClientResponse]) {
        let rest = Mutexed(answers[...])
        self.init { _ throws(TransportError) in
            guard let answer = rest.value.withLock({ $0.popFirst() }) else {
                throw TransportError(.unreachable, detail: "the test has no more answers")
            }
            return answer
        }
    }

    /// Always fails.
    convenience init(failing code: TransportError.Code) {
        self.init { _ throws(TransportError) in throw TransportError(code) }
    }

    var sent: [ClientRequest] {
        requests.withLock { $0 }
    }

    func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
        requests.withLock { $0.append(request) }
        return try await peer(request)
    }
}

/// A mutex for use in several closures.
final class Mutexed<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}

/// A provider's key set endpoint with replaceable keys.
final class KeySetPeer: Sendable {
    private let answer: Mutex<Result<ClientResponse, TransportError>>

    init(_ keys: [String]) throws {
        answer = Mutex(.success(try Self.answer(keys)))
    }

    convenience init(_ key: SigningKey) throws {
        try self.init([key.jwk])
    }

    func publish(_ keys: [String]) throws {
        let new = try Self.answer(keys)
        answer.withLock { $0 = .success(new) }
    }

    func fail(_ error: TransportError) {
        answer.withLock { $0 = .failure(error) }
    }

    func answer(with response: ClientResponse) {
        answer.withLock { $0 = .success(response) }
    }

    var transport: ScriptedTransport {
        ScriptedTransport { _ throws(TransportError) in
            try self.answer.withLock { $0 }.get()
        }
    }

    private static func answer(_ keys: [String]) throws -> ClientResponse {
        try .make(200, #"{"keys":[\#(keys.joined(separator: ","))]}"#)
    }
}

extension ClientResponse {
    /// An answer with this text as the body.
    static func make(
        _ status: Int = 200,
        _ body: String = "{}",
        type: String? = "application/json"
    ) throws -> ClientResponse {
        var headers = Headers()
        if let type { try headers.append(.contentType, type) }
        return ClientResponse(status: status, headers: headers, body: Array(body.utf8))
    }
}
