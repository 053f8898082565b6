import Dispatch
import Foundation
import Sessions
import TestSupport
import Testing

/// More requests than the disk can handle.
@Suite(.timeLimit(.minutes(1))) struct FloodTests {
    /// fsync waits while this group is entered.
    let disk = DispatchGroup()
    let directory: StoreDirectory
    var store: SessionVault { directory.store }
    let now = Date.testStart

    init() throws {
        let disk = disk
        directory = try StoreDirectory(
            files: FileSystem { call in
                if call == .fsync { disk.wait() }
                return nil
            }
        )
    }

    @Test func `a flood is rejected at once and disturbs neither running sign-ins nor the sweeper`() async throws {
        let (ticket, _) = try await directory.record()
        disk.enter()
        let (refusals, refused) = AsyncStream.makeStream(of: StoreError.self)
        let flood = Task {
            await withTaskGroup { group in
                for number in 0..<5_000 {
                    group.addTask {
                        do throws(StoreError) {
                            _ = try await directory.vault.states.spend("state \(number)", expires: now)
                        } catch {
                            refused.yield(error)
                        }
                    }
                }
            }
        }
        // Sixteen threads with 256 tasks each; all other requests are rejected while fsync waits.
        var count = 0
        for await error in refusals {
            #expect(error.code == .busy)
            count += 1
            if count == 5_000 - 16 * 256 { break }
        }
        _ = try await store.sweep(shard: 0, now: now)
        try await store.remove(#require(Ticket(cookieValue: String(repeating: "A", count: 43))))
        #expect(try await store.session(for: ticket, now: now) != nil)
        async let created = store.create(.example(), now: now)
        async let removed: Void = store.remove(ticket)
        disk.leave()
        #expect(try await store.session(for: created, now: now) != nil)
        try await removed
        #expect(try await store.session(for: ticket, now: now) == nil)
        await flood.value
        #expect(try directory.files("spent").count == 5_000 - count)
    }
}
