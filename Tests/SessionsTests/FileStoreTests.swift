import Foundation
import Sessions
import TestSupport
import Testing

/// The behavior that callers expect of every store.
@Suite struct FileStoreTests {
    let directory: TemporaryDirectory
    let place: FileStore
    var store: SessionVault { place.sessions }
    let now = Date.testStart

    init() throws {
        directory = try TemporaryDirectory()
        place = try FileStore(directory: directory.path("store"))
    }

    @Test func `a session is read as it was stored`() async throws {
        let session = Session.example()
        let ticket = try await store.create(session, now: now)
        #expect(try await store.session(for: ticket, now: now) == session)
    }

    @Test func `a session without tokens, profile, name and e-mail is read as it was stored`() async throws {
        var session = Session.example(tokens: nil, profile: nil)
        session.identity.name = nil
        session.identity.email = nil
        let ticket = try await store.create(session, now: now)
        #expect(try await store.session(for: ticket, now: now) == session)
    }

    @Test func `an unknown ticket has no session`() async throws {
        _ = try await store.create(.example(), now: now)
        let unknown = try #require(Ticket(cookieValue: String(repeating: "A", count: 43)))
        #expect(try await store.session(for: unknown, now: now) == nil)
        #expect(try await store.update(unknown, now: now) { $0.tokens = nil } == nil)
        try await store.remove(unknown)
    }

    @Test func `a removed session is gone, and removing it again is harmless`() async throws {
        let ticket = try await store.create(.example(), now: now)
        try await store.remove(ticket)
        try await store.remove(ticket)
        #expect(try await store.session(for: ticket, now: now) == nil)
    }

    @Test func `an update is seen by the next reader`() async throws {
        let ticket = try await store.create(.example(), now: now)
        let updated = try await store.update(ticket, now: now) { $0.tokens?.accessToken = "second" }
        #expect(updated?.tokens?.accessToken == "second")
        #expect(try await store.session(for: ticket, now: now) == updated)
    }

    @Test func `a state can be spent once`() async throws {
        let states = Vault(in: place).states
        let expires = now.addingTimeInterval(600)
        #expect(try await states.spend("state", expires: expires))
        #expect(try await states.spend("state", expires: expires.addingTimeInterval(3_600)) == false)
        #expect(try await states.spend("other", expires: expires))
    }
}
