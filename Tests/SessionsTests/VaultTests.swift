import Foundation
import Metrics
import Sessions
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct VaultTests {
    let directory: StoreDirectory
    let counter = StoreCounter()
    let store: Vault

    init() throws {
        directory = try StoreDirectory()
        store = Vault(in: directory.place, counter: counter)
    }

    private func count(_ operation: StoreOperation) -> Int {
        counter.durations(of: operation).count
    }

    @Test func `each operation is counted`() async throws {
        let ticket = try await store.sessions.create(.example(), now: .testStart)
        for _ in 0..<3 { _ = try await store.sessions.session(for: ticket, now: .testStart) }
        _ = try await store.sessions.update(ticket, now: .testStart) { $0.identity.name = "B" }
        try await store.sessions.remove(ticket)
        _ = try await store.states.spend("state", from: 1, expires: .testStart, now: .testStart)
        _ = try await store.states.isSpent("state")
        _ = try await store.sessions.count(of: Session.example().identity.member, now: .testStart)
        #expect((count(.create), count(.read), count(.update), count(.remove)) == (1, 3, 1, 1))
        #expect((count(.state), count(.member)) == (2, 1))
        #expect(counter.durations(of: .create).sum > 0)
        #expect(counter.failures.isEmpty)
    }

    @Test func `each way to check a session is counted once`() async throws {
        let ticket = try await store.sessions.create(.example(), now: .testStart)
        _ = try store.sessions.checkAtOnce(ticket, withTokens: false, now: .testStart)
        #expect(count(.read) == 1)
        _ = try await store.sessions.check(ticket, withTokens: false, now: .testStart)
        #expect(count(.read) == 2)
        store.sessions.beginCheck(ticket, now: .testStart) { check in _ = try? check() }
        #expect(count(.read) == 3)
    }

    @Test func `a form that is kept has a size until it is taken`() async throws {
        let form = KeptForm(uri: "/f", contentType: "text/plain", body: [1])
        let outcome = try await store.forms.keep(form, from: 1, expires: .distantFuture, now: .testStart)
        guard case .kept(let ticket) = outcome else {
            Issue.record("the form was not kept")
            return
        }
        #expect(store.forms.byteCount >= KeptFormVault.minimumByteCount)
        let taken = try #require(try await store.forms.take(ticket, now: .testStart))
        store.forms.discard(taken)
        #expect(store.forms.byteCount == 0)
        #expect(count(.form) == 2)
    }

    @Test func `a failure is counted with its reason and its time`() async throws {
        try FileManager.default.removeItem(atPath: directory.path + "/sessions")
        try Data().write(to: URL(fileURLWithPath: directory.path + "/sessions"))
        await #expect(throws: StoreError.self) { _ = try await store.sessions.create(.example(), now: .testStart) }
        #expect(count(.create) == 1)
        let failures = counter.failures.map { ($0.key.operation, $0.key.code, $0.value) }
        #expect(failures.count == 1)
        #expect(failures[0] == (.create, .unusable, 1))
    }

    @Test func `the time of the last sweep is that of the start until a sweep succeeds`() async throws {
        let counter = StoreCounter(start: .testStart)
        let store = Vault(in: directory.place, counter: counter)
        let now = Date.testStart.addingTimeInterval(1)
        try Data().write(to: URL(fileURLWithPath: directory.path + "/sessions/00"))
        await #expect(throws: StoreError.self) { _ = try await store.sweep(shard: 0, now: now) }
        #expect(counter.sweeps.last == .testStart)
        _ = try await store.sweep(shard: 1, now: now)
        #expect(counter.sweeps.last == now)
    }

    @Test func `the number of sessions is known when each part was swept once`() async throws {
        for _ in 0..<20 { _ = try await store.sessions.create(.example(), now: .testStart) }
        _ = try await store.sessions.create(.example(expires: .testStart.addingTimeInterval(1)), now: .testStart)
        let now = Date.testStart.addingTimeInterval(2)
        for shard in 1..<RecordName.shardCount { _ = try await store.sweep(shard: shard, now: now) }
        #expect(counter.sweeps.sessions == nil)
        _ = try await store.sweep(shard: 0, now: now)
        #expect(counter.sweeps.sessions == 20)
        #expect((counter.sweeps.removed.expired, counter.sweeps.last) == (1, now))
        _ = try await store.sessions.create(.example(), now: now)
        for shard in 0..<RecordName.shardCount { _ = try await store.sweep(shard: shard, now: now) }
        #expect(counter.sweeps.sessions == 21)
    }
}
