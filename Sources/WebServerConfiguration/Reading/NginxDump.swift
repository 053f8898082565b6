/// The output of `nginx -T`: all files of a configuration, the main file first.
package struct NginxDump {
    /// The directives that it may still read: nginx rejects files that include each other.
    private var budget = 200_000
    private let files: [(name: String, directives: [NginxDirective])]

    /// The directives of the main file, with those of included files in place of `include`.
    private(set) var directives: [NginxDirective] = []

    /// Reads the whole output; the source is the name for text without a file name.
    init(_ text: String, source: String) {
        files = Self.files(in: text, source: source)
        if let main = files.first { directives = expanded(main.directives, within: [main.name]) }
    }

    private static func files(in text: String, source: String) -> [(name: String, directives: [NginxDirective])] {
        var parts: [(name: String, lines: [Substring])] = [(source, [])]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let name = named(by: line) {
                parts.append((name, []))
            } else {
                parts[parts.count - 1].lines.append(line)
            }
        }
        // Ignore blank lines, and messages from standard error, before the first file name.
        let isIgnored: (Substring) -> Bool = { $0.hasPrefix("nginx: ") || $0.allSatisfy(\.isWhitespace) }
        if parts.count > 1, parts[0].lines.allSatisfy(isIgnored) { parts.removeFirst() }
        return parts.map { name, lines in
            (name, NginxParser.directives(in: lines.joined(separator: "\n")[...], file: name))
        }
    }

    /// The name of the file that begins after a line; nil for any other line.
    private static func named(by line: Substring) -> String? {
        let start = "# configuration file "
        guard line.hasPrefix(start), line.hasSuffix(":") else { return nil }
        return String(line.dropFirst(start.count).dropLast())
    }

    private mutating func expanded(_ directives: [NginxDirective], within names: [String]) -> [NginxDirective] {
        var result: [NginxDirective] = []
        for var directive in directives {
            guard budget > 0 else { return result }
            budget -= 1
            if directive.name == "include", let pattern = directive.arguments.first {
                for file in files where !names.contains(file.name) && matches(file.name, pattern) {
                    result += expanded(file.directives, within: names + [file.name])
                }
            } else {
                directive.block = expanded(directive.block, within: names)
                result.append(directive)
            }
        }
        return result
    }

    /// Whether a name matches a pattern of `include`; relative patterns begin at the directory of the main file.
    private func matches(_ name: String, _ pattern: String) -> Bool {
        if pattern.hasPrefix("/") { return Wildcard.matches(pattern, name) }
        let main = files.first?.name ?? ""
        let directory = main[..<(main.lastIndex(of: "/").map { main.index(after: $0) } ?? main.startIndex)]
        return Wildcard.matches(directory + pattern, name)
    }
}
