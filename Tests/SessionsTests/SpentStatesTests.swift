import Foundation
import Sessions
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SpentStatesTests {
    private let directory: TemporaryDirectory
    private let start = Date.testStart

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ maximum: Int) throws -> Vault {
        let files = try FileStore(directory: directory.path("store"))
        return Vault(in: files, spentStates: maximum)
    }

    private func after(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    private func spend(
        _ state: String,
        from client: UInt64,
        in store: Vault,
        now: Date? = nil
    ) async throws
        -> SpendOutcome
    {
        let now = now ?? start
        return try await store.states.spend(state, from: client, expires: now.addingTimeInterval(600), now: now)
    }

    @Test func `one client can use a quarter of the spent-state marks`() async throws {
        let store = try open(100)
        for client in 0..<4 as Range<UInt64> {
            for number in 0..<25 {
                #expect(try await spend("\(client)/\(number)", from: client, in: store) == .spent)
            }
            let outcome = try await spend("\(client)/25", from: client, in: store)
            #expect(outcome == (client == 3 ? .full : .shareTaken))
        }
        #expect(try await spend("other", from: 5, in: store) == .full)
        #expect(try await store.sweepMarks(now: after(599)).forgotten == 0)
        #expect(try await spend("other", from: 5, in: store) == .full)
        #expect(try await store.sweepMarks(now: after(601)).forgotten == 100)
        // Shares end with the minute in which their marks expire.
        #expect(try await spend("other", from: 1, in: store, now: after(661)) == .spent)
    }

    @Test func `a state that was spent before counts as one mark`() async throws {
        let store = try open(100)
        #expect(try await spend("state", from: 1, in: store) == .spent)
        for _ in 0..<200 { #expect(try await spend("state", from: 1, in: store) == .usedBefore) }
        for number in 0..<24 { #expect(try await spend("\(number)", from: 1, in: store) == .spent) }
        #expect(try await spend("25", from: 1, in: store) == .shareTaken)
    }

    @Test func `marks of other and earlier processes count after the first sweep`() async throws {
        let earlier = try open(100)
        for number in 0..<25 { #expect(try await spend("\(number)", from: 1, in: earlier) == .spent) }
        let store = try open(100)
        _ = try await store.sweepMarks(now: start)
        for client in 2..<5 as Range<UInt64> {
            for number in 0..<25 { #expect(try await spend("\(client)/\(number)", from: client, in: store) == .spent) }
        }
        #expect(try await spend("other", from: 6, in: store) == .full)
    }

    @Test func `the share of a client is a quarter, but at least a minimum and at most the total`() {
        #expect([100, 16, 3, 0].map { FairShare.of($0, atLeast: 4) } == [25, 4, 3, 0] && FairShare.of(3) == 0)
    }

    @Test func `half of the free files of the file system stay for sessions`() {
        #expect(SpentLedger.limit(50_000, count: 0, free: 1_000_000) == 50_000)
        #expect(SpentLedger.limit(50_000, count: 100, free: 2_900) == 1_500)
        #expect(SpentLedger.limit(50_000, count: 0, free: 0) == 1)
    }
}
