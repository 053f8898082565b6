/// Settings from a file of `NAME=value` lines, as systemd's `EnvironmentFile=` reads them.
///
/// Lines that begin with `#` or `;` are comments. A value may stand in single or double quotes; there is no expansion
/// and no continuation, so that a line means the same to everybody who reads it.
package struct SettingsFile: Sendable {
    package let path: String
    package private(set) var values: [String: String] = [:]
    /// The number of the line that sets each name.
    private(set) var lines: [String: Int] = [:]
    package private(set) var problems: [ConfigurationError.Problem] = []

    package init(path: String, content: String) {
        self.path = path
        // Editors on Windows write it, systemd reads it as a part of the first name.
        if content.unicodeScalars.first == "\u{FEFF}" {
            report(1, "starts with a byte order mark (U+FEFF): save the file as UTF-8 without it")
        }
        let content = content.unicodeScalars.first == "\u{FEFF}" ? String(content.unicodeScalars.dropFirst()) : content
        for (index, line) in content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            read(Self.trimmed(line), number: index + 1)
        }
    }

    private mutating func read(_ line: Substring, number: Int) {
        guard let first = line.first, first != "#", first != ";" else { return }
        guard let equals = line.firstIndex(of: "="), equals != line.startIndex else {
            return report(number, "is not a NAME=value line")
        }
        let name = String(Self.trimmed(line[..<equals]))
        guard values[name] == nil else { return report(number, "sets \(name) again, after line \(lines[name] ?? 0)") }
        guard let value = Self.unquoted(Self.trimmed(line[line.index(after: equals)...])) else {
            return report(number, "has a quotation mark without a closing one")
        }
        values[name] = value
        lines[name] = number
    }

    /// The file and the line of a name, for messages.
    func place(of name: String) -> String {
        lines[name].map { "\(path):\($0)" } ?? path
    }

    private mutating func report(_ number: Int, _ message: String) {
        problems.append(.init(subject: "line \(number)", message: message, place: "\(path):\(number)"))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    private static func unquoted(_ text: Substring) -> String? {
        guard let quote = text.first, quote == "\"" || quote == "'" else { return String(text) }
        guard text.count >= 2, text.last == quote else { return nil }
        return String(text.dropFirst().dropLast())
    }
}
