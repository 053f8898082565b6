import SignIn

import struct Foundation.Data
import class Foundation.FileHandle

/// Messages to the person at the terminal: on standard error, with the program's name before each line.
enum Console {
    static func complain(_ error: ConfigurationError) {
        for line in error.description.split(separator: "\n") { complain(String(line)) }
    }

    static func complain(_ message: String) {
        FileHandle.standardError.write(Data("linkedin-signin: \(message)\n".utf8))
    }
}
