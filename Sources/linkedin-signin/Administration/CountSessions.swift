import ArgumentParser
import Sessions

/// `sessions count`: counts the sessions in the store.
struct CountSessions: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        abstract: "Count the sessions in the store.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin sessions count [--site <site>]
              [--settings-file <file>] [--json]
            """,
        discussion: """
            Prints the numbers of sessions, of their members, of expired sessions that are \
            not removed yet, and of records that are damaged, that a newer version wrote, or \
            that belong to another user of this machine.

            Exits with 0; with 69 if the store cannot be used; with 78 if the settings are \
            wrong.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Flag(help: "Print JSON.")
    var json = false

    func perform() throws(StartFailure) {
        let list = try SessionWalk(store: try SessionsCommand.store(settings).store).sessions()
        let members = Set(list.live.map(\.identity.member))
        let counts = [
            ("sessions", list.live.count), ("members", members.count), ("ended", list.ended.count),
            ("unreadable", list.unreadable.count),
        ]
        if json {
            print(SessionText.object(counts.map { ($0, String($1)) }))
        } else {
            for (name, count) in counts { print("\(name): \(count)") }
        }
    }
}

/// `sessions sweep`: removes expired sessions, without waiting for the sweeper of `serve`.
struct SweepSessions: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Remove expired sessions and sign-ins.",
        discussion: """
            While serve runs, it also removes expired sessions, and visits the whole store \
            once in 21 minutes. sessions sweep does not end sessions that have not expired.

            Exits with 0; with 69 if the store cannot be used; with 78 if the settings are \
            wrong.
            """
    )

    @OptionGroup var settings: SettingsOptions

    func perform() throws(StartFailure) {
        let store = try SessionsCommand.store(settings, toChange: true).store
        let counts = try SessionWalk(store: store).sweep()
        print("removed: \(counts.expired) expired, \(counts.idle) unused")
        print("left: \(counts.live) sessions, \(counts.damaged) damaged, \(counts.newer) of a newer version")
    }
}
