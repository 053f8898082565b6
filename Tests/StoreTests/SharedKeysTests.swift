import Foundation
import PostgreSQLStore
import Sessions
import TestSupport
import Testing

/// The server keys of several machines, in a database that they share.
@Suite(.timeLimit(.minutes(2))) struct SharedKeysTests {
    private let place: DatabasePlace
    private let seal: ServerKeys
    private let text = Array("a sign-in".utf8)

    init() async throws {
        place = try await DatabasePlace()
        seal = try #require(ServerKeys([[UInt8](repeating: 1, count: 32)]))
    }

    private func shared(_ seal: ServerKeys? = nil) -> SharedKeys {
        SharedKeys(place.client, seal: seal ?? self.seal)
    }

    private func loaded() async throws -> ServerKeys {
        let keys = ServerKeys.unknown()
        _ = try await shared().load(into: keys)
        return keys
    }

    @Test func `machines that start at once have the same key`() async throws {
        let machines = try await withThrowingTaskGroup(of: ServerKeys.self) { group in
            for _ in 0..<8 { group.addTask { try await loaded() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for machine in machines {
            #expect(machine.count == 1)
            let sealed = try machine.seal(text, purpose: "test")
            for other in machines { #expect(other.open(sealed, purpose: "test") == text) }
        }
    }

    @Test func `a new key opens at once, seals after the delay, and the old one still opens`() async throws {
        let (one, other) = (try await loaded(), try await loaded())
        let before = try one.seal(text, purpose: "test")
        try await shared().rotate(after: .seconds(60))
        #expect(try await shared().load(into: one))
        #expect(try await shared().load(into: one) == false)
        #expect(one.count == 2)
        // A machine that has not read the new key yet opens what the others seal.
        #expect(try other.open(one.seal(text, purpose: "test"), purpose: "test") == text)
        try await shared().rotate(after: .zero)
        _ = try await shared().load(into: one)
        #expect(try other.open(one.seal(text, purpose: "test"), purpose: "test") == nil)
        #expect(one.open(before, purpose: "test") == text)
    }

    @Test func `a key that has not sealed for a day is removed`() async throws {
        let keys = try await loaded()
        let before = try keys.seal(text, purpose: "test")
        try await shared().rotate(after: .zero)
        _ = try await place.client.write(
            Statement("UPDATE linkedin_signin.server_key SET seals_from = seals_from - interval '2 days'")
        )
        try await shared().rotate(after: .zero)
        _ = try await shared().load(into: keys)
        #expect(keys.count == 2)
        #expect(keys.open(before, purpose: "test") == nil)
    }

    @Test func `a machine with another key reads nothing, and the database has no key in clear`() async throws {
        let keys = try await loaded()
        let stranger = try #require(ServerKeys([[UInt8](repeating: 2, count: 32)]))
        await #expect(throws: StoreError.self) { try await shared(stranger).load(into: keys) }
        let row = try await place.client.read(Statement("SELECT sealed FROM linkedin_signin.server_key"))[0]
        let sealed = try #require(row.text(0))
        #expect(stranger.open(sealed, purpose: "server key of several machines") == nil)
        // While the seal of the machines changes, both are given.
        let both = try #require(ServerKeys([[UInt8](repeating: 2, count: 32), [UInt8](repeating: 1, count: 32)]))
        #expect(try await shared(both).load(into: keys) == false)
    }

    @Test func `without keys nothing is sealed`() throws {
        #expect(throws: StoreError.self) { try ServerKeys.unknown().seal(text, purpose: "test") }
        #expect(ServerKeys.unknown().open("AAAA", purpose: "test") == nil)
    }
}
