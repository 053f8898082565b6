import ArgumentParser
import Sessions

extension SessionsCommand {
    /// `sessions revoke`: ends sessions.
    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "End sessions: the next request with their cookies finds no session.",
            // By hand, because the library does not wrap this line.
            usage: """
                linkedin-signin sessions revoke <id> ... [--settings-file <file>]
                linkedin-signin sessions revoke --subject <subject>
                linkedin-signin sessions revoke --email <address>
                linkedin-signin sessions revoke --all
                """,
            discussion: """
                Ends the sessions on every machine, while serve runs, and prints how many \
                there were. The members can sign in again. A session that begins during the \
                command may stay.

                With several IDs, no session ends unless all of them are found. --all also \
                removes sessions that have ended and records that cannot be read.

                Exits with 0, with 65 if no session or several have an ID, with 69 if the \
                store cannot be used, with 78 if the settings are wrong.
                """
        )

        @OptionGroup var settings: SettingsOptions

        @Option(help: ArgumentHelp("End all sessions of the member with this subject.", valueName: "subject"))
        var subject: [Subject] = []

        @Option(help: ArgumentHelp("End all sessions with this e-mail address, in any case.", valueName: "address"))
        var email: [Address] = []

        @Flag(help: "End all sessions.")
        var all = false

        @Argument(help: ArgumentHelp("The IDs, or at least their first 4 digits.", valueName: "id"))
        var ids: [SessionIDPrefix] = []

        func validate() throws {
            let choices = [ids.isEmpty ? 0 : 1, subject.count, email.count, all ? 1 : 0]
            guard choices.reduce(0, +) == 1 else {
                throw ValidationError("Write IDs, or one of --subject, --email and --all.")
            }
        }

        func run() throws {
            try SessionsCommand.perform { () throws(StartFailure) in
                let (store, issuers) = try SessionsCommand.store(settings)
                let count: Int
                if let subject = subject.first {
                    count = try SessionsCommand.removeAll(of: subject.text, issuers, from: store)
                } else {
                    let walk = SessionWalk(store: store)
                    count = try walk.remove(try chosen(walk))
                }
                print("sessions removed: \(count)")
            }
        }

        private func chosen(_ walk: SessionWalk) throws(StartFailure) -> [SessionID] {
            guard ids.isEmpty else {
                var chosen: Set<SessionID> = []
                for id in ids { chosen.insert(try walk.session(id).id) }
                return Array(chosen)
            }
            let list = try walk.sessions()
            guard let email = email.first else { return list.live.map(\.id) + list.ended + list.unreadable }
            return list.live.filter { $0.identity.hasEmail(email.text) }.map(\.id)
        }
    }
}
