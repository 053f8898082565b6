import ArgumentParser
import Sessions

/// `sessions revoke`: ends sessions.
struct RevokeSessions: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End sessions: the program then rejects their cookies.",
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
            sessions it ended. Afterwards, the members can sign in again. sessions revoke \
            can miss a session that begins while the command runs.

            Personal tokens of the members still work: the command prints the number of \
            these tokens, and the command that revokes them. With --everything, sessions \
            revoke also revokes the personal tokens: use --everything when somebody leaves.

            --email ends all sessions of each member who has the address in a session or as \
            the owner of a personal token. If one of several IDs is not found, no session \
            ends. --all also removes expired sessions and records that cannot be read.

            Exits with 0; with 65 if no session has an ID, if several IDs begin with the \
            same digits, or if nothing is stored about the member; with 69 if the store \
            cannot be used; with 78 if the settings are wrong.
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
