import Foundation
import Sessions
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SweeperTests {
    let directory: StoreDirectory
    var store: SessionVault { directory.store }
    let start = Date.testStart

    init() throws {
        directory = try StoreDirectory(idleLimit: .seconds(3_600))
    }

    private func after(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    private func sweep(now: Date) async throws -> SweepCounts {
        var counts = SweepCounts()
        for shard in 0..<RecordName.shardCount { counts += try await store.sweep(shard: shard, now: now) }
        return counts
    }

    @Test func `the sweeper removes expired and idle sessions and keeps the others`() async throws {
        let short = try await store.create(.example(expires: after(60)), now: start)
        let idle = try await store.create(.example(), now: start)
        let used = try await store.create(.example(), now: start)
        _ = try await store.session(for: used, now: after(3_000))
        let counts = try await sweep(now: after(3_700))
        #expect((counts.expired, counts.idle, counts.live) == (1, 1, 1))
        #expect(try directory.files().count == 1)
        #expect(try await store.session(for: used, now: after(3_700)) != nil)
        for gone in [short, idle] { #expect(try await store.session(for: gone, now: start) == nil) }
    }

    @Test func `the sweeper removes nothing that is still valid`() async throws {
        for _ in 0..<50 { _ = try await store.create(.example(), now: start) }
        #expect(try await directory.vault.states.spend("state", expires: after(600)))
        let counts = try await sweep(now: after(599))
        #expect(counts.live == 50)
        #expect(try directory.files().count == 50)
        #expect(try directory.files("spent").count == 1)
    }

    @Test func `the mark of a spent state is removed when the state has expired`() async throws {
        #expect(try await directory.vault.states.spend("state", expires: after(600)))
        #expect(try await directory.vault.sweepMarks(now: after(599.9)).forgotten == 0)
        #expect(try await directory.vault.states.spend("state", expires: after(600)) == false)
        #expect(try await directory.vault.sweepMarks(now: after(600)).forgotten == 1)
        #expect(try directory.files("spent").isEmpty)
    }

    @Test func `unfinished files are removed after an hour, foreign files never`() async throws {
        let (_, path) = try await directory.record()
        let shard = URL(fileURLWithPath: path).deletingLastPathComponent()
        let stray = shard.appendingPathComponent(".new-AAAAAAAAAAAAAAAAAAAAAA")
        let foreign = shard.appendingPathComponent("README")
        for url in [stray, foreign] {
            try Data("half a record".utf8).write(to: url)
            try FileManager.default.setAttributes([.modificationDate: start], ofItemAtPath: url.path)
        }
        #expect(try await sweep(now: after(3_599)).strays == 0)
        #expect(FileManager.default.fileExists(atPath: stray.path))
        #expect(try await sweep(now: after(3_601)).strays == 1)
        #expect(!FileManager.default.fileExists(atPath: stray.path))
        #expect(try await sweep(now: after(1e7)).strays == 0)
        #expect(FileManager.default.fileExists(atPath: foreign.path))
    }

    @Test func `a damaged record is removed at the idle limit`() async throws {
        let (_, path) = try await directory.record()
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.modificationDate: start], ofItemAtPath: path)
        #expect(try await sweep(now: after(3_599)).damaged == 1)
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try await sweep(now: after(3_600)).idle == 1)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a session that is used after the sweeper has read its record stays`() async throws {
        let used = UsedRecord()
        let files = FileSystem { call in
            // Before the sweeper reads a record, it has read the time of its last use.
            if call == .read { used.note(at: .testStart.addingTimeInterval(3_600)) }
            return nil
        }
        let directory = try StoreDirectory(idleLimit: .seconds(3_600), files: files)
        let (ticket, path) = try await directory.record()
        used.path.withLock { $0 = path }
        var counts = SweepCounts()
        for shard in 0..<RecordName.shardCount {
            counts += try await directory.store.sweep(shard: shard, now: after(3_600))
        }
        #expect(counts.idle == 0)
        #expect(try directory.modified(path) == after(3_600), "the sweeper has read the record")
        #expect(try await directory.store.session(for: ticket, now: after(3_600)) != nil)
    }

    @Test func `the sweeper repeats until it is cancelled`() async throws {
        let ended = try await store.create(.example(), now: start)
        let sweeper = Sweeper(store: directory.vault, pause: .zero, now: { Date.testStart.addingTimeInterval(1e6) })
        let rounds = AsyncStream<SweepCounts>.makeStream()
        let task = Task { await sweeper.run { rounds.continuation.yield((try? $0.get()) ?? SweepCounts()) } }
        var iterator = rounds.stream.makeAsyncIterator()
        #expect(await iterator.next()?.expired == 1)
        #expect(await iterator.next()?.expired == 0)
        task.cancel()
        await task.value
        #expect(try await store.session(for: ended, now: start) == nil)
    }

    @Test(arguments: [(1, 50), (100, 900), (1_000, 5_000)])
    func `the first round takes at most a tenth of the time, but no longer than the others`(
        taken: Int,
        pause: Int
    ) async {
        let clock = SteppedClock(pauses: 2 * RecordName.shardCount)
        let store = SlowStore(clock: clock, duration: .milliseconds(taken))
        await Sweeper(store: store, pause: .seconds(5), firstPause: .milliseconds(50), clock: clock).run { _ in }
        let pauses = clock.pauses
        #expect(pauses.count == 2 * RecordName.shardCount)
        #expect(pauses.prefix(RecordName.shardCount).allSatisfy { $0 == .milliseconds(pause) })
        #expect(pauses.dropFirst(RecordName.shardCount).allSatisfy { $0 == .seconds(5) })
    }

    @Test func `a sweep that fails because the program stops is not reported`() async throws {
        let sweeps = AsyncStream<Void>.makeStream()
        let store = ClosingStore(sweeps: sweeps.continuation)
        let task = Task {
            await Sweeper(store: store, pause: .zero).run { result in Issue.record("reported \(result)") }
        }
        for await _ in sweeps.stream { break }
        task.cancel()
        await task.value
    }
}

/// A record that another request uses.
private final class UsedRecord: Sendable {
    let path = Mutex("")

    func note(at time: Date) {
        let path = path.withLock(\.self)
        try? FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
    }
}

/// A store that closes during a sweep, when the task of the sweep is cancelled.
private struct ClosingStore: SweptStore {
    let sweeps: AsyncStream<Void>.Continuation
    private let open = AsyncStream<Void>.makeStream()

    init(sweeps: AsyncStream<Void>.Continuation) {
        self.sweeps = sweeps
    }

    func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts {
        sweeps.yield()
        for await _ in open.stream {}
        throw StoreError(.unreachable, detail: "the program is stopping")
    }

    func sweepMarks(now: Date) async throws(StoreError) -> SweepCounts { SweepCounts() }
}

/// A clock that a pause advances without waiting; after its number of pauses, it ends the work.
private final class SteppedClock: Clock, Sendable {
    private let state = Mutex((now: ContinuousClock.now, pauses: [Duration]()))
    private let limit: Int

    init(pauses limit: Int) {
        self.limit = limit
    }

    var now: ContinuousClock.Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .zero }
    var pauses: [Duration] { state.withLock(\.pauses) }

    func advance(by duration: Duration) {
        state.withLock { $0.now += duration }
    }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try state.withLock { state in
            guard state.pauses.count < limit else { throw CancellationError() }
            state.pauses.append(deadline - state.now)
            state.now = deadline
        }
    }
}

/// A store in which each shard takes some time of a clock.
private struct SlowStore: SweptStore {
    let clock: SteppedClock
    let duration: Duration

    func sweep(shard: Int, now: Date) async throws(StoreError) -> SweepCounts {
        clock.advance(by: duration)
        return SweepCounts()
    }

    func sweepMarks(now: Date) async throws(StoreError) -> SweepCounts { SweepCounts() }
}
