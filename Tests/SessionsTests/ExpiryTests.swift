import Foundation
import Sessions
import TestSupport
import Testing

/// A session ends after an hour without use, or a day after the sign-in.
@Suite struct ExpiryTests {
    let directory: StoreDirectory
    var store: SessionVault { directory.store }
    let start = Date.testStart

    init() throws {
        directory = try StoreDirectory(idleLimit: .seconds(3_600))
    }

    private func lastUse(_ path: String, is time: Date) throws -> Bool {
        // The time of a file is more precise than a date.
        try abs(#require(try directory.modified(path)).timeIntervalSince(time)) < 0.001
    }

    private func after(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    @Test func `an unused session ends at the idle limit`() async throws {
        let ticket = try await store.create(.example(), now: start)
        #expect(try await store.session(for: ticket, now: after(3_600.1)) == nil)
        #expect(try await store.update(ticket, now: after(3_600.1)) { $0.profile = nil } == nil)
        #expect(try await store.session(for: ticket, now: after(3_599)) != nil)
    }

    @Test func `use extends a session beyond the idle limit`() async throws {
        let ticket = try await store.create(.example(), now: start)
        for hour in 1...20 {
            #expect(try await store.session(for: ticket, now: after(Double(hour) * 3_500)) != nil)
        }
    }

    @Test func `use does not extend a session beyond its absolute end`() async throws {
        let (ticket, path) = try await directory.record()
        for time in stride(from: 0.0, to: 86_400, by: 3_000) {
            #expect(try await store.update(ticket, now: after(time)) { $0.tokens?.accessToken += "x" } != nil)
        }
        #expect(try await store.session(for: ticket, now: after(86_399)) != nil)
        #expect(try await store.session(for: ticket, now: after(86_400)) == nil)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: [(60, 5), (3_600, 300), (604_800, 300)])
    func `use is noted once in five minutes or less`(_ limit: Int, _ interval: Double) async throws {
        let directory = try StoreDirectory(idleLimit: .seconds(limit))
        let (ticket, path) = try await directory.record()
        _ = try await directory.store.session(for: ticket, now: after(interval - 1))
        #expect(try lastUse(path, is: start))
        _ = try await directory.store.session(for: ticket, now: after(interval + 1))
        #expect(try lastUse(path, is: after(interval + 1)))
    }

    @Test func `a session in use does not end at the shortest idle limit`() async throws {
        let directory = try StoreDirectory(idleLimit: .seconds(60))
        let ticket = try await directory.store.create(.example(), now: start)
        for time in stride(from: 7.0, to: 300, by: 53) {
            #expect(try await directory.store.session(for: ticket, now: after(time)) != nil)
        }
    }

    @Test func `an update counts as use, even if it changes nothing`() async throws {
        let (ticket, path) = try await directory.record()
        _ = try await store.update(ticket, now: after(400)) { $0.profile = nil }
        #expect(try lastUse(path, is: after(400)))
        _ = try await store.update(ticket, now: after(800)) { _ in }
        #expect(try lastUse(path, is: after(800)))
    }

    @Test func `a clock that is set back neither ends nor extends a session`() async throws {
        let (ticket, path) = try await directory.record()
        _ = try await store.session(for: ticket, now: after(3_000))
        #expect(try await store.session(for: ticket, now: after(-600)) != nil)
        // The last use was in the future and is corrected.
        #expect(try lastUse(path, is: after(-600)))
        #expect(try await store.session(for: ticket, now: after(3_000)) == nil)
    }

    @Test(arguments: [-1e300, -86_400_000_000, 4_102_444_800, 1e12, 1e300, .infinity])
    func `an extreme date stops no operation`(_ time: Double) async throws {
        let odd = Date(timeIntervalSince1970: time)
        let ticket = try await store.create(.example(), now: start)
        _ = try await store.session(for: ticket, now: odd)
        _ = try await store.update(ticket, now: odd) { $0.profile = nil }
        let other = try await store.create(.example(created: odd, expires: odd), now: odd)
        _ = try await store.session(for: other, now: odd)
        #expect(try await directory.vault.states.spend("state", expires: odd))
        _ = try await store.sweep(shard: 0, now: odd)
    }
}
