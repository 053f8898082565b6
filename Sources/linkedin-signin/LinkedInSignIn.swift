import ArgumentParser

/// The command: where the parts meet.
@main
struct LinkedInSignIn: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "linkedin-signin",
        abstract: "Sign in with LinkedIn for any site behind nginx or lighttpd, as one FastCGI program.",
        discussion: """
            Settings are environment variables, or NAME=value lines of a file; the \
            environment wins. Three have no default:

              LINKEDIN_CLIENT_ID      from the Auth tab of your application at
                                      https://developer.linkedin.com
              LINKEDIN_CLIENT_SECRET  likewise; better LINKEDIN_CLIENT_SECRET_FILE or a
                                      systemd credential
              SIGNIN_BASE_URL         where browsers find this program, such as
                                      https://example.com

            At LinkedIn, register SIGNIN_BASE_URL followed by /oauth as the redirect URL, \
            to the letter.
            """,
        version: "0.1.0",
        subcommands: [Serve.self, Check.self, PrintConfig.self, PrintSettings.self],
        defaultSubcommand: Serve.self
    )

    /// Runs the command and ends the process, with an error if what it printed was not written.
    static func main() {
        do {
            do {
                var command = try parseAsRoot()
                try command.run()
            } catch  where exitCode(for: error).isSuccess {
                // Help and version are thrown as well.
                print(fullMessage(for: error))
            }
            try Console.finishOutput()
        } catch {
            if error as? ExitCode != .outputFailed { try? Console.finishOutput() }
            exit(withError: error)
        }
    }
}
