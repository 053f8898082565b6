import ArgumentParser
import Guard
import OpenID
import POSIX
import Pages
import Settings
import SignIn
import WebServerConfiguration

import struct FoundationEssentials.Date
import class FoundationEssentials.FileManager
import class FoundationEssentials.ProcessInfo

/// `check`: shows what `serve` would do with these settings.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Show every setting with its source, and report every problem.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin check [--site <site>] [--settings-file <file>]
              [--require <rule> ...] [--nginx <file>] [--lighttpd <file>] [--quiet]
            """,
        discussion: """
            Exits with 0 if the settings are valid and the state directory can be used, \
            with 78 if not. Creates and changes nothing, and shows no secret. It reads files \
            and the database; `doctor` also asks LinkedIn and the running program.

            Run as root, it reads the files as the user and groups of the service, with the \
            credentials and the directory that the unit gives it.

            The rules of guarded locations are in the web server's configuration. Use \
            --require to check a rule and its lists. Or check the web server's whole \
            configuration instead of the settings; with --site or --settings-file, the \
            command checks both:

              nginx -T | linkedin-signin check --nginx -
              lighttpd -pp -f /etc/lighttpd/lighttpd.conf | \\
                linkedin-signin check --lighttpd -
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Option(help: ArgumentHelp("A rule, as in SIGNIN_REQUIRE; may be repeated.", valueName: "rule"))
    var require: [String] = []

    @Option(
        help: ArgumentHelp("The output of nginx -T: a file, or - for standard input.", valueName: "file"),
        completion: .file()
    )
    var nginx: String?

    @Option(
        help: ArgumentHelp("The output of lighttpd -pp: a file, or - for standard input.", valueName: "file"),
        completion: .file()
    )
    var lighttpd: String?

    @Flag(help: "Print only problems.")
    var quiet = false

    func run() throws {
        var ofRules = settings.ofRules
        // Without an option, the address in the environment may be that of another program.
        if !settings.areGiven { ofRules.listen = nil }
        let user = (try? settings.place())?.userOrOwner
        ofRules.readsAsService = user != nil
        let texts = [(WebServer.nginx, nginx), (.lighttpd, lighttpd)].compactMap { server, file in
            file.map { (server, $0, ServerText.read($0)) }
        }
        let ofSettings = texts.isEmpty || settings.areGiven ? [ofSettings()] : []
        let ofFiles = ActingUser.perform(as: user) {
            require.map { RuleReview(of: $0, settings: ofRules) }.map {
                Findings(problems: $0.problems, notes: $0.notes)
            } + texts.map { Self.ofServer($0, file: $1, $2, ofRules) }
        }
        let findings = (ofSettings + ofFiles).reduce(Findings(), +)
        for note in findings.notes where !quiet { print("\nnote: \(note)") }
        guard findings.problems.isEmpty else {
            Console.complain(ConfigurationError(problems: findings.problems))
            throw ExitCode.misconfigured
        }
    }

    private func ofSettings() -> Findings {
        do throws(ConfigurationError) {
            let place = try settings.place()
            let user = place.userOrOwner
            let sources = try ActingUser.perform(as: user) { () throws(ConfigurationError) in try place.sources() }
            if !quiet { printSettings(sources) }
            let findings = Findings(notes: sources.sharedSecrets) + StateDirectory.findings(sources)
            return findings + place.findings(sources) + ActingUser.perform(as: user) { ofConfiguration(sources) }
        } catch {
            return Findings(problems: error.problems)
        }
    }

    /// Prints what the operator has to do at LinkedIn.
    private func printDuties(_ configuration: Configuration, _ scopes: [String]) {
        print("\nregister this redirect URL at LinkedIn: \(configuration.mount.redirectURI)")
        let products = LinkedInScope.products(granting: scopes)
        if !products.isEmpty {
            print("add to the application at LinkedIn: \(products.map { "“\($0)”" }.joined(separator: ", "))")
        }
    }

    private static func ofServer(
        _ server: WebServer,
        file: String,
        _ text: String?,
        _ ofRules: RuleSettings
    ) -> Findings {
        guard let text else {
            return Findings(problems: [.init(subject: file, message: "cannot be read")])
        }
        let review = ServerReview(text, from: file == "-" ? "standard input" : file, of: server, settings: ofRules)
        return Findings(problems: review.problems, notes: review.notes.map { "\($0.subject): \($0.message)" })
    }

    private func printSettings(_ sources: SettingSources) {
        for setting in Setting.all {
            let value = sources.value(setting)
            let text = value.map { setting.shown($0.text) } ?? setting.defaultText ?? ""
            print("\(setting.name)=\(text)  # \(value?.place ?? (setting.defaultText == nil ? "not set" : "default"))")
        }
        for line in ProxyVariables.lines(ProcessInfo.processInfo.environment) { print(line) }
    }

    private func ofConfiguration(_ sources: SettingSources) -> Findings {
        do throws(ConfigurationError) {
            let configuration = try Configuration(sources)
            // An error in a template is an error of the configuration.
            let pages = try PageRenderer(configuration)
            let scopes = configuration.provider.scopes
            if !quiet { printDuties(configuration, scopes) }
            let notes =
                [configuration.profile.linkNote].compactMap(\.self) + pages.notes + pages.colorNotes
                + configuration.profile.oldVersions(at: Date()) + LinkedInScope.notes(on: scopes)
            let baseURL = configuration.mount.baseURL
            let database = configuration.storing.database.map { Database.findings($0, of: baseURL) } ?? Findings()
            return configuration.listening.findings + database + Findings(notes: notes)
        } catch {
            return Findings(problems: error.problems)
        }
    }
}

/// The configuration that a web server prints.
private enum ServerText {
    /// Reads a configuration; bytes that are not UTF-8 are replaced.
    ///
    /// - Parameter file: A path, or `-` for standard input.
    /// - Returns: The text; nil if it cannot be read.
    static func read(_ file: String) -> String? {
        guard file == "-" else {
            return FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
        }
        var text = ""
        while let line = readLine(strippingNewline: false) { text += line }
        return text
    }
}
