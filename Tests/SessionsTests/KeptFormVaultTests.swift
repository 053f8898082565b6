import Foundation
import Glibc
import Sessions
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct KeptFormVaultTests {
    private let directory: TemporaryDirectory
    private let store: Vault
    private let start = Date.testStart
    private let form = KeptForm(
        uri: "/form?a=1",
        contentType: "multipart/form-data; boundary=x",
        referer: "https://site.example/form",
        body: (0...255).map { UInt8($0) }
    )

    init() throws {
        directory = try TemporaryDirectory()
        store = try Self.open(directory, total: 1 << 20)
    }

    private static func open(_ directory: TemporaryDirectory, total: Int) throws -> Vault {
        let files = try FileStore(directory: directory.path("store"))
        return Vault(in: files, keptTotal: total)
    }

    private func after(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    private func keep(
        _ form: KeptForm? = nil,
        in store: Vault? = nil,
        from client: UInt64 = 1,
        now: Date? = nil
    ) async throws -> Ticket? {
        guard case .kept(let ticket) = try await outcome(form, in: store, from: client, now: now) else { return nil }
        return ticket
    }

    private func outcome(
        _ form: KeptForm? = nil,
        in store: Vault? = nil,
        from client: UInt64 = 1,
        now: Date? = nil
    ) async throws -> KeepOutcome {
        let now = now ?? start
        return try await (store ?? self.store).forms.keep(
            form ?? self.form,
            from: client,
            expires: now.addingTimeInterval(600),
            now: now
        )
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path("store/kept"))
    }

    @Test func `a kept form can be read only with its ticket, until it is taken`() async throws {
        let ticket = try #require(try await keep())
        let other = try #require(try await keep(KeptForm(uri: "/", contentType: "", body: [])))
        #expect(try await store.forms.kept(ticket, now: after(599)) == form)
        #expect(try await store.forms.take(ticket, now: after(599))?.form == form)
        #expect(try await store.forms.kept(ticket, now: after(1)) == nil)
        #expect(try await store.forms.kept(other, now: start)?.referer == nil)
        #expect(try await store.sessions.session(for: other, now: start) == nil)
    }

    @Test func `of a hundred concurrent takes of a kept form, in two stores, one succeeds`() async throws {
        let second = try Self.open(directory, total: 1 << 20)
        for _ in 0..<5 {
            let ticket = try #require(try await keep())
            let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    let store = number % 2 == 0 ? store : second
                    group.addTask { try await store.forms.take(ticket, now: start) != nil }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(taken == 1)
        }
    }

    @Test func `a kept form that was put back can be taken again, and a discarded form is gone`() async throws {
        let ticket = try #require(try await keep())
        let first = try #require(try await store.forms.take(ticket, now: start))
        try await store.forms.putBack(first)
        let second = try #require(try await store.forms.take(ticket, now: start))
        #expect(second.form == form)
        store.forms.discard(second)
        #expect(try await store.forms.take(ticket, now: start) == nil)
        #expect(try files().isEmpty)
    }

    @Test func `an expired kept form cannot be read or taken and is removed`() async throws {
        let ticket = try #require(try await keep())
        #expect(try await store.forms.kept(ticket, now: after(600)) == nil)
        var counts = try await store.sweep(shard: 0, now: after(599))
        #expect(counts.unclaimed == 0)
        #expect(try files().count == 1)
        counts = try await store.sweep(shard: 200, now: after(600))
        #expect(counts.unclaimed == 1)
        #expect(try files().isEmpty)
    }

    @Test func `kept forms stay within their total size, and a small form counts as the minimum`() async throws {
        let store = try Self.open(directory, total: 20 * KeptFormVault.minimumByteCount)
        let kept = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<160 {
                group.addTask { try await keep(in: store, from: UInt64(number)) != nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(kept == 20)
        #expect(try await keep(in: store, from: 200) == nil)
        #expect(try await keep(in: store, now: after(601)) != nil)
        #expect(try files().count == 1)
    }

    @Test func `two stores on one directory count each other's kept forms after a sweep and after a restart`()
        async throws
    {
        let total = 20 * KeptFormVault.minimumByteCount
        let first = try Self.open(directory, total: total)
        let second = try Self.open(directory, total: total)
        #expect(try await keep(in: second, from: 100) != nil)
        for number in 0..<19 { #expect(try await keep(in: first, from: UInt64(number)) != nil) }
        #expect(
            try await keep(in: first, from: 101) == nil,
            "this store finds the form of the other store when it keeps its first form"
        )
        #expect(
            try await keep(in: second, from: 101) != nil,
            "this store does not find the forms of the other store before a sweep"
        )
        _ = try await second.sweep(shard: 0, now: start)
        #expect(try await keep(in: second, from: 102) == nil)
        let third = try Self.open(directory, total: total)
        #expect(try await keep(in: third, from: 103) == nil)
    }

    @Test func `one client can use a quarter of the room for kept forms`() async throws {
        let total = 16 * KeptFormVault.minimumByteCount
        let store = try Self.open(directory, total: total)
        var tickets: [Ticket] = []
        for _ in 0..<4 { tickets.append(try #require(try await keep(in: store))) }
        for _ in 0..<4_096 {
            guard case .shareTaken = try await outcome(in: store) else {
                Issue.record("the client has more than a quarter")
                return
            }
        }
        #expect(try await keep(in: store, from: 2) != nil)
        let taken = try #require(try await store.forms.take(tickets[0], now: start))
        #expect(try await keep(in: store) == nil, "the form may be put back")
        store.forms.discard(taken)
        #expect(try await keep(in: store) != nil)
        #expect(try await keep(in: store) == nil)
        #expect(try await keep(in: store, now: after(601)) != nil, "expired forms count no more, even before a sweep")
    }

    @Test func `a form that finds no room causes no system calls`() async throws {
        let path = directory.path("counted")
        let calls = Mutex(0)
        let disk = FileSystem { _ in
            calls.withLock { $0 += 1 }
            return nil
        }
        let place = try FileStore(directory: path, files: disk)
        let store = Vault(in: place, keptTotal: 65_536)
        for client in 0..<4 { #expect(try await keep(in: store, from: UInt64(client)) != nil) }
        let before = calls.withLock { $0 }
        let large = KeptForm(uri: "/", contentType: "a", body: [UInt8](repeating: 0, count: 60_000))
        for _ in 0..<1_000 {
            guard case .full = try await outcome(large, in: store, from: 9) else {
                Issue.record("a form was kept without room")
                return
            }
        }
        #expect(calls.withLock { $0 } == before)
    }

    @Test func `a kept form's file and its directory are accessible only to the owner`() async throws {
        _ = try await keep()
        let name = try #require(try files().first)
        #expect(name.utf8.count == 32)
        for (path, mode) in [("store/kept/\(name)", 0o600), ("store/kept", 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: directory.path(path))
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `a kept form with one changed byte cannot be opened`() async throws {
        let ticket = try #require(try await keep(KeptForm(uri: "/", contentType: "a", body: [1, 2, 3])))
        let path = directory.path("store/kept/") + (try #require(try files().first))
        let whole = try Data(contentsOf: URL(filePath: path))
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 0x10
            try changed.write(to: URL(filePath: path))
            let opened = try? await store.forms.kept(ticket, now: start)
            #expect(opened == nil, "byte \(index)")
        }
        try whole.write(to: URL(filePath: path))
        #expect(try await store.forms.kept(ticket, now: start) != nil)
    }

    @Test func `a damaged kept form is reported until it expires`() async throws {
        let ticket = try #require(try await keep())
        let path = directory.path("store/kept/") + (try #require(try files().first))
        var content = try Data(contentsOf: URL(filePath: path))
        content[content.count - 1] ^= 1
        try content.write(to: URL(filePath: path))
        func isDamaged(_ error: any Error) -> Bool { (error as? StoreError)?.code == .damaged }
        let expired = try await store.forms.kept(ticket, now: after(600))
        #expect(expired == nil, "an expired form is not reported as damaged")
        await #expect(performing: { try await store.forms.kept(ticket, now: after(599)) }, throws: isDamaged)
        await #expect(performing: { try await store.forms.take(ticket, now: start) }, throws: isDamaged)
        #expect(try files().isEmpty)
        #expect(try await store.forms.take(ticket, now: start) == nil)
        #expect(try await store.forms.kept(ticket, now: start) == nil)
    }

    @Test(arguments: [FileSystem.Call.open, .write, .link, .readdir, .setTimes])
    func `nothing remains of a form that could not be kept`(call: FileSystem.Call) async throws {
        let path = directory.path("faulty")
        let disk = FaultyDisk()
        let place = try FileStore(directory: path, files: disk.files)
        let faulty = Vault(in: place)
        disk.fail(call, with: EIO)
        await #expect(throws: StoreError.self) {
            _ = try await faulty.forms.keep(form, from: 1, expires: after(600), now: start)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/kept").isEmpty)
    }
}
