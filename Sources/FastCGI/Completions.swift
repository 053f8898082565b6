import Synchronization

/// Exchanges whose handlers ended on Swift's shared pool, on their way back to a worker.
///
/// The pool must not write to a socket: it has as many threads as there are cores, and each would wait for a peer.
final class Completions: Sendable {
    private let exchanges = Mutex<[Exchange]>([])
    private let wakeup: Wakeup
    var number: Int32 { wakeup.number }

    init() throws(FastCGIError) {
        wakeup = try Wakeup()
    }

    func push(_ exchange: Exchange) {
        exchanges.withLock { $0.append(exchange) }
        wakeup.signal()
    }

    func pop() -> Exchange? {
        exchanges.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
