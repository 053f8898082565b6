import ArgumentParser
import Encoding
import Settings
import SignIn

import class FoundationEssentials.ProcessInfo

/// The sources of a command's settings.
struct SettingsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("File of NAME=value lines, the format of systemd's EnvironmentFile.", valueName: "file"),
        completion: .file()
    )
    var settingsFile: String?

    /// Collects the values of all sources, before any check.
    ///
    /// - Parameter readSecret: Reads the file that a `…_FILE` setting names; a command that needs no secrets reads none.
    /// - Returns: The values.
    /// - Throws: `ConfigurationError` if the settings file cannot be read, or contains a secret and is readable for every
    ///   user.
    func sources(
        readSecret: SettingSources.SecretReader = SecretFile.read
    ) throws(ConfigurationError) -> SettingSources {
        try Self.sources(file: settingsFile, readSecret: readSecret)
    }

    /// Collects the values of all sources, before any check.
    ///
    /// - Parameters:
    ///   - path: The settings file; nil if there is none.
    ///   - readSecret: Reads the file that a `…_FILE` setting names.
    /// - Returns: The values.
    /// - Throws: `ConfigurationError` if the settings file cannot be read, or contains a secret and is readable for every
    ///   user.
    static func sources(
        file path: String?,
        readSecret: SettingSources.SecretReader = SecretFile.read
    ) throws(ConfigurationError) -> SettingSources {
        SettingSources(
            environment: ProcessInfo.processInfo.environment,
            file: try path.map(read),
            readSecret: readSecret
        )
    }

    /// The options as words of a command line, after a space; nothing without options.
    var words: String { settingsFile.map { " " + ShellWord.quoted("--settings-file=" + $0) } ?? "" }

    /// The settings for which rules are reviewed, or their defaults; without values if the settings cannot be read.
    var ofRules: RuleSettings {
        do throws(ConfigurationError) {
            return try sources(readSecret: { _ in "" }).ofRules
        } catch {
            return RuleSettings()
        }
    }

    private static func read(_ path: String) throws(ConfigurationError) -> SettingsFile {
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
            let message = "contains a secret and is readable for every user; run: chmod o= \(ShellWord.quoted(path))"
            throw ConfigurationError(problems: [.init(subject: path, message: message)])
        }
        return file
    }
}

extension ExitCode {
    /// `EX_CONFIG` of sysexits.h: the configuration is missing or invalid.
    static let misconfigured = ExitCode(78)
    /// `EX_IOERR` of sysexits.h: the output could not be written.
    static let outputFailed = ExitCode(74)
    /// `EX_DATAERR` of sysexits.h: the input is wrong.
    static let badInput = ExitCode(65)
    /// `EX_CANTCREAT` of sysexits.h: an output file cannot be created.
    static let cannotCreate = ExitCode(73)
    /// `EX_UNAVAILABLE` of sysexits.h: a resource that the program needs is not available.
    static let unavailable = ExitCode(69)
}
