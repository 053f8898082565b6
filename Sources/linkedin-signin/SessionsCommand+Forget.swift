import ArgumentParser
import EventLog
import Sessions
import Settings
import SignIn

extension SessionsCommand {
    /// `sessions forget`: removes everything that is stored about a member.
    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Remove everything that is stored about a member.",
            // By hand, because the library does not wrap this line.
            usage: """
                linkedin-signin sessions forget --subject <subject>
                  [--settings-file <file>]
                """,
            discussion: """
                Removes all sessions of the member, with access tokens and profile, and all \
                personal tokens, and prints how many there were. From the next request on, \
                no machine accepts one of them.

                Forms that are kept during a sign-in belong to no member. They are removed \
                after ten minutes.

                Exits with 0 if no session and no personal token of the member is stored any \
                more, with 69 if the store cannot be used, with 78 if the settings are wrong.
                """
        )

        @OptionGroup var settings: SettingsOptions

        @Option(
            help: ArgumentHelp(
                "The subject of the member, as in the log and in GET /session.",
                valueName: "subject"
            )
        )
        var subject: [Subject]

        func validate() throws {
            // With two, the library would ignore the first, and the operator would believe that this member is
            // forgotten too.
            guard subject.count == 1 else { throw ValidationError("Write --subject once.") }
        }

        func run() throws {
            try SessionsCommand.perform { () throws(StartFailure) in
                let (store, issuers) = try SessionsCommand.store(settings)
                var count = 0
                for subject in subject {
                    count += try SessionsCommand.removeAll(of: subject.text, issuers, from: store)
                }
                print("sessions removed: \(count)")
                var revoked = 0
                for subject in subject {
                    revoked += try TokensCommand.revokeAll(of: subject.text, issuers, from: store)
                }
                if revoked > 0 { print("personal tokens removed: \(revoked)") }
            }
        }
    }
}
