import ArgumentParser
import Sessions

/// `sessions forget`: removes everything that is stored about a member.
struct ForgetMember: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Remove everything that is stored about a member.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin sessions forget --subject <subject>
              [--site <site>] [--settings-file <file>] [--dry-run] [--json]
            linkedin-signin sessions forget --email <address>
            """,
        discussion: """
            Removes all sessions of the member, with access tokens and profile, and all \
            personal tokens, and prints how many it removed. From the next request on, every \
            machine rejects the removed sessions and tokens.

            --email removes the sessions and tokens of each member who has the address in a \
            session or as the owner of a personal token.

            sessions forget does not remove forms that are kept during a sign-in, because a \
            kept form belongs to no member. The program removes kept forms after ten \
            minutes.

            Exits with 0; with 65 if nothing is stored about the member; with 69 if the \
            store cannot be used; with 78 if the settings are wrong.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @OptionGroup var member: MemberOptions

    @OptionGroup var change: ChangeOptions

    func validate() throws {
        guard member.count == 1 else { throw ValidationError("Write one of --subject and --email.") }
    }

    func perform() throws(StartFailure) {
        let revocation = try Revocation(settings, change)
        // A subject with a mistake must not look like a member of whom everything is removed.
        guard var ended = try revocation.end([.sessions, .tokens], ofMember: member) else {
            throw .unknownMember(member)
        }
        ended.verb = ("removed", "to remove")
        if ended.tokens == 0, !change.json { ended.tokens = nil }
        revocation.report(ended)
    }
}
