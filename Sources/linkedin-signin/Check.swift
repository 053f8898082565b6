import ArgumentParser
import SignIn

/// `check`: shows what `serve` would do with these settings.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show every setting with its source, and list all that is wrong.",
        discussion: """
            Exits with 0 if the settings are valid and the state directory can be used, \
            with 78 if not. Makes and changes nothing, and shows no secret.

            The rules of guarded locations stand in the web server's configuration; give \
            each with --require to have it checked, its lists included.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Option(help: ArgumentHelp("A rule as SIGNIN_REQUIRE has it; may be given several times.", valueName: "rule"))
    var require: [String] = []

    func run() throws {
        let findings = require.map { Requirement.Review(of: $0) }
            .reduce(ofSettings()) { $0 + Findings(problems: $1.problems, notes: $1.notes) }
        for note in findings.notes { print("\nnote: \(note)") }
        guard findings.problems.isEmpty else {
            Console.complain(ConfigurationError(problems: findings.problems))
            throw ExitCode.misconfigured
        }
    }

    private func ofSettings() -> Findings {
        do throws(ConfigurationError) {
            let sources = try settings.sources()
            printSettings(sources)
            let findings = Findings(notes: sources.sharedSecrets) + StateDirectory.findings(sources)
            return findings + ofConfiguration(sources)
        } catch {
            return Findings(problems: error.problems)
        }
    }

    private func printSettings(_ sources: SettingSources) {
        for setting in Setting.all {
            let value = sources.value(setting)
            let text = value.map { setting.isSecret ? "<redacted>" : $0.text } ?? setting.defaultText ?? ""
            print("\(setting.name)=\(text)  # \(value?.source ?? (setting.defaultText == nil ? "not set" : "default"))")
        }
    }

    private func ofConfiguration(_ sources: SettingSources) -> Findings {
        do throws(ConfigurationError) {
            let configuration = try Configuration(sources)
            // Faults of the templates are faults of the configuration.
            _ = try PageRenderer(configuration)
            print("\nregister this redirect URL at LinkedIn: \(configuration.mount.redirectURI)")
            return configuration.listening.findings
        } catch {
            return Findings(problems: error.problems)
        }
    }
}
