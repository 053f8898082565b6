import Synchronization

/// The connections that wait for their peers; whoever takes one out owns it.
///
/// It has many locks, chosen by descriptor, so that workers do not queue at one.
final class ParkedConnections: Sendable {
    private static let count = 16

    private struct Place {
        var connection: Connection?
        /// Something was told of the connection while its owner had it out.
        var hasMissed = false
    }

    private struct Contents {
        /// By descriptor; the system gives the lowest ones that are free, so that few places stay empty.
        var places: [Place] = []
        var count = 0

        /// The index of a descriptor's place, which is made if need be.
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

    /// Takes a connection in, armed for its peer's next move.
    ///
    /// Nobody can take it out before it is armed. An event that is told late, of a connection whose descriptor the system
    /// has given to this one since, would otherwise bring another worker in between, and both would register it.
    ///
    /// - Parameters:
    ///   - connection: one that has its stage and its deadline.
    ///   - arm: registers it; is told whether something may have happened that its owner did not see.
    /// - Returns: false if that failed; then the connection is not taken in.
    func insert(_ connection: Connection, arm: (_ hasMissed: Bool) -> Bool) -> Bool {
        shelf(connection.number).contents.withLock { contents in
            let place = contents.place(connection.number)
            guard arm(contents.places[place].hasMissed) else { return false }
            contents.places[place] = Place(connection: connection)
            contents.count += 1
            return true
        }
    }

    /// Takes a connection out of which something was told; nil if it is not in, which its owner is told when it comes.
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

    /// Takes out all that meet a condition.
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
