import Synchronization

/// The connections that wait for their peers; whoever takes one out owns it.
///
/// It has many locks, chosen by descriptor, so that workers do not queue at one.
final class ParkedConnections: Sendable {
    private static let count = 16

    private struct Contents {
        /// By descriptor; the system gives the lowest ones that are free, so that few places stay empty.
        var places: [Connection?] = []
        var count = 0

        mutating func insert(_ connection: Connection) {
            let place = Int(connection.number) / ParkedConnections.count
            while places.count <= place { places.append(nil) }
            places[place] = connection
            count += 1
        }

        mutating func remove(_ number: Int32) -> Connection? {
            let place = Int(number) / ParkedConnections.count
            guard places.indices.contains(place), let connection = places[place] else { return nil }
            places[place] = nil
            count -= 1
            return connection
        }
    }

    private final class Shelf: Sendable {
        let contents = Mutex(Contents())
    }

    private let shelves = (0..<count).map { _ in Shelf() }

    private func shelf(_ number: Int32) -> Shelf {
        shelves[Int(number) % Self.count]
    }

    /// Takes a connection in, armed for its peer's next move.
    ///
    /// Nobody can take it out before it is armed. An event that is told late, of a connection whose descriptor the system
    /// has given to this one since, would otherwise bring another worker in between, and both would register it.
    ///
    /// - Parameters:
    ///   - connection: one that has its stage and its deadline.
    ///   - arm: registers it.
    /// - Returns: false if that failed; then the connection is not taken in.
    func insert(_ connection: Connection, arm: () -> Bool) -> Bool {
        shelf(connection.number).contents.withLock { contents in
            guard arm() else { return false }
            contents.insert(connection)
            return true
        }
    }

    func remove(_ number: Int32) -> Connection? {
        shelf(number).contents.withLock { $0.remove(number) }
    }

    var isEmpty: Bool {
        shelves.allSatisfy { $0.contents.withLock { $0.count == 0 } }
    }

    /// Takes out all that meet a condition.
    func removeAll(where condition: (Connection) -> Bool) -> [Connection] {
        shelves.flatMap { shelf in
            shelf.contents.withLock { contents in
                let removed = contents.places.compactMap(\.self).filter(condition)
                for connection in removed { _ = contents.remove(connection.number) }
                return removed
            }
        }
    }
}
