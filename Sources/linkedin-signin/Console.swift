import ArgumentParser
import POSIX
import SignIn

/// Messages to the person at the terminal: on standard error, with the program's name before each line.
enum Console {
    static func complain(_ error: ConfigurationError) {
        for line in error.description.split(separator: "\n") { complain(String(line)) }
    }

    static func complain(_ message: String) {
        let priority = StandardError.isJournal() ? LogLevel.error.journalPrefix : ""
        // A closed standard error leaves nowhere to complain.
        try? StandardError.write("\(priority)linkedin-signin: \(message)\n")
    }

    /// Makes sure that everything printed has reached standard output.
    ///
    /// - Throws: `ExitCode.outputFailed`, after a message, if it has not.
    static func finishOutput() throws {
        do throws(SystemError) {
            try StandardOutput.flush()
        } catch {
            complain("cannot write to standard output: \(error)")
            throw ExitCode.outputFailed
        }
    }
}
