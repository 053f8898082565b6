import CSystem
import Glibc

extension Worker {
    /// Accepts connections and serves each at once, until no more wait.
    ///
    /// After many in a row the listener is armed anew instead, so that kept connections have their turn.
    mutating func accept(from index: Int) {
        let listener = engine.listeners[index]
        for _ in 0..<64 {
            guard engine.isServing else { return }
            switch listener.accept() {
            case .connection(let number):
                engine.noteAccepted()
                if let connection = engine.admit(number, from: listener) { receive(connection) }
            case .none: return
            case .exhausted(let code): return engine.backOff(code)
            }
        }
        _ = engine.epoll.modify(listener.number, Epoll.readEdge, .listener(index))
    }
}

extension Engine {
    /// Takes over an accepted descriptor; nil, and closed, if its peer may not be here.
    func admit(_ number: Int32, from listener: Listener) -> Connection? {
        let connection = Connection(number, census: census)
        guard case .only(let users) = configuration.peers else { return connection }
        // A peer that the system does not know is nobody's.
        let user = PeerPolicy.peer(of: number) ?? .max
        guard !users.contains(user) else { return connection }
        tell(.peerRefused(user: user))
        return nil
    }
}
