import Encoding
import POSIX

/// A file of `NAME=value` lines, in the format of systemd's `EnvironmentFile=`.
///
/// Lines that start with `#` or `;` are comments. A value may be in single or double quotes. Variables are not expanded
/// and lines are not continued, so that each line has only one meaning.
package struct SettingsFile: Sendable {
    package let path: String
    package private(set) var values: [String: String] = [:]
    /// The number of the line that sets each name.
    private(set) var lines: [String: Int] = [:]
    package private(set) var problems: [ConfigurationError.Problem] = []

    package init(path: String, content: String) {
        self.path = path
        // Editors on Windows add this mark; systemd reads it as part of the first name.
        if content.unicodeScalars.first == "\u{FEFF}" {
            report(1, "starts with a byte order mark (U+FEFF): save the file as UTF-8 without one")
        }
        let content = content.unicodeScalars.first == "\u{FEFF}" ? String(content.unicodeScalars.dropFirst()) : content
        for (index, line) in content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            read(Self.trimmed(line), number: index + 1)
        }
    }

    /// Reads a file.
    ///
    /// - Throws: `ConfigurationError` if it cannot be read, or contains a secret and is readable for every user.
    package init(reading path: String) throws(ConfigurationError) {
        let content: OperatorFile
        do throws(OperatorFile.Unusable) {
            content = try OperatorFile(path)
        } catch {
            throw ConfigurationError(problems: [.init(subject: path, error.advice, isDenied: error.isDenied)])
        }
        self.init(path: path, content: content.text)
        let values = values
        if Setting.all.contains(where: { $0.isSecret && values[$0.name]?.isEmpty == false }),
            !SecretFile.isPrivate(path)
        {
            let command = "run: chmod o= \(ShellWord.quoted(path))"
            let advice = Advice("contains a secret and is readable for every user", command)
            throw ConfigurationError(problems: [.init(subject: path, advice)])
        }
    }

    private mutating func read(_ line: Substring, number: Int) {
        guard let first = line.first, first != "#", first != ";" else { return }
        guard let equals = line.firstIndex(of: "="), equals != line.startIndex else {
            return report(number, "is not a NAME=value line")
        }
        let name = String(Self.trimmed(line[..<equals]))
        guard values[name] == nil else {
            return report(number, "is set again, after line \(lines[name] ?? 0): keep one of the lines", of: name)
        }
        guard let value = Self.unquoted(Self.trimmed(line[line.index(after: equals)...])) else {
            return report(number, "has an opening quotation mark without a closing one", of: name)
        }
        values[name] = value
        lines[name] = number
    }

    /// Returns the file and line that set a name, for messages.
    func place(of name: String) -> String {
        lines[name].map { "\(path):\($0)" } ?? path
    }

    private mutating func report(_ number: Int, _ message: String, of name: String? = nil) {
        let place = "\(path):\(number)"
        problems.append(.init(subject: name ?? place, message: message, place: place))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        text.trimmed(while: \.isWhitespace)
    }

    private static func unquoted(_ text: Substring) -> String? {
        guard let quote = text.first, quote == "\"" || quote == "'" else { return String(text) }
        guard text.count >= 2, text.last == quote else { return nil }
        return String(text.dropFirst().dropLast())
    }
}
