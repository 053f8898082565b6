import Synchronization

/// Exchanges whose handlers wait for something; whoever takes one out owns its connection.
final class SuspendedExchanges: Sendable {
    private let tasks = Mutex<[ObjectIdentifier: (exchange: Exchange, task: Task<Void, Never>)]>([:])

    func insert(_ exchange: Exchange, _ task: Task<Void, Never>) {
        tasks.withLock { $0[ObjectIdentifier(exchange)] = (exchange, task) }
    }

    /// Takes one out; false if somebody else has.
    func remove(_ exchange: Exchange) -> Bool {
        tasks.withLock { $0.removeValue(forKey: ObjectIdentifier(exchange)) } != nil
    }

    /// Cancels all that is left and closes their connections; the handlers end when they notice.
    ///
    func abandonAll() {
        let abandoned = tasks.withLock { tasks in
            defer { tasks = [:] }
            return Array(tasks.values)
        }
        for (exchange, task) in abandoned {
            exchange.connection = nil
            task.cancel()
        }
    }
}
