import Foundation
import Sessions
import Synchronization
import TestSupport
import Testing

/// What may happen once only, however many try, in two stores on one place.
@Suite(.timeLimit(.minutes(2))) struct OnceOnlyConformanceTests {
    let now = Date.testStart
    private let form = KeptForm(
        uri: "/form?a=1",
        contentType: "multipart/form-data; boundary=x",
        referer: "https://site.example/form",
        body: (0...255).map { UInt8($0) }
    )

    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    private func after(_ seconds: Double) -> Date { now.addingTimeInterval(seconds) }

    private func keep(in store: AnyStore, from sender: UInt64 = 1) async throws -> Ticket {
        let outcome = try await store.forms.keep(form, from: sender, expires: after(600), now: now)
        guard case .kept(let ticket) = outcome else { throw CocoaError(.fileWriteOutOfSpace) }
        return ticket
    }

    @Test(arguments: StoreKind.allCases)
    func `of 64 who spend a state at once, one does`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let second = try test.place.open(StoreOptions())
        for round in 0..<10 {
            let outcomes = try await withThrowingTaskGroup(of: SpendOutcome.self) { group in
                for number in 0..<64 {
                    let store = number.isMultiple(of: 2) ? test.store : second
                    group.addTask {
                        try await store.states.spend(
                            "state \(round)",
                            from: UInt64(number),
                            expires: after(600),
                            now: now
                        )
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .spent } == 1)
            #expect(outcomes.count { $0 == .usedBefore } == 63)
            #expect(try await second.states.isSpent("state \(round)"))
        }
        #expect(try await second.states.isSpent("another") == false)
        #expect(try await test.place.counts().spent == 10)
    }

    @Test(arguments: StoreKind.allCases)
    func `one sender has a quarter of the marks, and a state used before takes none`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let store = try test.place.open(StoreOptions(spentStates: 20))
        func spend(_ state: String, _ sender: UInt64) async throws -> SpendOutcome {
            try await store.states.spend(state, from: sender, expires: after(600), now: now)
        }
        for number in 0..<5 { #expect(try await spend("\(number)", 1) == .spent) }
        #expect(try await spend("6", 1) == .shareTaken)
        #expect(try await spend("0", 2) == .usedBefore)
        for number in 10..<25 { #expect(try await spend("\(number)", UInt64(number)) == .spent) }
        #expect(try await spend("25", 25) == .full)
        #expect(try await store.sweepMarks(now: after(601)).forgotten == 20)
        #expect(try await spend("25", 25) == .spent)
    }

    @Test(arguments: StoreKind.allCases)
    func `of 64 who take a kept form at once, one has it`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let second = try test.place.open(StoreOptions())
        for _ in 0..<5 {
            let ticket = try await keep(in: test.store)
            let taken = try await withThrowingTaskGroup(of: TakenForm?.self) { group in
                for number in 0..<64 {
                    let store = number.isMultiple(of: 2) ? test.store : second
                    group.addTask { try await store.forms.take(ticket, now: now) }
                }
                return try await group.reduce(into: [KeptForm]()) { if let taken = $1 { $0.append(taken.form) } }
            }
            #expect(taken == [form])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a kept form is read until it is taken, and put back it can be taken again`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let ticket = try await keep(in: test.store)
        #expect(try await test.store.forms.kept(ticket, now: after(599)) == form)
        #expect(try await test.store.sessions.session(for: ticket, now: now) == nil)
        let first = try await #require(test.store.forms.take(ticket, now: now))
        #expect(try await test.store.forms.kept(ticket, now: now) == nil)
        try await test.store.forms.putBack(first)
        let second = try await #require(test.store.forms.take(ticket, now: now))
        #expect(second.form == form)
        test.store.forms.discard(second)
        #expect(try await test.store.forms.take(ticket, now: now) == nil)
        #expect(try await test.place.counts().kept == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `a kept form is gone when its time is over`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let ticket = try await keep(in: test.store)
        #expect(try await test.store.forms.kept(ticket, now: after(600)) == nil)
        #expect(try await test.store.sweep(shard: 0, now: after(599)).unclaimed == 0)
        #expect(try await test.store.sweep(shard: 200, now: after(600)).unclaimed == 1)
        #expect(try await test.place.counts().kept == 0)
        let other = try await keep(in: test.store)
        #expect(try await test.store.forms.take(other, now: after(600)) == nil)
        #expect(try await test.place.counts().kept == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `one sender has a quarter of the room for forms, and all together have all`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let store = try test.place.open(StoreOptions(keptTotal: 16 * 16_384))
        func outcome(_ sender: UInt64) async throws -> String {
            switch try await store.forms.keep(form, from: sender, expires: after(600), now: now) {
            case .kept: "kept"
            case .full: "full"
            case .shareTaken: "share taken"
            }
        }
        for sender in 1...4 as ClosedRange<UInt64> {
            for _ in 0..<4 { #expect(try await outcome(sender) == "kept") }
            #expect(try await outcome(sender) == (sender == 4 ? "full" : "share taken"))
        }
        #expect(try await outcome(5) == "full")
    }

    @Test(arguments: StoreKind.allCases)
    func `of 64 forms that arrive at once, as many are kept as there is room for`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let store = try test.place.open(StoreOptions(keptTotal: 8 * KeptFormVault.minimumByteCount))
        let kept = try await withThrowingTaskGroup(of: Bool.self) { group in
            for sender in 0..<64 as Range<UInt64> {
                group.addTask {
                    let outcome = try await store.forms.keep(form, from: sender, expires: after(600), now: now)
                    if case .kept = outcome { return true }
                    return false
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(kept == 8)
        #expect(try await test.place.counts().kept == 8)
    }

    @Test(arguments: StoreKind.allCases)
    func `of 50 who would refresh a token at once, one does`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let second = try test.place.open(StoreOptions())
        let ticket = try await test.store.sessions.create(.example(), now: now)
        let refreshes = Counter()
        let seen = try await withThrowingTaskGroup { group in
            for index in 0..<50 {
                let store = index.isMultiple(of: 2) ? test.store : second
                group.addTask {
                    try await store.sessions.update(ticket, now: now) { session in
                        guard session.tokens?.accessToken == "access-canary" else { return }
                        refreshes.value.add(1, ordering: .relaxed)
                        await Task.yield()
                        session.tokens?.accessToken = "refreshed by \(index)"
                    }
                }
            }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1?.tokens?.accessToken) }
        }
        #expect(refreshes.value.load(ordering: .relaxed) == 1)
        #expect(seen.count == 1)
        #expect(try await second.sessions.session(for: ticket, now: now)?.tokens?.accessToken == seen.first)
    }

    @Test(arguments: StoreKind.allCases)
    func `a session removed while an update runs stays removed`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let second = try test.place.open(StoreOptions())
        let ticket = try await test.store.sessions.create(.example(), now: now)
        let changed = try await test.store.sessions.update(ticket, now: now) { session in
            try await second.sessions.remove(ticket)
            session.profile = nil
        }
        #expect(changed == nil)
        let unchanged = try await test.store.sessions.create(.example(), now: now)
        #expect(
            try await test.store.sessions.update(unchanged, now: now) { _ in try await second.sessions.remove(unchanged)
            } == nil
        )
        for _ in 0..<50 {
            let ticket = try await test.store.sessions.create(.example(), now: now)
            async let updated = test.store.sessions.update(ticket, now: now) { $0.profile = nil }
            async let removed: Void = second.sessions.remove(ticket)
            _ = try await (updated, removed)
            #expect(try await test.store.sessions.session(for: ticket, now: now) == nil)
        }
        #expect(try await test.place.records().isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a change that throws or changes nothing writes nothing and frees the session`(
        _ kind: StoreKind
    ) async throws {
        struct Refused: Error {}
        let test = try await TestStore(kind)
        let ticket = try await test.store.sessions.create(.example(), now: now)
        let records = try await test.place.records()
        await #expect(throws: Refused.self) {
            try await test.store.sessions.update(ticket, now: now) { session in
                session.profile = nil
                throw Refused()
            }
        }
        #expect(try await test.store.sessions.update(ticket, now: now) { $0.profile = $0.profile } == .example())
        #expect(try await test.place.records() == records)
        #expect(try await test.store.sessions.update(ticket, now: now) { $0.profile = nil } != nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `an update that waits too long for another fails, and readers never wait`(_ kind: StoreKind) async throws {
        let test = try await TestStore(kind)
        let impatient = try test.place.open(StoreOptions(lockPatience: .milliseconds(10)))
        let ticket = try await test.store.sessions.create(.example(), now: now)
        _ = try await test.store.sessions.update(ticket, now: now) { _ in
            await #expect(throws: StoreError(.locked, detail: "another update of the session takes too long")) {
                try await impatient.sessions.update(ticket, now: now) { _ in }
            }
            let found = try await impatient.sessions.session(for: ticket, now: now)
            #expect(found != nil)
            let waiting = Task { try await test.store.sessions.update(ticket, now: now) { _ in } }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }
}
