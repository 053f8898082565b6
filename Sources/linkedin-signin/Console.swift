import ArgumentParser
import EventLog
import POSIX
import Settings
import SignIn

/// Messages for the operator: on standard error, each line with the name of the program.
enum Console {
    static func complain(_ error: ConfigurationError) {
        for line in error.description.split(separator: "\n") { complain(String(line)) }
    }

    static func complain(_ message: String) {
        let priority = StandardError.isJournal() ? LogLevel.error.journalPrefix : ""
        // With standard error closed, there is no other place for a message.
        try? StandardError.write("\(priority)linkedin-signin: \(message)\n")
    }

    /// Reports a success on standard error, because another program reads standard output.
    static func tell(_ message: String) {
        let priority = StandardError.isJournal() ? LogLevel.info.journalPrefix : ""
        try? StandardError.write("\(priority)linkedin-signin: \(message)\n")
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
