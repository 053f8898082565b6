import Foundation
import Glibc
import Sessions
import Synchronization
import TestSupport
import Testing

/// Every system call of every operation fails once.
@Suite(.timeLimit(.minutes(1))) struct FaultTests {
    let disk = FaultyDisk()
    let directory: StoreDirectory
    var store: SessionVault { directory.store }
    let now = Date.testStart

    init() throws {
        directory = try StoreDirectory(lockPatience: .zero, files: disk.files)
    }

    /// Repeats some work, in which first the first system call fails, then the second, until none fails.
    private func forEachFault(
        _ number: Int32,
        _ work: (_ round: Int) async throws -> Void,
        then check: (_ error: StoreError?, _ call: FileSystem.Call, _ round: Int) async throws -> Void
    ) async throws {
        for count in 0..<1_000 {
            disk.fail(after: count, with: number)
            var failure: StoreError?
            do {
                try await work(count)
            } catch {
                failure = try #require(error as? StoreError)
            }
            guard let call = disk.heal() else {
                #expect(failure == nil)
                #expect(count > 5)
                return
            }
            try await check(failure, call, count)
        }
        Issue.record("the work makes too many system calls")
    }

    @Test(arguments: [(EIO, StoreError.Code.unusable), (EROFS, .unusable), (ENOSPC, .full), (EDQUOT, .full)])
    func `nothing remains of a session that could not be created`(number: Int32, code: StoreError.Code) async throws {
        var (expected, ticket) = (0, nil as Ticket?)
        try await forEachFault(number) { _ in
            ticket = nil
            ticket = try await store.create(.example(), now: now)
            expected += 1
        } then: { error, call, _ in
            if let ticket { #expect(try await store.session(for: ticket, now: now) == .example()) }
            if let error {
                #expect(error.code == (call == .random ? .noRandom : code))
                #expect(call == .random || error.detail.hasPrefix("\(directory.path): \(call.rawValue): "))
            }
            let names = try directory.files().filter { !$0.contains("/.new-") }
            #expect(names.count == expected, "after a failed \(call)")
            // A file that cannot be unlinked is left to the sweeper; no other failure leaves a file.
            if call != .unlink { #expect(try directory.files().count == expected, "after a failed \(call)") }
            for stray in try directory.files() where stray.contains("/.new-") { unlinkStray(stray) }
        }
    }

    private func unlinkStray(_ path: String) {
        // The next round begins without it.
        try? FileManager.default.removeItem(atPath: path)
    }

    @Test func `a failed update leaves the old or the new session`() async throws {
        let (ticket, path) = try await directory.record()
        var before = try await store.session(for: ticket, now: now)
        try await forEachFault(EIO) { round in
            _ = try await store.update(ticket, now: now) { $0.tokens?.accessToken = "token \(round)" }
        } then: { error, call, round in
            let after = try await store.session(for: ticket, now: now)
            let isNew = after?.tokens?.accessToken == "token \(round)"
            #expect(isNew || after == before, "after a failed \(call)")
            if error == nil { #expect(isNew || after == before) }
            before = after
            let others = try directory.files().filter { $0 != path }
            if call != .unlink { #expect(others.isEmpty, "after a failed \(call)") }
            for stray in others { unlinkStray(stray) }
        }
    }

    @Test func `removing a session can be repeated after a failure`() async throws {
        var ticket = try await store.create(.example(), now: now)
        try await forEachFault(EIO) { _ in
            try await store.remove(ticket)
        } then: { error, _, _ in
            if error == nil { #expect(try await store.session(for: ticket, now: now) == nil) }
            try await store.remove(ticket)
            #expect(try await store.session(for: ticket, now: now) == nil)
            ticket = try await store.create(.example(), now: now)
        }
    }

    @Test func `removing all sessions of a member removes as many as possible, and can be repeated`() async throws {
        // The same five tickets again and again, so that there are five shards.
        let next = Mutex(0)
        let random = RandomBytes { count in
            guard count == 32 else { return Array(repeating: 0, count: count) }
            return next.withLock { number in
                defer { number = number == 4 ? 1 : number + 1 }
                return Array(repeating: UInt8(number), count: count)
            }
        }
        let directory = try StoreDirectory(random: random, files: disk.files)
        let store = directory.store
        let member = Session.example().identity
        let other = try await store.create(.example(subject: "other"), now: now)
        func refill() async throws {
            for _ in 0..<4 { _ = try await store.create(.example(), now: now) }
        }
        try await refill()
        try await forEachFault(EIO) { _ in
            _ = try await store.remove(.all(of: member.member))
        } then: { error, call, _ in
            let left = try directory.files().count - 1
            #expect(error == nil ? left == 0 : left <= 1, "after a failed \(call)")
            _ = try await store.remove(.all(of: member.member))
            #expect(try directory.files().count == 1)
            try await refill()
        }
        #expect(try await store.session(for: other, now: now) != nil)
    }

    @Test func `a state is never accepted twice, even if marking it failed`() async throws {
        try await forEachFault(EIO) { round in
            let isFirst = try await directory.vault.states.spend("state \(round)", expires: now)
            #expect(isFirst)
        } then: { error, _, round in
            let again = try await directory.vault.states.spend("state \(round)", expires: now)
            if error == nil { #expect(again == false) }
            #expect(try await directory.vault.states.spend("state \(round)", expires: now) == false)
        }
    }

    @Test func `a failed fsync is not repeated`() async throws {
        let ticket = try await store.create(.example(), now: now)
        disk.fail(.fsync, with: EIO)
        await #expect(throws: StoreError(.unusable, detail: "\(directory.path): fsync: Input/output error")) {
            try await store.update(ticket, now: now) { $0.profile = nil }
        }
        #expect(disk.count(.fsync) == 1)
        #expect(disk.count(.rename) == 0)
        disk.heal()
        #expect(try await store.session(for: ticket, now: now) == .example())
    }

    @Test func `a read that fails throws an error`() async throws {
        let ticket = try await store.create(.example(), now: now)
        for call in [FileSystem.Call.open, .stat, .read] {
            disk.fail(call, with: EIO)
            await #expect(throws: StoreError.self) { try await store.session(for: ticket, now: now) }
            disk.heal()
            #expect(try await store.session(for: ticket, now: now) == .example())
        }
    }

    @Test func `a store that became read-only still reads sessions`() async throws {
        let ticket = try await store.create(.example(), now: now)
        disk.fail(.setTimes, with: EROFS)
        #expect(try await store.session(for: ticket, now: now.addingTimeInterval(120)) == .example())
    }

    @Test func `without random bytes no ticket is created`() async throws {
        let none = RandomBytes { _ throws(StoreError) in throw StoreError(.noRandom, detail: "none") }
        let short = RandomBytes { count in Array(repeating: 1, count: count - 1) }
        for random in [none, short] {
            let directory = try StoreDirectory(random: random)
            await #expect { try await directory.store.create(.example(), now: now) } throws: { error in
                (error as? StoreError)?.code == .noRandom
            }
            #expect(try directory.files().isEmpty)
        }
    }

    @Test func `repeated random bytes never give the same ticket twice`() async throws {
        let constant = RandomBytes { count in Array(repeating: 7, count: count) }
        let directory = try StoreDirectory(random: constant)
        let ticket = try await directory.store.create(.example(subject: "first"), now: now)
        await #expect(throws: StoreError(.noRandom, detail: "random bytes repeat")) {
            try await directory.store.create(.example(subject: "second"), now: now)
        }
        #expect(try await directory.store.session(for: ticket, now: now)?.identity.subject == "first")
        #expect(try directory.files().count == 1)
    }
}
