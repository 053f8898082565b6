import HTTP
import Synchronization

/// A network of one peer whose answers are written down, and which remembers what it was asked.
final class ScriptedTransport: Transport {
    typealias Peer = @Sendable (ClientRequest) async throws(TransportError) -> ClientResponse

    private let requests = Mutex<[ClientRequest]>([])
    private let peer: Peer

    init(_ peer: @escaping Peer) {
        self.peer = peer
    }

    /// Gives these answers one after the other, then none.
    convenience init(_ answers: [ClientResponse]) {
        let rest = Mutexed(answers[...])
        self.init { _ throws(TransportError) in
            guard let answer = rest.value.withLock({ $0.popFirst() }) else {
                throw TransportError(.unreachable, detail: "the script is over")
            }
            return answer
        }
    }

    /// Fails each time.
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

/// A mutex that closures can share.
final class Mutexed<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}
