import HTTP
import Synchronization

/// A provider's key set endpoint whose keys can be changed.
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
