import ArgumentParser
import Sessions
import Settings

import struct FoundationEssentials.Date

/// `tokens`: administers the personal tokens in the store, while `serve` runs.
struct TokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Administer personal tokens, which scripts send in place of a session.",
        subcommands: [List.self, Show.self, Create.self, Revoke.self]
    )

    /// Runs a call of the store.
    ///
    /// - Throws: `StartFailure` if the store fails.
    static func available<Success: Sendable>(
        _ work: @escaping @Sendable () async throws(StoreError) -> Success
    ) throws(StartFailure) -> Success {
        do throws(StoreError) {
            return try wait(work)
        } catch {
            throw .unavailable(error)
        }
    }

    /// All tokens that have not ended, the newest first.
    static func all(in store: any CompleteStore) throws(StartFailure) -> [ListedToken] {
        let now = Date()
        return try available { () async throws(StoreError) in try await store.tokens(of: nil, now: now) }
            .sorted { $0.grant.created != $1.grant.created ? $0.grant.created > $1.grant.created : $0.id < $1.id }
    }

    /// Revokes all tokens of a member, of the accepted issuers and of others.
    ///
    /// - Returns: How many were revoked.
    static func revokeAll(
        of subject: String,
        _ issuers: [String],
        from store: any CompleteStore
    ) throws(StartFailure) -> Int {
        let found = try all(in: store).filter { $0.grant.subject == subject }.map(\.grant.issuer)
        var count = 0
        for issuer in Set(issuers + found) {
            let member = Identity(issuer: issuer, subject: subject)
            count += try available { () async throws(StoreError) in try await store.revokeAllTokens(of: member) }
        }
        return count
    }

    /// The token whose ID begins with these digits.
    ///
    /// - Throws: `StartFailure` if there is none or more than one.
    static func token(_ prefix: SessionIDPrefix, in tokens: [ListedToken]) throws(StartFailure) -> ListedToken {
        try prefix.only(of: tokens, called: "personal token") { $0.id.description }
    }
}

extension TokensCommand {
    /// `tokens list`: shows the tokens in the store.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Show the personal tokens in the store, the newest first.",
            // By hand, because the library does not wrap this line.
            usage: """
                linkedin-signin tokens list [--settings-file <file>] [--json]
                  [--subject <subject>]
                """,
            discussion: """
                Shows each token with its ID, its end, its last use, the subject of its owner \
                and its name. With --json, all values are in an array with one line for each \
                token. Tokens that have ended are not shown, and neither are the tokens \
                themselves: nobody can read them from the store.

                The last use is up to one hour late.

                Exits with 0, even if there are no tokens; with 69 if the store cannot be \
                used, with 78 if the settings are wrong.
                """
        )

        @OptionGroup var settings: SettingsOptions

        @Flag(help: "Print JSON.")
        var json = false

        @Option(help: ArgumentHelp("Only tokens of the member with this subject.", valueName: "subject"))
        var subject: Subject?

        func run() throws {
            try SessionsCommand.perform { () throws(StartFailure) in
                let tokens = try TokensCommand.all(in: try SessionsCommand.store(settings).0)
                    .filter { subject.map(\.text) ?? $0.grant.subject == $0.grant.subject }
                if json {
                    print(TokenText.json(tokens), terminator: "")
                } else if tokens.isEmpty {
                    Console.tell("no personal tokens")
                } else {
                    print(TokenText.table(tokens), terminator: "")
                }
            }
        }
    }

    /// `tokens show`: shows one token.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show one personal token: its owner, locations and times, but not the token itself.",
            usage: """
                linkedin-signin tokens show <id> [--settings-file <file>] [--json]
                """,
            discussion: """
                Exits with 0, with 65 if no token or several have this ID, with 69 if the \
                store cannot be used, with 78 if the settings are wrong.
                """
        )

        @OptionGroup var settings: SettingsOptions

        @Flag(help: "Print JSON.")
        var json = false

        @Argument(help: ArgumentHelp("The ID, or at least its first 4 digits.", valueName: "id"))
        var id: SessionIDPrefix

        func run() throws {
            try SessionsCommand.perform { () throws(StartFailure) in
                let tokens = try TokensCommand.all(in: try SessionsCommand.store(settings).0)
                let token = try TokensCommand.token(id, in: tokens)
                print(json ? TokenText.json(token) + "\n" : TokenText.page(token), terminator: "")
            }
        }
    }

    /// `tokens revoke`: ends tokens.
    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revoke personal tokens: the next request with them is rejected.",
            // By hand, because the library does not wrap this line.
            usage: """
                linkedin-signin tokens revoke <id> ... [--settings-file <file>]
                linkedin-signin tokens revoke --subject <subject>
                linkedin-signin tokens revoke --all
                """,
            discussion: """
                Revokes the tokens on every machine, while serve runs, and prints how many \
                there were. With several IDs, no token is revoked unless all of them are \
                found.

                Exits with 0, with 65 if no token or several have an ID, with 69 if the \
                store cannot be used, with 78 if the settings are wrong.
                """
        )

        @OptionGroup var settings: SettingsOptions

        @Option(help: ArgumentHelp("Revoke all tokens of the member with this subject.", valueName: "subject"))
        var subject: [Subject] = []

        @Flag(help: "Revoke all tokens.")
        var all = false

        @Argument(help: ArgumentHelp("The IDs, or at least their first 4 digits.", valueName: "id"))
        var ids: [SessionIDPrefix] = []

        func validate() throws {
            guard [ids.isEmpty ? 0 : 1, subject.count, all ? 1 : 0].reduce(0, +) == 1 else {
                throw ValidationError("Write IDs, or one of --subject and --all.")
            }
        }

        func run() throws {
            try SessionsCommand.perform { () throws(StartFailure) in
                let store = try SessionsCommand.store(settings).0
                let tokens = try TokensCommand.all(in: store)
                var chosen: Set<PersonalTokenID> = []
                for id in ids { chosen.insert(try TokensCommand.token(id, in: tokens).id) }
                for token in tokens where all || token.grant.subject == subject.first?.text { chosen.insert(token.id) }
                let revoked = Array(chosen)
                let count = try TokensCommand.available { () async throws(StoreError) in
                    try await store.revokeTokens(revoked, of: nil)
                }
                print("personal tokens revoked: \(count)")
            }
        }
    }
}
