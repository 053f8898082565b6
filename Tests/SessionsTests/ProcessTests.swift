import Foundation
import Sessions
import TestSupport
import Testing

/// Several processes with one directory.
@Suite(.timeLimit(.minutes(2))) struct ProcessTests {
    let directory: TemporaryDirectory
    let path: String
    let place: FileStore
    var store: SessionVault { place.sessions }

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("store")
        place = try FileStore(directory: path, lockPatience: .seconds(60))
    }

    @Test func `a killed process loses no acknowledged session and leaves no partial one`() async throws {
        var attempted: Set<String> = []
        var acknowledged: Set<String> = []
        while acknowledged.count < 1_000 {
            let exerciser = try await Exerciser.start(path)
            let limit = Int.random(in: 1...150)
            var count = 0
            var answer = try await exerciser.firstLine(of: "flood 300")
            while let line = answer {
                let words = line.split(separator: " ").map(String.init)
                if words[0] == "try" { attempted.insert(words[1]) }
                if words[0] == "ok" {
                    acknowledged.insert(words[1])
                    count += 1
                }
                if count == limit { exerciser.kill() }
                answer = await exerciser.line()
            }
        }
        #expect(acknowledged.isSubset(of: attempted))
        var stored = 0
        for text in attempted {
            let ticket = try #require(Ticket(cookieValue: text))
            let session = try await store.session(for: ticket, now: .testStart)
            #expect(session != nil || !acknowledged.contains(text))
            if session != nil { stored += 1 }
        }
        // Records that were not acknowledged must be complete too: a ticket opens every record.
        var counts = SweepCounts()
        for shard in 0..<RecordName.shardCount { counts += try await store.sweep(shard: shard, now: .testStart) }
        #expect(counts.live == stored)
        #expect(counts.damaged == 0)
    }

    @Test func `no update is lost among three processes`() async throws {
        let ticket = try await store.create(.example(profile: nil), now: .testStart)
        let (first, second) = (try await Exerciser.start(path), try await Exerciser.start(path))
        async let one = first.ask("increment \(ticket.cookieValue) 20")
        async let two = second.ask("increment \(ticket.cookieValue) 20")
        for _ in 0..<10 {
            _ = try await store.update(ticket, now: .testStart) { session in
                let count = session.profile.flatMap { Int(String(decoding: $0.content, as: UTF8.self)) } ?? 0
                session.profile = CachedProfile(content: Array("\(count + 1)".utf8), fetched: .testStart)
            }
        }
        #expect(try await one == "done")
        #expect(try await two == "done")
        let session = try await store.session(for: ticket, now: .testStart)
        #expect(session?.profile?.content == Array("50".utf8))
    }

    @Test func `of fifty attempts to spend a state in three processes, one succeeds`() async throws {
        let (first, second) = (try await Exerciser.start(path), try await Exerciser.start(path))
        let states = Vault(in: place).states
        let answers = try await withThrowingTaskGroup { group in
            for index in 0..<50 {
                group.addTask {
                    switch index % 3 {
                    case 0: try await first.ask("spend state")
                    case 1: try await second.ask("spend state")
                    default: try await states.spend("state", expires: .testStart) ? "yes" : "no"
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0 == "yes" }.count == 1)
        #expect(answers.filter { $0 == "no" }.count == 49)
    }

    @Test func `the lock of a killed process is released at once`() async throws {
        let ticket = try await store.create(.example(), now: .testStart)
        let holder = try await Exerciser.start(path)
        #expect(try await holder.ask("hold \(ticket.cookieValue)") == "held")
        let impatient = try FileStore(directory: path, lockPatience: .milliseconds(20)).sessions
        await #expect(throws: StoreError.self) { try await impatient.update(ticket, now: .testStart) { _ in } }
        #expect(try await store.session(for: ticket, now: .testStart) != nil)
        holder.kill()
        #expect(await holder.line() == nil)
        #expect(try await impatient.update(ticket, now: .testStart) { $0.profile = nil } != nil)
    }
}

extension Exerciser {
    fileprivate func firstLine(of order: String) async throws -> String? {
        try give(order)
        return await line()
    }
}
