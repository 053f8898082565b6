import ArgumentParser
import Guard
import HTTP
import Pages
import Settings
import SignIn
import WebServerConfiguration

extension WebServer: ExpressibleByArgument {}

/// `print-config`: prints the configuration of a web server for the settings.
struct PrintConfig: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "print-config",
        abstract: "Print a configuration of nginx or lighttpd for the settings.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin print-config <server> [--location <path> ...]
              [--require <rule> ...] [--site <site>] [--settings-file <file>]
              [--cache-verdicts <time>] [--write [<directory>] [--lines | --dry-run]]
            """,
        discussion: """
            Needs SIGNIN_BASE_URL and reads no secret. The paths of certificates, the \
            document root and the users in the output are examples: change them. Exits with \
            78 if a setting, a location or a rule is invalid.

              linkedin-signin print-config nginx \\
                --location /private/ --require "email-domain=example.com"
              linkedin-signin print-config nginx \\
                --location /a/ --require member --location /b/ --require subject=A

            --location /private/ guards all paths that begin with /private/. --location \
            /private guards the path /private and all paths that begin with /private/, but \
            not /privateer.

            A rule is one or more conditions with spaces between them, such as subject=A,B: \
            \(Condition.known). \
            A rule admits a member only if all its conditions are true. The rule anyone has \
            no other condition. Add preflight to also admit CORS preflights (OPTIONS with \
            Origin and Access-Control-Request-Method, without cookies).

            With --cache-verdicts, nginx admits a member for up to 1s, 2s, 5s or 10s before \
            it asks linkedin-signin again. Use it for pages with many files; docs/guard.md \
            says when it is slower.

            With --write, for a site that the web server already serves, the command writes \
            include files and prints the lines to add to the site. Without --location, the \
            site has sign-in, and no location is guarded. To update the include files, run \
            the command again with the same options: it then prints only the lines for new \
            files. It replaces only empty files, and files that it wrote for this site.
            """
    )

    @Argument(help: ArgumentHelp("nginx or lighttpd.", valueName: "server"))
    var server: WebServer

    @Option(
        name: .customLong("location"),
        help: ArgumentHelp("A path to guard, see above; may be repeated.", valueName: "path")
    )
    var locations: [String] = []

    @Option(
        name: .customLong("require"),
        help: ArgumentHelp("Who may pass: one rule for all locations, or one for each in order.", valueName: "rule")
    )
    var rules: [String] = []

    @Option(help: ArgumentHelp("Only nginx: keep verdicts in memory for this time.", valueName: "time"))
    var cacheVerdicts: String?

    @Option(
        name: .customLong("write"),
        defaultAsFlag: "",
        help: ArgumentHelp("Write include files to this directory, by default to Debian's.", valueName: "directory"),
        completion: .directory
    )
    var directory: String?

    @Flag(help: "With --write: show the changes and write nothing.")
    var dryRun = false

    @Flag(help: "With --write: print the lines to add for all files, also for existing files.")
    var lines = false

    @OptionGroup var settings: SettingsOptions

    func validate() throws {
        if dryRun, directory == nil { throw ValidationError("--dry-run needs --write") }
        if lines, directory == nil || dryRun { throw ValidationError("--lines needs --write without --dry-run") }
        if directory != nil, locations.isEmpty, !rules.isEmpty {
            let reason = "with --write, only the locations that you name are guarded"
            throw ValidationError("--require needs --location: \(reason)")
        }
        if cacheVerdicts != nil, server != .nginx { throw ValidationError("--cache-verdicts is an option for nginx") }
    }

    func perform() throws(StartFailure) {
        do throws(ConfigurationError) {
            let sources = try settings.sources(readSecret: { _ in "" })
            // The include files of two sites with one address would have the same names.
            let shared = sources.sharedValues
            guard directory == nil || shared.isEmpty else { throw ConfigurationError(problems: shared) }
            let front = try FrontEnd(
                sources,
                locations: locations,
                // A site that includes the guard of the example, and has no such location, would look as if it had lost it.
                guardsExample: directory == nil,
                rules: rules.isEmpty ? ["member"] : rules,
                verdictLife: cacheVerdicts
            )
            if let directory { try write(front, directory) } else { print(front.configuration(of: server)) }
            for rule in Set(rules).sorted() {
                let review = RuleReview(of: rule, settings: sources.ofRules)
                for problem in review.impossible { Console.complain("note: \(problem.subject): \(problem.message)") }
                for warning in review.warnings { Console.complain("warning: SIGNIN_REQUIRE “\(rule)”: \(warning)") }
            }
            for note in front.notes { Console.complain("note: \(note)") }
        } catch {
            throw .misconfigured(error)
        }
    }

    private func write(_ front: FrontEnd, _ directory: String) throws(ConfigurationError) {
        let include = try front.includeFiles(for: server, in: directory.isEmpty ? nil : directory)
        let writer = try IncludeFileWriter(include)
        if dryRun {
            print(writer.difference, terminator: "")
        } else {
            let isChanged = try writer.write { print($0) }
            let all = Set(include.files.map(\.path))
            let instructions = include.instructions(for: lines ? all : writer.new, isChanged: isChanged)
            if !instructions.isEmpty { print("\n\(instructions)") }
            if !lines, writer.new != all { print("\nTo print the lines that include the other files too: --lines") }
        }
        for note in writer.changes + writer.unused { Console.complain("note: \(note)") }
    }
}
