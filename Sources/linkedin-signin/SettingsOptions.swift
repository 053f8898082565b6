import ArgumentParser
import Encoding
import SignIn

import class FoundationEssentials.ProcessInfo

/// Where a command takes its settings from.
struct SettingsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("File of NAME=value lines, as systemd's EnvironmentFile reads it.", valueName: "file"))
    var settingsFile: String?

    /// Collects the values of all sources.
    ///
    /// A command that has no use for secrets reads none.
    ///
    /// - Parameter readSecret: reads the file that a `…_FILE` setting names.
    /// - Returns: the values, not yet judged.
    /// - Throws: `ConfigurationError` if the named file cannot be read, or if it shows a secret to everybody.
    func sources(
        readSecret: SettingSources.SecretReader = SecretFile.read
    ) throws(ConfigurationError) -> SettingSources {
        SettingSources(
            environment: ProcessInfo.processInfo.environment,
            file: try file(),
            readSecret: readSecret
        )
    }

    /// The product that the settings name, or its default; nil if it cannot be known.
    var product: LinkedInProduct? {
        do throws(ConfigurationError) {
            return try sources(readSecret: { _ in "" }).product
        } catch {
            return nil
        }
    }

    private func file() throws(ConfigurationError) -> SettingsFile? {
        guard let path = settingsFile else { return nil }
        let content: OperatorFile
        do throws(OperatorFile.Unusable) {
            content = try OperatorFile(path)
        } catch {
            throw ConfigurationError(problems: [.init(subject: path, message: error.description)])
        }
        let file = SettingsFile(path: path, content: content.text)
        if Setting.all.contains(where: { $0.isSecret && file.values[$0.name]?.isEmpty == false }),
            !SecretFile.isPrivate(path)
        {
            let message = "contains a secret and is readable for every user; run: chmod 600 \(ShellWord.quoted(path))"
            throw ConfigurationError(problems: [.init(subject: path, message: message)])
        }
        return file
    }
}

extension ExitCode {
    /// `EX_CONFIG` of sysexits.h: something was found in an unconfigured or misconfigured state.
    static let misconfigured = ExitCode(78)
    /// `EX_IOERR` of sysexits.h: what a command printed could not be written.
    static let outputFailed = ExitCode(74)
    /// `EX_UNAVAILABLE`: a resource that the program needs is not there.
    static let unavailable = ExitCode(69)
}
