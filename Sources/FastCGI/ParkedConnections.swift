import Synchronization

/// The connections that wait for their peers; the caller that removes one owns it.
///
/// It has several locks, selected by descriptor, so that workers do not wait for each other.
final class ParkedConnections: Sendable {
    private static let count = 16

    private struct Place {
        var connection: Connection?
        /// An event was reported for the connection while its owner had removed it.
        var hasMissed = false
    }

    private struct Contents {
        /// By descriptor; the system assigns the lowest free ones, so few places are empty.
        var places: [Place] = []
        var count = 0

        /// The index of a descriptor's place, created if necessary.
        mutating func place(_ number: Int32) -> Int {
            let place = Int(number) / ParkedConnections.count
            while places.count <= place { places.append(Place()) }
            return place
        }
    }

    private final class Shelf: Sendable {
        let contents = Mutex(Contents())
    }

    private let shelves = (0..<count).map { _ in Shelf() }

    private func shelf(_ number: Int32) -> Shelf {
        shelves[Int(number) % Self.count]
    }

    /// Inserts a connection and arms it for its peer's next action.
    ///
    /// No other caller can remove it before it is armed. Otherwise a late event of a closed connection with the same
    /// descriptor could give this one to another worker, and both would register it.
    ///
    /// - Parameters:
    ///   - connection: Its stage and deadline are set.
    ///   - arm: Registers the connection; its argument is true if an event may have been missed.
    /// - Returns: False if `arm` failed; the connection is then not inserted.
    func insert(_ connection: Connection, arm: (_ hasMissed: Bool) -> Bool) -> Bool {
        shelf(connection.number).contents.withLock { contents in
            let place = contents.place(connection.number)
            guard arm(contents.places[place].hasMissed) else { return false }
            contents.places[place] = Place(connection: connection)
            contents.count += 1
            return true
        }
    }

    /// Removes the connection of an event; if it is not here, returns nil and notes the event for its owner.
    func remove(_ number: Int32) -> Connection? {
        shelf(number).contents.withLock { contents in
            let place = contents.place(number)
            guard let connection = contents.places[place].connection else {
                contents.places[place].hasMissed = true
                return nil
            }
            contents.places[place].connection = nil
            contents.count -= 1
            return connection
        }
    }

    var isEmpty: Bool {
        shelves.allSatisfy { $0.contents.withLock { $0.count == 0 } }
    }

    /// Closes the kept connections without a request, which frees descriptors at the lowest cost.
    func closeIdle() {
        _ = removeAll { $0.stage == .idle && $0.isKept }
    }

    /// Removes all connections that meet a condition.
    func removeAll(where condition: (Connection) -> Bool) -> [Connection] {
        shelves.flatMap { shelf in
            shelf.contents.withLock { contents in
                var removed: [Connection] = []
                for place in contents.places.indices {
                    guard let connection = contents.places[place].connection, condition(connection) else { continue }
                    contents.places[place].connection = nil
                    removed.append(connection)
                }
                contents.count -= removed.count
                return removed
            }
        }
    }
}
