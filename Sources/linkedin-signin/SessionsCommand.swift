import ArgumentParser
import POSIX
import Settings

/// `sessions`: administers the sessions in the store, while `serve` runs.
struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "Administer the sessions in the store, while serve runs.",
        subcommands: [Import.self]
    )

    /// Lets a command of root work as the user of `serve`, to whom the files of the store belong.
    ///
    /// - Parameter path: The state directory, as in the settings.
    /// - Returns: The path of the state directory from now on.
    /// - Throws: `StartFailure` if root finds no state directory.
    static func enter(_ path: String) throws(StartFailure) -> String {
        let resolved = StateDirectory.resolved(path)
        do throws(SystemError) {
            return try ActingUser.becomeOwner(of: resolved) ? "." : resolved
        } catch {
            throw .unavailable(
                "\(Setting.stateDirectory.name) “\(path)”: \(error); start serve first, which creates it"
            )
        }
    }
}

extension StartFailure {
    static func unavailable(_ message: String) -> StartFailure {
        StartFailure(description: message, exitCode: .unavailable)
    }
}
