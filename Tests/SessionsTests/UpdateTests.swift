import Foundation
import Sessions
import TestSupport
import Testing

/// Concurrent updates and removals of a session.
@Suite(.timeLimit(.minutes(1))) struct UpdateTests {
    let directory: StoreDirectory
    var store: SessionVault { directory.store }
    let now = Date.testStart

    init() throws {
        directory = try StoreDirectory()
    }

    @Test func `of many concurrent token refreshes only the first runs`() async throws {
        let ticket = try await store.create(.example(), now: now)
        let seen = try await withThrowingTaskGroup { group in
            for index in 0..<50 {
                group.addTask {
                    try await store.update(ticket, now: now) { session in
                        guard session.tokens?.accessToken == "access-canary" else { return }
                        await Task.yield()
                        session.tokens?.accessToken = "refreshed by \(index)"
                    }
                }
            }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1?.tokens?.accessToken) }
        }
        #expect(seen.count == 1)
        #expect(try await store.session(for: ticket, now: now)?.tokens?.accessToken == seen.first)
    }

    @Test func `a session removed while an update runs stays removed`() async throws {
        let ticket = try await store.create(.example(), now: now)
        let changed = try await store.update(ticket, now: now) { session in
            try await store.remove(ticket)
            session.profile = nil
        }
        #expect(changed == nil)
        #expect(try directory.files().isEmpty)
        let unchanged = try await store.create(.example(), now: now)
        #expect(try await store.update(unchanged, now: now) { _ in try await store.remove(unchanged) } == nil)
    }

    @Test func `a removal wins against a concurrent update`() async throws {
        for _ in 0..<100 {
            let ticket = try await store.create(.example(), now: now)
            async let updated = store.update(ticket, now: now) { $0.profile = nil }
            async let removed: Void = store.remove(ticket)
            _ = try await (updated, removed)
            #expect(try await store.session(for: ticket, now: now) == nil)
        }
        #expect(try directory.files().isEmpty)
    }

    @Test func `an update that throws changes nothing and releases the session`() async throws {
        struct Refused: Error {}
        let session = Session.example()
        let ticket = try await store.create(session, now: now)
        await #expect(throws: Refused.self) {
            try await store.update(ticket, now: now) { session in
                session.profile = nil
                throw Refused()
            }
        }
        #expect(try await store.session(for: ticket, now: now) == session)
        #expect(try await store.update(ticket, now: now) { $0.profile = nil } != nil)
    }

    @Test func `an update that changes nothing writes nothing`() async throws {
        let (ticket, path) = try await directory.record()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let session = try await store.update(ticket, now: now) { $0.profile = $0.profile }
        #expect(session == .example())
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `writing the same session twice gives different bytes`() async throws {
        let (ticket, path) = try await directory.record()
        let first = try Data(contentsOf: URL(fileURLWithPath: path))
        _ = try await store.update(ticket, now: now) { $0.profile = nil }
        _ = try await store.update(ticket, now: now) { $0 = .example() }
        let second = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(first.count == second.count)
        #expect(first.suffix(60) != second.suffix(60))
    }

    @Test func `an update finds a record that is replaced between opening and locking`() async throws {
        let (ticket, path) = try await directory.record()
        try FileManager.default.copyItem(atPath: path, toPath: path + ".new")
        try FileManager.default.setAttributes([.modificationDate: now], ofItemAtPath: path + ".new")
        let files = FileSystem { call in
            // Another process replaces the file at the worst moment, once.
            if call == .flock, FileManager.default.fileExists(atPath: path + ".new") {
                try? FileManager.default.removeItem(atPath: path)
                try? FileManager.default.moveItem(atPath: path + ".new", toPath: path)
            }
            return nil
        }
        let other = try FileStore(directory: directory.path, files: files).sessions
        #expect(try await other.update(ticket, now: now) { $0.profile = nil } != nil)
        #expect(try await store.session(for: ticket, now: now)?.profile == nil)
    }

    @Test func `an update that waits too long fails, and reading never waits`() async throws {
        let impatient = try FileStore(directory: directory.path, lockPatience: .milliseconds(10)).sessions
        let ticket = try await store.create(.example(), now: now)
        _ = try await store.update(ticket, now: now) { _ in
            await #expect(throws: StoreError(.locked, detail: "another update of the session takes too long")) {
                try await impatient.update(ticket, now: now) { _ in }
            }
            let found = try await impatient.session(for: ticket, now: now)
            #expect(found != nil)
        }
    }

    @Test func `a cancelled update stops waiting`() async throws {
        let ticket = try await store.create(.example(), now: now)
        _ = try await store.update(ticket, now: now) { _ in
            let waiting = Task { try await store.update(ticket, now: now) { _ in } }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }
}
