import ArgumentParser
import Sessions

/// `sessions revoke`: ends sessions.
struct RevokeSessions: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End sessions: their cookies no longer sign anybody in.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin sessions revoke <id> ... [--site <site>]
              [--settings-file <file>] [--dry-run] [--json]
            linkedin-signin sessions revoke --subject <subject> [--everything]
            linkedin-signin sessions revoke --email <address> [--everything]
            linkedin-signin sessions revoke --all [--everything]
            """,
        discussion: """
            Ends the sessions on every machine, while serve runs, and prints how many \
            there were. The members can sign in again. A session that begins during the \
            command may stay.

            Personal tokens of the members still work. The command prints how many there \
            are, and the command that revokes them. With --everything, it revokes them \
            too: use this when somebody leaves.

            --email ends all sessions of each member who has the address in a session or \
            as the owner of a personal token. With several IDs, no session ends unless all \
            of them are found. --all also removes expired sessions and records that cannot \
            be read.

            Exits with 0, with 65 if no session or several have an ID or nothing is \
            stored about the member, with 69 if the store cannot be used, with 78 if the \
            settings are wrong.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @OptionGroup var choice: RevocationOptions

    @Flag(help: "Revoke the personal tokens of the members too.")
    var everything = false

    @OptionGroup var change: ChangeOptions

    func validate() throws {
        guard choice.ids.isEmpty || !everything else {
            throw ValidationError("--everything needs --subject, --email or --all.")
        }
    }

    func perform() throws(StartFailure) {
        let revocation = try Revocation(settings, change)
        revocation.report(try revocation.end(everything ? [.sessions, .tokens] : .sessions, of: choice))
    }
}
