import Dispatch
import Glibc
import Testing

@testable import FastCGI

@Suite(.timeLimit(.minutes(1))) struct ParkedConnectionsTests {
    private let parked = ParkedConnections()
    private let openConnections = OpenConnections()

    private func connection() throws -> Connection {
        let number = dup(STDERR_FILENO)
        try #require(number >= 0)
        return Connection(number, openConnections: openConnections)
    }

    @Test func `a connection cannot be removed before it is armed`() async throws {
        let connection = try connection()
        let number = connection.number
        let (parked, taken) = (parked, DispatchSemaphore(value: 0))
        var late: Task<Bool, any Error>?
        let isTakenIn = parked.insert(connection) { _ in
            // As a late event of an older connection with this descriptor does.
            late = Background.run {
                defer { taken.signal() }
                return parked.remove(number) != nil
            }
            // It must wait until this closure returns; if it did not, this time would be enough to see that.
            #expect(taken.wait(timeout: .now() + .milliseconds(100)) == .timedOut)
            return true
        }
        #expect(isTakenIn)
        #expect(try await late?.value == true)
    }

    @Test func `a connection that cannot be armed is not inserted`() throws {
        let connection = try connection()
        #expect(!parked.insert(connection) { _ in false })
        #expect(parked.isEmpty)
        #expect(parked.remove(connection.number) == nil)
    }

    @Test func `an owner learns once that it missed an event`() throws {
        let connection = try connection()
        var missed: [Bool] = []
        func insert() -> Bool {
            parked.insert(connection) { hasMissed in
                missed.append(hasMissed)
                return true
            }
        }
        #expect(parked.remove(connection.number) == nil)
        #expect(insert())
        #expect(parked.remove(connection.number) != nil)
        #expect(insert())
        #expect(missed == [true, false])
    }

    @Test func `the connections that meet a condition are removed, and no others`() throws {
        let connections = try (0..<40).map { _ in try connection() }
        for connection in connections { #expect(parked.insert(connection) { _ in true }) }
        let odd = parked.removeAll { $0.number % 2 == 1 }
        #expect(Set(odd.map(\.number)) == Set(connections.map(\.number).filter { $0 % 2 == 1 }))
        #expect(!parked.isEmpty)
        for connection in connections {
            #expect((parked.remove(connection.number) != nil) == (connection.number % 2 == 0))
        }
        #expect(parked.isEmpty)
    }
}
