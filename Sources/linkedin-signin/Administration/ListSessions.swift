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
            Shows each session with its ID, the time of the sign-in, the time of the last \
            use, the subject and the e-mail address. With --json, prints all values as an \
            array with one line for each session. sessions list does not show expired \
            sessions.

            An ID names a session in the store, but nobody can use the ID as a session \
            cookie. The table shows the first 12 of the 32 digits of an ID; the other \
            commands accept these 12 digits. In place of a character that could change a \
            terminal, the table shows U+FFFD.

            The program stores the time of the last use at most once in five minutes, so the \
            real last use can be up to five minutes later than the time in the table.

            Exits with 0, even if there are no sessions; without --json, with 65 if nothing \
            is stored about the member; with 69 if the store cannot be used; with 78 if the \
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
            Shows the values of the session that are not encrypted. Tokens and profile are \
            encrypted: only the cookie of the session decrypts them.

            Exits with 0; with 65 if no session has this ID, or several IDs begin with these \
            digits; with 69 if the store cannot be used; with 78 if the settings are wrong.
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
