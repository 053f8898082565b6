import Foundation
import TestSupport
import Testing

/// Tests on a file system of 256 KiB that only one process sees.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: MountNamespace.missingRight == nil, "\(MountNamespace.missingRight ?? "")")
)
struct FullDiskTests {
    let temporary: TemporaryDirectory

    init() throws {
        temporary = try TemporaryDirectory()
    }

    private func start() async throws -> Exerciser {
        let script = "mount -t tmpfs -o size=256k,mode=700 none \"$1\" && shift && exec \"$@\""
        return try await Exerciser.start(
            temporary.path + "/store",
            prefix: MountNamespace.command + ["sh", "-c", script, "sh", temporary.path]
        )
    }

    @Test func `a full disk rejects new sessions, keeps the others, and recovers when there is space`() async throws {
        let exerciser = try await start()
        var tickets: [String] = []
        var answer = try await exerciser.ask("create")
        while let ticket = answer?.split(separator: " ").last, answer?.hasPrefix("ok ") == true, tickets.count < 1_000 {
            tickets.append(String(ticket))
            answer = try await exerciser.ask("create")
        }
        #expect(answer == "error full")
        #expect(tickets.count > 10)
        for ticket in tickets { #expect(try await exerciser.ask("check \(ticket)") == "session 782bbtaQ") }
        // A failed attempt leaves no file behind: a hundred more failures do not fill the disk further.
        for _ in 0..<100 { #expect(try await exerciser.ask("create") == "error full") }
        for ticket in tickets.prefix(5) { #expect(try await exerciser.ask("remove \(ticket)") == "ok") }
        #expect(try await exerciser.ask("create")?.hasPrefix("ok ") == true)
        #expect(try await exerciser.ask("spend state") == "yes")
    }
}
