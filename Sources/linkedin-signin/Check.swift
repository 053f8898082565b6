import ArgumentParser
import Guard
import OpenID
import POSIX
import Pages
import Provider
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
              [--json]
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

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        var ofRules = settings.ofRules
        // Without an option, the address in the environment may be that of another program.
        if !settings.areGiven { (ofRules.listen, ofRules.mount) = (nil, nil) }
        let user = (try? settings.place())?.userOrOwner
        ofRules.readsAsService = user != nil
        let texts = [(WebServer.nginx, nginx), (.lighttpd, lighttpd)].compactMap { server, file in
            file.map { (server, $0, ServerText.read($0)) }
        }
        let printed = texts.isEmpty ? nil : front
        let ofSettings = texts.isEmpty || settings.areGiven ? [ofSettings()] : []
        let ofFiles = ActingUser.perform(as: user) {
            require.map { RuleReview(of: $0, settings: ofRules) }.map {
                Findings(problems: $0.problems, notes: $0.notes)
            } + texts.map { ofServer($0, file: $1, $2, ofRules, printed) }
        }
        var findings = (ofSettings + ofFiles).reduce(Findings(), +)
        if quiet { findings = Findings(problems: findings.problems) }
        show(findings)
        guard findings.problems.isEmpty else { throw ExitCode.misconfigured }
    }

    private func show(_ findings: Findings) {
        guard !json else { return print(findings.json) }
        for setting in findings.settings { print(setting.line) }
        if let duties = findings.duties { print(duties.text) }
        for note in findings.notes { print("\nnote: \(note)") }
        if !findings.problems.isEmpty { Console.complain(ConfigurationError(problems: findings.problems)) }
    }

    private func ofSettings() -> Findings {
        do throws(ConfigurationError) {
            let place = try settings.place()
            let user = place.userOrOwner
            let sources = try ActingUser.perform(as: user) { () throws(ConfigurationError) in try place.sources() }
            let first = Findings(notes: sources.sharedSecrets, settings: shown(sources))
            let findings = first + StateDirectory.findings(sources, of: place.service) + place.findings(sources)
            return findings + ActingUser.perform(as: user) { ofConfiguration(sources) }
        } catch {
            return Findings(problems: error.problems)
        }
    }

    /// What print-config prints for the settings; nil if they are wrong.
    private var front: FrontEnd? {
        guard let sources = try? settings.sources(readSecret: { _ in "" }) else { return nil }
        return try? FrontEnd(sources, locations: [], rules: ["member"])
    }

    private func ofServer(
        _ server: WebServer,
        file: String,
        _ text: String?,
        _ ofRules: RuleSettings,
        _ printed: FrontEnd?
    ) -> Findings {
        guard let text else {
            return Findings(problems: [.init(subject: file, message: "cannot be read")])
        }
        let review = ServerReview(
            text,
            from: file == "-" ? "standard input" : file,
            of: server,
            settings: ofRules,
            printed: printed,
            options: settings.words
        )
        return Findings(problems: review.problems, notes: review.notes.map { "\($0.subject): \($0.message)" })
    }

    private func shown(_ sources: SettingSources) -> [ShownSetting] {
        let settings = Setting.all.map { setting in
            let value = sources.value(setting)
            return ShownSetting(
                name: setting.name,
                value: value.map { setting.shown($0.text) } ?? setting.defaultText ?? "",
                source: value?.place ?? (setting.defaultText == nil ? "not set" : "default")
            )
        }
        return settings + ProxyVariables.shown(ProcessInfo.processInfo.environment)
    }

    private func ofConfiguration(_ sources: SettingSources) -> Findings {
        do throws(ConfigurationError) {
            let configuration = try Configuration(sources)
            // An error in a template is an error of the configuration.
            let pages = try PageRenderer(configuration)
            let scopes = configuration.provider.scopes
            let duties = Duties(
                redirectURL: configuration.mount.redirectURI,
                products: LinkedInScope.products(granting: scopes)
            )
            let notes =
                [configuration.profile.linkNote, configuration.pages.homeNote].compactMap(\.self) + pages.notes
                + pages.colorNotes + pages.policyNotes
                + configuration.profile.oldVersions(at: Date()) + LinkedInScope.notes(on: scopes)
            let baseURL = configuration.mount.baseURL
            let database = configuration.storing.database.map { Database.findings($0, of: baseURL) } ?? Findings()
            return configuration.settings.findings(of: configuration.site) + database
                + Findings(notes: notes, duties: duties)
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
