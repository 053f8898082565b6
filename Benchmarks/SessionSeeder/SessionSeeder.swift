import ArgumentParser
import Sessions

import struct Foundation.Date

/// Fills a store with copies of one session, so that a benchmark need not sign in a hundred thousand times.
@main
struct SessionSeeder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session-seeder",
        abstract: "Fill a session store with copies of a session, for measurements.",
        discussion: """
            Reads the cookie value of the session to copy from standard input. Writes the cookie value of each copy on a \
            line. Anyone who has a cookie value is signed in.
            """
    )

    @Option(help: "The state directory.")
    var directory: String

    @Option(help: "How many sessions to make.")
    var count: Int

    @Option(help: "The ID of the members' provider, if not that of the session.")
    var provider: String?

    @Option(help: "The issuer of that provider.")
    var issuer = ""

    @Option(help: "A group of the members, as from a claim with the name groups.")
    var group: String?

    func run() async throws {
        let store = SessionVault(in: try FileStore(directory: directory), idleLimit: .seconds(604_800))
        guard let ticket = readLine().flatMap({ Ticket(cookieValue: $0) }) else {
            throw ValidationError("standard input must hold a cookie value")
        }
        guard var model = try await store.session(for: ticket, now: Date()) else {
            throw ValidationError("the store has no session for this cookie value")
        }
        if let provider {
            guard let id = ProviderID(provider) else { throw ValidationError("\(provider) is no ID of a provider") }
            (model.identity.provider, model.identity.issuer) = (id, issuer)
        }
        if let group { model.identity.claims = KeptClaims([("groups", .values([group]))], groups: "groups") }
        let copied = model
        try await withThrowingTaskGroup { group in
            for first in 0..<min(Self.writers, count) {
                group.addTask { try await copy(copied, into: store, first: first) }
            }
            for try await tickets in group {
                for ticket in tickets { print(ticket.cookieValue) }
            }
        }
    }

    /// As many as the store has threads that write.
    private static let writers = 16

    /// Makes every 16th copy, each of another member.
    private func copy(_ model: Session, into store: SessionVault, first: Int) async throws -> [Ticket] {
        var tickets: [Ticket] = []
        for number in stride(from: first, to: count, by: Self.writers) {
            var session = model
            session.identity.subject += "-\(number)"
            tickets.append(try await store.create(session, now: Date()))
        }
        return tickets
    }
}
