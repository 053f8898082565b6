import Synchronization

/// Exchanges whose handlers wait for something; whoever takes one out owns its connection.
final class SuspendedExchanges: Sendable {
    private struct Entry {
        let exchange: Exchange
        let task: Task<Void, Never>
        let round: Int
    }

    private struct Contents {
        var entries: [ObjectIdentifier: Entry] = [:]
        var round = 0
    }

    private let contents = Mutex(Contents())

    func insert(_ exchange: Exchange, _ task: Task<Void, Never>) {
        contents.withLock { contents in
            contents.entries[ObjectIdentifier(exchange)] = Entry(exchange: exchange, task: task, round: contents.round)
        }
    }

    /// Takes one out; false if somebody else has.
    func remove(_ exchange: Exchange) -> Bool {
        contents.withLock { $0.entries.removeValue(forKey: ObjectIdentifier(exchange)) } != nil
    }

    /// Tells the exchanges so far from those that come later.
    func beginRound() {
        contents.withLock { $0.round += 1 }
    }

    /// Whether any exchange from before the last `beginRound` still waits.
    var hasEarlierRound: Bool {
        contents.withLock { contents in contents.entries.values.contains { $0.round < contents.round } }
    }

    /// Cancels all that is left and closes their connections; the handlers end when they notice.
    func abandonAll() {
        let abandoned = contents.withLock { contents in
            defer { contents.entries = [:] }
            return Array(contents.entries.values)
        }
        for entry in abandoned {
            entry.exchange.connection = nil
            entry.task.cancel()
        }
    }
}
