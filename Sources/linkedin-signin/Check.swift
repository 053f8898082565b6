import ArgumentParser
import SignIn

/// `check`: shows what `serve` would do with these settings.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show every setting with its source, and list all that is wrong.",
        discussion: """
            Exits with 0 if the settings are valid, with 78 if not. Secrets are not shown. The rules of guarded locations
            stand in the web server's configuration; give each with --require to have it checked, its lists included.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Option(help: ArgumentHelp("A rule as SIGNIN_REQUIRE has it; may be given several times.", valueName: "rule"))
    var require: [String] = []

    func run() throws {
        let problems = problemsOfSettings() + require.flatMap(Requirement.problems)
        guard problems.isEmpty else {
            Console.complain(ConfigurationError(problems: problems))
            throw ExitCode.misconfigured
        }
    }

    private func problemsOfSettings() -> [ConfigurationError.Problem] {
        do throws(ConfigurationError) {
            let sources = try settings.sources()
            printSettings(sources)
            let configuration = try Configuration(sources)
            try reportTemplates(configuration)
            print("\nregister this redirect URL at LinkedIn: \(configuration.mount.redirectURI)")
            return []
        } catch {
            return error.problems
        }
    }

    private func printSettings(_ sources: SettingSources) {
        for setting in Setting.all {
            let value = sources.value(setting)
            let text = value.map { setting.isSecret ? "<redacted>" : $0.text } ?? setting.defaultText ?? ""
            print("\(setting.name)=\(text)  # \(value?.source ?? (setting.defaultText == nil ? "not set" : "default"))")
        }
        noteSharedSecrets(sources)
    }

    private func noteSharedSecrets(_ sources: SettingSources) {
        for setting in Setting.all where setting.isSecret {
            guard let file = sources.value(setting)?.file, SecretFile.isForGroup(file) else { continue }
            print("\nnote: \(file) holds \(setting.name) and may be read by its group; chmod 600 keeps it to its owner")
        }
    }

    private func reportTemplates(_ configuration: Configuration) throws(ConfigurationError) {
        _ = try PageRenderer(configuration)
    }
}
