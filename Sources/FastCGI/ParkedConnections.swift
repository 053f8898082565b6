import Synchronization

/// The connections that wait for their peers; whoever takes one out owns it.
///
/// It has many locks, chosen by descriptor, so that workers do not queue at one.
final class ParkedConnections: Sendable {
    private static let count = 16
    private final class Shelf: Sendable {
        let connections = Mutex<[Int32: Connection]>([:])
    }

    private let shelves = (0..<count).map { _ in Shelf() }

    private func shelf(_ number: Int32) -> Shelf {
        shelves[Int(number) % Self.count]
    }

    func insert(_ connection: Connection) {
        shelf(connection.number).connections.withLock { $0[connection.number] = connection }
    }

    func remove(_ number: Int32) -> Connection? {
        shelf(number).connections.withLock { $0.removeValue(forKey: number) }
    }

    var isEmpty: Bool {
        shelves.allSatisfy { $0.connections.withLock { $0.isEmpty } }
    }

    /// Takes out all that meet a condition.
    func removeAll(where condition: (Connection) -> Bool) -> [Connection] {
        shelves.flatMap { shelf in
            shelf.connections.withLock { connections in
                let removed = connections.values.filter(condition)
                for connection in removed { connections[connection.number] = nil }
                return removed
            }
        }
    }
}
