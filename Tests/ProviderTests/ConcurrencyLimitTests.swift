import HTTP
import Provider
import Testing

@Suite(.timeLimit(.minutes(1))) struct ConcurrencyLimitTests {
    private let alice = ClientAddress("192.0.2.1")
    private let bob = ClientAddress("192.0.2.2")
    private let patient = Duration.seconds(3600)

    /// Work that starts when a call is free, and ends when the test says so.
    private final class Work: Sendable {
        private let begun = AsyncStream.makeStream(of: Void.self)
        private let ending = AsyncStream.makeStream(of: Void.self)
        let result: Task<Result<Void, any Error>, Never>

        init(_ calls: ConcurrencyLimit, for client: ClientAddress) {
            let (begun, ending) = (begun.continuation, ending.stream)
            result = Task {
                do {
                    try await calls.run(for: client) {
                        begun.yield()
                        for await _ in ending { break }
                    }
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
        }

        func hasBegun() async {
            for await _ in begun.stream { break }
        }

        func end() async {
            ending.continuation.yield()
            _ = await result.value
        }

        var refusal: ConcurrencyLimit.Refusal? {
            get async {
                if case .failure(let error) = await result.value { return error as? ConcurrencyLimit.Refusal }
                return nil
            }
        }
    }

    private func begin(_ count: Int, _ calls: ConcurrencyLimit, for client: ClientAddress) async -> [Work] {
        let works = (0..<count).map { _ in Work(calls, for: client) }
        for work in works { await work.hasBegun() }
        return works
    }

    @Test func `one client gets a quarter of the calls, and the rest stay free for others`() async throws {
        let calls = ConcurrencyLimit(64, patience: .zero)
        let mine = await begin(16, calls, for: alice)
        #expect(await Work(calls, for: alice).refusal == .shareTaken)
        let others = await begin(16, calls, for: bob)
        for work in mine + others { await work.end() }
        try await calls.run(for: alice) {}
    }

    @Test func `60 people behind one address wait for their turn, and at most 48 wait`() async {
        let calls = ConcurrencyLimit(64, patience: patient)
        let served = await begin(16, calls, for: alice)
        let waiting = await wait(48, calls, for: alice)
        #expect(await Work(calls, for: alice).refusal == .shareTaken)
        for work in served { await work.end() }
        for work in waiting {
            await work.hasBegun()
            await work.end()
            #expect(await work.refusal == nil)
        }
    }

    @Test func `a free call goes to the client with the fewest calls, not to the first in line`() async {
        let calls = ConcurrencyLimit(8, patience: patient)
        let (carol, dave) = (ClientAddress("192.0.2.3"), ClientAddress("2001:db8::1"))
        let taken = await begin(4, calls, for: alice) + begin(3, calls, for: bob) + begin(1, calls, for: carol)
        let greedy = await wait(1, calls, for: bob)
        let newcomer = await wait(1, calls, for: dave)
        await taken[0].end()
        await newcomer[0].hasBegun()
        await taken[1].end()
        await greedy[0].hasBegun()
        for work in taken.dropFirst(2) + greedy + newcomer { await work.end() }
    }

    @Test func `a client with its whole share is refused at once if all calls are taken`() async {
        let calls = ConcurrencyLimit(2, patience: patient)
        let taken = await begin(2, calls, for: alice)
        #expect(await Work(calls, for: alice).refusal == .allTaken)
        for work in taken { await work.end() }
    }

    @Test func `a request that waits too long for a free call is refused`() async {
        let calls = ConcurrencyLimit(4, patience: .zero)
        let taken = await begin(4, calls, for: alice)
        #expect(await Work(calls, for: bob).refusal == .allTaken)
        for work in taken { await work.end() }
    }

    @Test func `a cancelled request gives up its place, and a failed request its call`() async throws {
        let calls = ConcurrencyLimit(1, patience: patient)
        let taken = await begin(1, calls, for: alice)
        let waiting = await wait(1, calls, for: bob)
        waiting[0].result.cancel()
        #expect(await waiting[0].refusal == .allTaken)
        #expect(calls.waitingCount == 0)
        await taken[0].end()
        await #expect(throws: CancellationError.self) { try await calls.run(for: bob) { throw CancellationError() } }
        try await calls.run(for: alice) {}
    }

    @Test func `calls for which no visitor waits get their turn, however many one client begins`() async {
        let calls = ConcurrencyLimit(8, patience: nil, places: 80)
        let taken = await begin(4, calls, for: bob) + begin(4, calls, for: alice)
        let waiting = await wait(20, calls, for: alice)
        #expect(await Work(calls, for: alice).refusal == .shareTaken, "a quarter of the places")
        let other = await wait(1, calls, for: bob)
        for work in taken { await work.end() }
        for work in other + waiting {
            await work.hasBegun()
            await work.end()
            #expect(await work.refusal == nil)
        }
    }

    /// Begins works one after the other, so that they wait in this order.
    private func wait(_ count: Int, _ calls: ConcurrencyLimit, for client: ClientAddress) async -> [Work] {
        var works: [Work] = []
        for expected in calls.waitingCount + 1...calls.waitingCount + count {
            works.append(Work(calls, for: client))
            while calls.waitingCount < expected { await Task.yield() }
        }
        return works
    }
}
