import ArgumentParser
import Diagnosis
import FastCGI
import HTTP
import POSIX
import Sessions
import Settings

/// `doctor`: asks the running program, LinkedIn and the web server, and explains what is wrong.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose sign-in problems and suggest fixes.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin doctor [--site <site>] [--settings-file <file>]
              [--web-user <user>] [--require <rule> ...] [--url <url>]
              [--guarded <path> ...] [--cookie-file <file>] [--ca-file <file>]
              [--json] [--codes]
            """,
        discussion: """
            `check` reads the settings and says whether they are valid; `doctor` also asks \
            LinkedIn and the running program, and looks at the clock and the disk.

            doctor changes nothing. It sends the client secret to LinkedIn, as a sign-in \
            does. To the program, and with --url to the site, it sends a proof that it can \
            read the server key; this proof is valid for a minute. Without root, doctor \
            leaves out some checks.

            Exits with 0 if nothing is wrong, with 1 if there are warnings, with 2 if there \
            are faults.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Option(help: ArgumentHelp("The user that the web server runs as.", valueName: "user"))
    var webUser = "www-data"

    @Option(
        help: ArgumentHelp("Test the site at this address too, such as https://example.com.", valueName: "url")
    )
    var url: String?

    @Option(help: ArgumentHelp("With --url: a path that needs a session; may be repeated.", valueName: "path"))
    var guarded: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --guarded: a secret file with the Cookie header of a signed-in member, to test the application.",
            valueName: "file"
        ),
        completion: .file()
    )
    var cookieFile: String?

    @Option(
        help: ArgumentHelp("With --url: additional CA certificates (PEM) for the site.", valueName: "file"),
        completion: .file()
    )
    var caFile: String?

    @Option(help: ArgumentHelp("A rule to check with its lists; may be repeated.", valueName: "rule"))
    var require: [String] = []

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Print all codes of findings as Markdown, and check nothing.")
    var codes = false

    func validate() throws {
        if let url {
            guard let site = WebAddress(url) else { throw ValidationError("--url: “\(url)” is not an https URL") }
            guard site.isSecure || site.isLoopback else {
                throw ValidationError("--url: “\(url)” is plain http, which is sent only to this machine; use https")
            }
        }
        guard guarded.isEmpty || url != nil else { throw ValidationError("--guarded needs --url") }
        guard cookieFile == nil || !guarded.isEmpty else { throw ValidationError("--cookie-file needs --guarded") }
        guard caFile == nil || url != nil else { throw ValidationError("--ca-file needs --url") }
        if let message = caFile.flatMap(AuthorityFile.objection) { throw ValidationError("--ca-file: \(message)") }
        if let path = guarded.first(where: { !$0.hasPrefix("/") || $0.utf8.count < 2 }) {
            throw ValidationError("--guarded: “\(path)” is not a path below /")
        }
        if let path = guarded.first(where: { WebAddress("https://localhost\($0)")?.rest != $0 || $0.contains("#") }) {
            throw ValidationError("--guarded: “\(path)” has characters to escape, such as a space as %20")
        }
    }

    func run() throws {
        guard !codes else { return print(FindingCode.tables) }
        let member: String?
        do { member = try cookieFile.map(SecretFile.read) } catch { throw ValidationError("--cookie-file: \(error)") }
        let report = examine(as: member).byCause
        print(json ? report.json : report.text)
        switch report.severity {
        case .fault: throw ExitCode(2)
        case .warning: throw ExitCode(1)
        case .note, nil: break
        }
    }

    // With the `Cookie` field of a signed-in member, if there is one.
    private func examine(as member: String?) -> Report {
        var report = MachineCheck.entropy()
        var ofRules = settings.ofRules
        let user = (try? settings.place())?.user
        // The findings about files say what the user of the program can read.
        ofRules.readsAsService = owner != nil
        let rules = settings.rules(besides: require)
        let review = ActingUser.perform(as: user) { SettingsCheck.rules(rules, ofRules) }
        do throws(ConfigurationError) {
            let place = try settings.place()
            report += ProxyVariables.adopt(of: place.service)
            let sources = try ActingUser.perform(as: user) { () throws(ConfigurationError) in try place.sources() }
            let service = ServiceCheck(place: place, sources: sources, atStart: false)
            let isMixed = !sources.sharedValues.isEmpty || place.service?.startsAnotherSite == true
            let found = service.run(causing: .refused.union(isMixed ? [.otherSite] : []))
            report += found
            report += service.remarks(besides: found.directives)
            report += StoreCheck.directory(sources, of: place.service, atStart: false)
            report += StoreCheck.database(sources, as: user)
            report += SecretCheck.run(sources)
            let configuration = try ActingUser.perform(as: user) { () throws(ConfigurationError) in
                try Configuration(sources)
            }
            report += ActingUser.perform(as: user) { SettingsCheck.settings(configuration) }
            report += ProviderCheck.run(configuration)
            let keys = OperatorKeys.keys(configuration.storing)
            let (program, login) = program(configuration, keys, place, rules)
            report += program
            if let site = url.flatMap({ WebAddress($0) }) {
                let proof = OperatorKeys.proof(keys)
                report += ProviderCheck.site(
                    site,
                    configuration,
                    direct: login,
                    proof: proof,
                    guarded: guarded,
                    member: member,
                    trusting: caFile
                )
            }
        } catch {
            // Root and the program can read these files.
            let unread = error.problems.filter { $0.isDenied && !ActingUser.isRoot }
            let faults = report.unreported(error.problems.filter { !unread.contains($0) })
            report += Report(problems: faults, causing: .refused)
            if unread.isEmpty, let service = (try? settings.place())?.service, service.hasStarted {
                report += ProcessCheck.stopped(service.site)
            }
            for problem in unread {
                report += Report(
                    .notChecked,
                    problem.subject,
                    problem.message,
                    remedies: ["run this command with sudo"]
                )
            }
        }
        // The fault of the settings is that of the lists beside them.
        report += review.unrepeated(in: report)
        return report
    }

    /// The user that the program runs as, if this is root and it can be known without the program.
    private var owner: ProcessUser? { (try? settings.place())?.userOrOwner }

    /// Asks the running program, as the web server's user if this is root.
    private func program(
        _ configuration: Configuration,
        _ keys: ServerKeys?,
        _ settings: SettingsPlace,
        _ rules: [String]
    ) -> (Report, login: Client.Answer?) {
        let socket = SocketCheck(configuration, webUser: webUser)
        var report = socket.run()
        guard let place = socket.place else { return (report, nil) }
        // A program that accepts only the web server closes the connections of root.
        if socket.needsWebUser, let user = User(webUser) { _ = try? ActingUser.become(ProcessUser(user)) }
        let comparison = ProgramCheck.Comparison(proof: OperatorKeys.proof(keys)) { sealed in
            keys.flatMap { OperatorProof.open(sealed, $0) }
        }
        let hashes = OperatorProof.hashes(of: configuration.texts.texts)
        let findings = ProgramCheck(place, configuration).run(comparing: hashes, comparison)
        ActingUser.becomeRoot()
        report += findings.report
        let check = findings.process.flatMap { ProcessCheck(behind: $0, of: configuration.site) }
        if let check {
            report += check.run()
            // With a unit, the report about the store says it.
            let user = settings.service == nil ? check.identity : nil
            report += StoreCheck.owner(of: configuration.storing.directory, is: user)
        } else if findings.process != nil {
            report += Report(.notChecked, "process", "its number is not known")
        }
        // Without a running program, the files are judged for the user that it will run as.
        let reader = check?.identity ?? owner
        report += SettingsCheck.files(rules, settingsFile: settings.file, configuration, for: reader)
        return (report, findings.login)
    }
}
