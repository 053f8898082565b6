import ArgumentParser
import Sessions

import struct FoundationEssentials.Date

/// `sessions list`: shows the sessions in the store.
struct ListSessions: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the sessions in the store, the newest first.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin sessions list [--site <site>] [--settings-file <file>]
              [--json] [--subject <subject>] [--email <address>]
              [--older-than <time>] [--newer-than <time>]
              [--unused-for <time>] [--used-within <time>]
            """,
        discussion: """
            Shows each session with its ID, when the member signed in, its last use, the \
            subject and the e-mail address. With --json, all values are in an array with \
            one line for each session. Expired sessions are not shown.

            An ID names a session in the store. With only an ID, nobody can use the \
            session. The table has the first 12 of its 32 digits, which the other commands \
            accept. Characters that could change a terminal are shown as U+FFFD.

            The last use is up to five minutes late.

            Exits with 0, even if there are no sessions; without --json with 65 if nothing is \
            stored about the member, with 69 if the store cannot be used, with 78 if the \
            settings are wrong.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var filter: SessionFilter

    func perform() throws(StartFailure) {
        let stored = try StoredMembers(in: try SessionsCommand.store(settings).store)
        let (members, now) = (stored.members(filter.member), Date())
        let sessions = stored.sessions.live
            .filter { members?.contains($0.identity.member) ?? true && filter.admits($0, now: now) }
        // An empty array says it to a script.
        guard json || members?.isEmpty != true else { throw .unknownMember(filter.member) }
        sessions.newestFirst.show(json: json)
    }
}

/// `sessions show`: shows one session.
struct ShowSession: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one session.",
        usage: """
            linkedin-signin sessions show <id> [--site <site>]
              [--settings-file <file>] [--json]
            """,
        discussion: """
            Shows the values of the session that are stored readable. Tokens and profile \
            are not: only the cookie of the session opens them.

            Exits with 0, with 65 if no session or several have this ID, with 69 if the \
            store cannot be used, with 78 if the settings are wrong.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: ArgumentHelp("The ID, or at least its first 4 digits.", valueName: "id"))
    var id: SessionIDPrefix

    func perform() throws(StartFailure) {
        try SessionWalk(store: try SessionsCommand.store(settings).store).session(id).show(json: json)
    }
}
