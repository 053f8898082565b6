import ArgumentParser

/// The command `linkedin-signin`.
///
/// Each subcommand states its name: the library would find it by reflection, at a tenth of the instructions of the start.
@main
struct LinkedInSignIn: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "linkedin-signin",
        abstract: "Sign in with LinkedIn for any site behind nginx or lighttpd, as one FastCGI program.",
        discussion: """
            Settings are environment variables, or NAME=value lines of a file. If both \
            have a setting, the program uses the environment. Three settings are required:

              LINKEDIN_CLIENT_ID      from the Auth tab of your application at
                                      https://www.linkedin.com/developers/apps
              LINKEDIN_CLIENT_SECRET  from the same place; LINKEDIN_CLIENT_SECRET_FILE or
                                      a systemd credential is safer
              SIGNIN_BASE_URL         the address of this program for browsers, such as
                                      https://example.com

            At LinkedIn, register exactly SIGNIN_BASE_URL followed by /oauth as the \
            redirect URL.
            """,
        version: "0.1.0",
        subcommands: [
            Serve.self, Check.self, Doctor.self, PrintConfig.self, PrintSettings.self, PrintTemplates.self,
            PreviewPages.self, SessionsCommand.self, TokensCommand.self, StoreCommand.self, KeyCommand.self,
        ],
        defaultSubcommand: Serve.self
    )

    /// Runs the command and ends the process, with an error if its output could not be written.
    static func main() {
        do {
            try Console.openMissingStreams()
            do {
                try requireKnownCommand(CommandLine.arguments.dropFirst().first)
                var command = try parseAsRoot()
                try command.run()
            } catch  where exitCode(for: error).isSuccess {
                // The library throws help and version, too.
                print(fullMessage(for: error))
            }
            try Console.finishOutput()
        } catch {
            if error as? ExitCode != .outputFailed { try? Console.finishOutput() }
            exit(withError: error)
        }
    }

    /// Throws for a misspelled command, which the default command would otherwise take for an argument of its own.
    private static func requireKnownCommand(_ name: String?) throws {
        guard let name, !name.hasPrefix("-"), name != "help" else { return }
        for command in configuration.subcommands where command.configuration.commandName == name { return }
        throw ValidationError("“\(name)” is not a command")
    }
}
