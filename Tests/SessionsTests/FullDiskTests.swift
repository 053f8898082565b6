import Foundation
import Glibc
import TestSupport
import Testing

/// A file system of 256 KiB, seen by one process alone.
@Suite(.timeLimit(.minutes(1))) struct FullDiskTests {
    let temporary: TemporaryDirectory

    init() throws {
        temporary = try TemporaryDirectory()
    }

    /// Mounts in a mount namespace of its own, and in a user namespace besides where this does not run as root.
    ///
    /// Where the system allows neither, the test fails: a skipped one would look like a store that was tried.
    private func start() async throws -> Exerciser {
        let namespace = geteuid() == 0 ? [] : ["--user", "--map-root-user"]
        let script = "mount -t tmpfs -o size=256k,mode=700 none \"$1\" && shift && exec \"$@\""
        return try await Exerciser.start(
            temporary.path + "/store",
            prefix: ["unshare"] + namespace + ["--mount", "sh", "-c", script, "sh", temporary.path]
        )
    }

    @Test func `a full disk refuses new sessions, keeps the others, and recovers when there is space`() async throws {
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
        // What fails leaves nothing behind that would take space: a hundred more failures change nothing.
        for _ in 0..<100 { #expect(try await exerciser.ask("create") == "error full") }
        for ticket in tickets.prefix(5) { #expect(try await exerciser.ask("remove \(ticket)") == "ok") }
        #expect(try await exerciser.ask("create")?.hasPrefix("ok ") == true)
        #expect(try await exerciser.ask("spend state") == "yes")
    }
}
