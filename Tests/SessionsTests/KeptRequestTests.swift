import Foundation
import Glibc
import Sessions
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct KeptRequestTests {
    private let directory: TemporaryDirectory
    private let store: FileStore
    private let start = Date.testStart
    private let request = KeptRequest(
        uri: "/form?a=1",
        contentType: "multipart/form-data; boundary=x",
        referer: "https://site.example/form",
        body: (0...255).map { UInt8($0) }
    )

    init() throws {
        directory = try TemporaryDirectory()
        store = try Self.open(directory, total: 1 << 20)
    }

    private static func open(_ directory: TemporaryDirectory, total: Int) throws -> FileStore {
        try FileStore(directory: directory.path("store"), idleLimit: .seconds(3_600), keptTotal: total)
    }

    private func after(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    private func keep(
        _ request: KeptRequest? = nil,
        in store: FileStore? = nil,
        now: Date? = nil
    ) async throws -> Ticket? {
        let now = now ?? start
        return try await (store ?? self.store).keep(
            request ?? self.request,
            expires: now.addingTimeInterval(600),
            now: now
        )
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path("store/kept"))
    }

    @Test func `what is kept can be read until it is taken, by its ticket alone`() async throws {
        let ticket = try #require(try await keep())
        let other = try #require(try await keep(KeptRequest(uri: "/", contentType: "", body: [])))
        #expect(try await store.kept(ticket, now: after(599)) == request)
        #expect(try await store.take(ticket, now: after(599))?.request == request)
        #expect(try await store.kept(ticket, now: after(1)) == nil)
        #expect(try await store.kept(other, now: start)?.referer == nil)
        #expect(try await store.session(for: other, now: start) == nil)
    }

    @Test func `of a hundred who take one, in two stores on one directory, one has it`() async throws {
        let second = try Self.open(directory, total: 1 << 20)
        for _ in 0..<5 {
            let ticket = try #require(try await keep())
            let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    let store = number % 2 == 0 ? store : second
                    group.addTask { try await store.take(ticket, now: start) != nil }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(taken == 1)
        }
    }

    @Test func `what was put back can be taken again, and what was discarded is gone`() async throws {
        let ticket = try #require(try await keep())
        let first = try #require(try await store.take(ticket, now: start))
        try await store.putBack(first)
        let second = try #require(try await store.take(ticket, now: start))
        #expect(second.request == request)
        await store.discard(second)
        #expect(try await store.take(ticket, now: start) == nil)
        #expect(try files().isEmpty)
    }

    @Test func `nothing is read or taken when its time is over, and then it goes`() async throws {
        let ticket = try #require(try await keep())
        let taken = try #require(try await keep())
        #expect(try await store.take(taken, now: start) != nil)
        #expect(try await store.kept(ticket, now: after(600)) == nil)
        var counts = try await store.sweep(shard: 0, now: after(599))
        #expect(counts.unclaimed == 0)
        #expect(try files().count == 2)
        counts = try await store.sweep(shard: 200, now: after(600.1))
        #expect(counts.unclaimed == 1)
        // What somebody took stays a little longer, in case it is put back.
        counts = try await store.sweep(shard: 0, now: after(721))
        #expect(counts.unclaimed == 1)
        #expect(try files().isEmpty)
    }

    @Test func `many stores on one directory keep within one bound, and small forms count for more`() async throws {
        // As many as it takes for two of them to look at the same time.
        let stores = try (0..<8).map { _ in try Self.open(directory, total: 20 * FileStore.keptMinimum) }
        let kept = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<160 {
                group.addTask { try await keep(in: stores[number % stores.count]) != nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(kept == 20)
        #expect(try await keep(in: stores[0]) == nil)
        #expect(try await keep(in: stores[1], now: after(601)) != nil)
        #expect(try files().count == 1)
    }

    @Test func `a file and its directory are for the owner alone, whatever it is called`() async throws {
        _ = try await keep()
        let name = try #require(try files().first)
        #expect(name.utf8.count == 32)
        for (path, mode) in [("store/kept/\(name)", 0o600), ("store/kept", 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: directory.path(path))
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `any byte of a file that changes closes it`() async throws {
        let ticket = try #require(try await keep(KeptRequest(uri: "/", contentType: "a", body: [1, 2, 3])))
        let path = directory.path("store/kept/") + (try #require(try files().first))
        let whole = try Data(contentsOf: URL(filePath: path))
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 0x10
            try changed.write(to: URL(filePath: path))
            let opened = try? await store.kept(ticket, now: start)
            #expect(opened == nil, "byte \(index)")
        }
        try whole.write(to: URL(filePath: path))
        #expect(try await store.kept(ticket, now: start) != nil)
    }

    @Test func `what is damaged is told from what is not there, as long as it could be opened`() async throws {
        let ticket = try #require(try await keep())
        let path = directory.path("store/kept/") + (try #require(try files().first))
        var content = try Data(contentsOf: URL(filePath: path))
        content[content.count - 1] ^= 1
        try content.write(to: URL(filePath: path))
        func isDamaged(_ error: any Error) -> Bool { (error as? StoreError)?.code == .damaged }
        #expect(try await store.kept(ticket, now: after(600)) == nil, "too old, damaged or not")
        await #expect(performing: { try await store.kept(ticket, now: after(599)) }, throws: isDamaged)
        await #expect(performing: { try await store.take(ticket, now: start) }, throws: isDamaged)
        #expect(try files().isEmpty)
        #expect(try await store.take(ticket, now: start) == nil)
        #expect(try await store.kept(ticket, now: start) == nil)
    }

    @Test(arguments: [FileSystem.Call.open, .write, .rename, .flock, .setTimes])
    func `a disk that fails keeps nothing and leaves nothing behind`(call: FileSystem.Call) async throws {
        let path = directory.path("faulty")
        let disk = FaultyDisk()
        let faulty = try FileStore(directory: path, idleLimit: .seconds(1), files: disk.files)
        disk.fail(call, with: EIO)
        await #expect(throws: StoreError.self) {
            _ = try await faulty.keep(request, expires: after(600), now: start)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/kept").isEmpty)
    }
}
