import ArgumentParser
import Diagnosis
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
            Exits with 0 if the settings are valid and the state directory can be used, with \
            78 if not. check creates and changes nothing, and shows no secret. It reads \
            files, the database and the environment of systemd; `doctor` also asks LinkedIn \
            and the running program.

            Run as root, check reads the files as the user and the groups of the service, \
            with the credentials and the state directory that the unit gives to the service.

            The rules of guarded locations are in the configuration of the web server. Run \
            as root, check tests the rules in the include files that `print-config --write` \
            wrote. With --require, check tests another rule and its lists. With --nginx or \
            --lighttpd, check reviews the whole configuration of the web server in place of \
            the settings; with --site or --settings-file too, it checks both:

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

    @Flag(help: "Print only problems and warnings.")
    var quiet = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        var ofRules = settings.ofRules
        let user = (try? settings.place())?.userOrOwner
        ofRules.readsAsService = user != nil
        let texts = [(WebServer.nginx, nginx), (.lighttpd, lighttpd)].compactMap { server, file in
            file.map { (server, $0, ServerText.read($0)) }
        }
        let printed = texts.isEmpty ? nil : front
        // The whole configuration shows the rules too.
        let rules = texts.isEmpty ? settings.rules(besides: require) : require
        var shown = CheckReport()
        if texts.isEmpty || settings.areGiven { addSettings(to: &shown) }
        // The web server may lead to the right address.
        if shown.report.problems.contains(where: { $0.subject == Setting.listen.name }) { ofRules.listen = nil }
        let review = ActingUser.perform(as: user) {
            var report = Report()
            for review in rules.map({ RuleReview(of: $0, settings: ofRules) }) {
                report += Report(problems: review.problems, .ruleInvalid)
                report += Report(.ruleDoubtful, notes: review.warnings)
                report += Report(.ruleNote, notes: review.notes)
            }
            for (server, file, text) in texts { report += ofServer(server, file: file, text, ofRules, printed) }
            return report
        }
        shown.report += review.unrepeated(in: shown.report)
        let problems = shown.report.problems
        if quiet {
            let warnings = shown.report.findings(from: .warning)
            shown = CheckReport()
            shown.report = warnings
        }
        for line in json ? [shown.json] : shown.lines { print(line) }
        guard !problems.isEmpty else { return }
        if !json { Console.complain(ConfigurationError(problems: problems).description) }
        throw ExitCode.misconfigured
    }

    private func addSettings(to shown: inout CheckReport) {
        do throws(ConfigurationError) {
            let place = try settings.place()
            let user = place.userOrOwner
            shown.report += ProxyVariables.adopt(of: place.service)
            let sources = try ActingUser.perform(as: user) { () throws(ConfigurationError) in try place.sources() }
            shown.settings = ShownSetting.all(sources, ProcessInfo.processInfo.environment)
            shown.report += SecretCheck.run(sources)
            shown.report += StoreCheck.directory(sources, of: place.service, atStart: true)
            let service = ServiceCheck(place: place, sources: sources)
            let found = service.run()
            for part in [found, service.remarks(besides: found.directives), service.reader()] { shown.report += part }
            // The whole configuration shows the same, also with files at other places. Another problem can be the cause.
            if place.service != nil, nginx == nil, lighttpd == nil, shown.report.problems.isEmpty {
                let front = try? FrontEnd(sources, locations: [], rules: ["member"])
                shown.report += Report(problems: front?.misledFiles(sources.site?.option ?? "") ?? [])
                shown.report += Report(.serverNote, notes: front?.lostFiles(sources.site?.option ?? "") ?? [])
                let obstacles = front?.obstacles ?? []
                shown.report += Report(.serverDoubtful, notes: obstacles.map { "\($0.subject): \($0.message)" })
                if let (message, isCertain) = front?.refusal(of: sources.ofRules) {
                    let (name, place) = (Setting.allowedUsers.name, sources.place(of: Setting.allowedUsers))
                    shown.report += Report(isCertain ? .settingsInvalid : .settingNote, name, message, at: place)
                }
            }
            ActingUser.perform(as: user) { addConfiguration(sources, place, to: &shown) }
        } catch {
            shown.report += Report(problems: error.problems)
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
    ) -> Report {
        guard let text else {
            return Report(problems: [.init(subject: file, message: "cannot be read")], .serverUnreadable)
        }
        let review = ServerReview(
            text,
            from: file == "-" ? "standard input" : file,
            of: server,
            settings: ofRules,
            printed: printed,
            options: settings.words
        )
        var report = Report()
        for (kind, problem) in review.faults { report += Report(problems: [problem], FindingCode(kind)) }
        for (code, found) in [(FindingCode.serverDoubtful, review.warnings), (.serverNote, review.notes)] {
            report += Report(code, notes: found.map { "\($0.subject): \($0.message)" })
        }
        return report
    }

    private func addConfiguration(_ sources: SettingSources, _ place: SettingsPlace, to shown: inout CheckReport) {
        do throws(ConfigurationError) {
            let configuration = try Configuration(sources)
            // An error in a template is an error of the configuration.
            let pages = try PageRenderer(configuration)
            let (first, directory) = (configuration.first, StateDirectory.resolved(configuration.storing.directory))
            let scopes = first.options.scopes
            shown.duties = configuration.providers.map { provider in
                let products = LinkedInScope.products(granting: provider.options.scopes)
                return (provider.name, provider.redirectURI, provider.issuer == nil ? products : [])
            }
            shown.report += Report(problems: Discovery.problems(configuration, in: directory))
            shown.report += configuration.settings.findings(of: configuration.site)
            let user = place.userOrOwner
            shown.report += SettingsCheck.writable(settingsFile: place.file, configuration, for: user)
            if let database = configuration.storing.database {
                shown.report += DatabaseCheck.run(database, of: configuration.mount.baseURL, sources.site)
            }
            let ofLinkedIn = first.profile.oldVersions(at: Date()) + LinkedInScope.notes(on: scopes)
            let linkNote = first.issuer == nil ? first.profile.linkNote : nil
            let notes =
                [linkNote, configuration.pages.homeNote].compactMap(\.self) + configuration.providerNotes + pages.notes
                + pages.colorNotes + pages.policyNotes + sources.notes + (first.issuer == nil ? ofLinkedIn : [])
            shown.report += Report(.settingNote, notes: notes)
            for provider in configuration.providers {
                let report = OriginCheck.run(provider)
                shown.report += provider.file == nil ? report : report.about(provider: "\(provider.id)")
                guard provider.discovery != nil, Discovery.isMissing(provider.id, in: directory) else { continue }
                let doctor = "sudo linkedin-signin doctor\(configuration.site?.option ?? "")"
                let message =
                    "linkedin-signin has not fetched the discovery document of \(provider.id) yet, and check sends no request "
                    + "to a provider: \(doctor) tests the issuer, the endpoints and the client secret"
                shown.report += Report(.settingNote, Setting.providerIssuer.name, message, at: provider.file)
            }
        } catch {
            shown.report += Report(problems: shown.report.unreported(error.problems))
        }
    }
}

extension FindingCode {
    fileprivate init(_ kind: ServerReview.Kind) {
        self =
            switch kind {
            case .rule: .ruleInvalid
            case .bypass: .serverBypass
            case .identity: .serverIdentity
            case .log: .serverLog
            case .program: .serverProgram
            case .unreadable: .serverUnreadable
            case .other: .serverUnsafe
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
