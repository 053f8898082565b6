import Encoding
import Foundation
import Sessions
import TestSupport

/// A store in a separate process: runs the order in each line of its input and answers with one or more lines.
@main struct StoreExerciser {
    let vault: Vault
    var store: SessionVault { vault.sessions }

    static func main() async throws {
        do throws(StoreError) {
            let store = try FileStore(directory: CommandLine.arguments[1])
            let exerciser = StoreExerciser(vault: Vault(in: store, random: RandomBytes(announced)))
            say("ready")
            while let line = readLine() {
                await exerciser.obey(line.split(separator: " ").map(String.init))
            }
        } catch {
            say("error \(error.code.rawValue)")
        }
    }

    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// Prints every ticket before it is used, so that a test can look for the session after a kill.
    @Sendable private static func announced(_ count: Int) throws(StoreError) -> [UInt8] {
        let bytes = try RandomBytes.system()(count)
        if count == Ticket.byteCount { say("try \(Base64URL.encode(bytes))") }
        return bytes
    }

    private func obey(_ words: [String]) async {
        let argument = words.dropFirst().first ?? ""
        do {
            switch words.first {
            case "create": await create()
            case "flood": await flood(Int(argument) ?? 0)
            case "check": await check(argument)
            case "remove":
                try await store.remove(ticket(argument))
                Self.say("ok")
            case "spend": Self.say(try await vault.states.spend(argument, expires: .testStart) ? "yes" : "no")
            case "increment": try await increment(ticket(argument), times: Int(words[2]) ?? 0)
            case "hold": try await hold(ticket(argument))
            default: Self.say("error unknown command")
            }
        } catch {
            Self.say("error \((error as? StoreError)?.code.rawValue ?? String(describing: error))")
        }
    }

    private func ticket(_ text: String) throws -> Ticket {
        guard let ticket = Ticket(cookieValue: text) else { throw CocoaError(.formatting) }
        return ticket
    }

    private func create() async {
        do throws(StoreError) {
            Self.say("ok \(try await store.create(.example(), now: .testStart).cookieValue)")
        } catch {
            Self.say("error \(error.code.rawValue)")
        }
    }

    private func flood(_ count: Int) async {
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await create() } }
        }
        Self.say("done")
    }

    private func check(_ text: String) async {
        do {
            let session = try await store.session(for: ticket(text), now: .testStart)
            Self.say(session.map { "session \($0.identity.subject)" } ?? "none")
        } catch {
            Self.say("error \((error as? StoreError)?.code.rawValue ?? "other")")
        }
    }

    /// Increments a counter in the session's profile, several times concurrently.
    private func increment(_ ticket: Ticket, times: Int) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<times {
                group.addTask {
                    try await store.update(ticket, now: .testStart) { session in
                        let count = session.profile.flatMap { Int(String(decoding: $0.content, as: UTF8.self)) } ?? 0
                        session.profile = CachedProfile(content: Array("\(count + 1)".utf8), fetched: .testStart)
                    }
                }
            }
            try await group.waitForAll()
        }
        Self.say("done")
    }

    /// Holds a session's lock until the process is killed.
    private func hold(_ ticket: Ticket) async throws {
        _ = try await store.update(ticket, now: .testStart) { _ in
            Self.say("held")
            try await Task.sleep(for: .seconds(3_600))
        }
    }
}
