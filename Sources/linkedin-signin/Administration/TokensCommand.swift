import ArgumentParser
import Sessions

/// `tokens`: administers the personal tokens in the store, while `serve` runs.
struct TokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Administer personal tokens, which scripts send in place of a session cookie.",
        subcommands: [ListTokens.self, ShowToken.self, CreateToken.self, RevokeTokens.self]
    )
}

/// `tokens list`: shows the tokens in the store.
struct ListTokens: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the personal tokens in the store, the newest first.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin tokens list [--site <site>] [--settings-file <file>]
              [--json] [--subject <subject>] [--email <address>]
            """,
        discussion: """
            Shows each personal token with its ID, its expiry time, its last use, its name, \
            and the subject and the e-mail address of its owner. With --json, prints all \
            values as an array with one line for each token. tokens list does not show \
            expired tokens. No command can show the token itself, because the store has only \
            a hash of it.

            The program stores the time of a use at most once an hour, so the real last use \
            can be up to one hour later than the time in the table.

            Exits with 0, even if there are no tokens; without --json, with 65 if nothing is \
            stored about the member; with 69 if the store cannot be used; with 78 if the \
            settings are wrong.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var member: MemberOptions

    func perform() throws(StartFailure) {
        let store = try SessionsCommand.store(settings).store
        guard member.count > 0 else { return try OwnedTokens(in: store).all.show(json: json) }
        let stored = try StoredMembers(in: store)
        let members = stored.members(member) ?? []
        // An empty array says it to a script.
        guard json || !members.isEmpty else { throw .unknownMember(member) }
        stored.tokens.all.filter { members.contains($0.grant.owner) }.show(json: json)
    }
}

/// `tokens show`: shows one token.
struct ShowToken: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one personal token: its owner, locations and times, but not the token itself.",
        usage: """
            linkedin-signin tokens show <id> [--site <site>]
              [--settings-file <file>] [--json]
            """,
        discussion: """
            Exits with 0; with 65 if no token has this ID, or several IDs begin with these \
            digits; with 69 if the store cannot be used; with 78 if the settings are wrong.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: ArgumentHelp("The ID, or at least its first 4 digits.", valueName: "id"))
    var id: SessionIDPrefix

    func perform() throws(StartFailure) {
        let tokens = try OwnedTokens(in: try SessionsCommand.store(settings).store).all
        try tokens.only(id).show(json: json)
    }
}

/// `tokens revoke`: ends tokens.
struct RevokeTokens: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke personal tokens: the program rejects the next request with a revoked token.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin tokens revoke <id> ... [--site <site>]
              [--settings-file <file>] [--dry-run] [--json]
            linkedin-signin tokens revoke --subject <subject>
            linkedin-signin tokens revoke --email <address>
            linkedin-signin tokens revoke --all
            """,
        discussion: """
            Revokes the tokens on every machine, while serve runs, and prints how many \
            tokens it revoked. If one of several IDs is not found, no token is revoked.

            --email revokes all tokens of each member who has the address in a session or as \
            the owner of a token.

            Exits with 0; with 65 if no token has an ID, if several IDs begin with the same \
            digits, or if nothing is stored about the member; with 69 if the store cannot be \
            used; with 78 if the settings are wrong.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @OptionGroup var choice: RevocationOptions

    @OptionGroup var change: ChangeOptions

    func perform() throws(StartFailure) {
        let revocation = try Revocation(settings, change)
        revocation.report(try revocation.end(.tokens, of: choice))
    }
}
