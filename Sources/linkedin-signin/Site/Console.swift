import ArgumentParser
import EventLog
import POSIX
import Settings
import SignIn

/// Messages for the operator: on standard error, each line with the name of the program.
enum Console {
    static func complain(_ message: String) { write(message, .error) }

    /// Reports a success on standard error, because another program reads standard output.
    static func tell(_ message: String) { write(message, .info) }

    private static func write(_ message: String, _ level: LogLevel) {
        let priority = StandardError.isJournal() ? level.journalPrefix : ""
        // With standard error closed, there is no other place for a message.
        for line in message.split(separator: "\n") {
            try? StandardError.write("\(priority)linkedin-signin: \(line)\n")
        }
    }

    /// Says which site a command is about to change, so that an operator of several sites notices a wrong one.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL in the settings; nil if they have none.
    ///   - database: The database with the sessions; nil if they are in files.
    ///   - directory: The state directory.
    static func tellStore(of baseURL: String?, _ database: Configuration.Database?, _ directory: String) {
        tell("site \(baseURL ?? "without \(Setting.baseURL.name)"), store \(database?.address ?? directory)")
    }

    /// Makes sure that no file or connection of a command gets the number of a standard stream that is closed.
    ///
    /// - Throws: `ExitCode.unavailable`, after a message, if that fails.
    static func openMissingStreams() throws {
        do throws(SystemError) {
            try StandardStreams.openMissing()
        } catch {
            complain("/dev/null: \(error)")
            throw ExitCode.unavailable
        }
    }

    /// Writes everything that was printed to standard output.
    ///
    /// - Throws: `ExitCode.outputFailed`, after a message, if that fails.
    static func finishOutput() throws {
        do throws(SystemError) {
            try StandardOutput.flush()
        } catch {
            complain("cannot write to standard output: \(error)")
            throw ExitCode.outputFailed
        }
    }
}

/// A command that reports why it failed, and ends with the exit status of the failure.
protocol ReportingCommand: ParsableCommand {
    /// Runs the command.
    func perform() throws(StartFailure)
}

extension ReportingCommand {
    func run() throws {
        do throws(StartFailure) {
            try perform()
        } catch {
            Console.complain(error.description)
            throw error.exitCode
        }
    }
}
