/// The output of `nginx -T`: all files of a configuration, the main file first.
package struct NginxDump {
    /// A limit for files that include each other, which nginx rejects.
    private static let mostDirectives = 200_000

    /// The directives of the main file, with those of included files in place of `include`.
    let directives: [NginxDirective]

    /// Reads the whole output; the source is the name for text without a file name.
    init(_ text: String, source: String) {
        let files = Self.files(in: text, source: source)
        var expansion = Expansion(files: files, budget: Self.mostDirectives)
        directives = files.first.map { expansion.expanded($0.directives, within: [$0.name]) } ?? []
    }

    private struct File {
        let name: String
        let directives: [NginxDirective]
    }

    private static func files(in text: String, source: String) -> [File] {
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
            File(name: name, directives: NginxParser.directives(in: lines.joined(separator: "\n")[...], file: name))
        }
    }

    /// The name of the file that begins after a line; nil for any other line.
    private static func named(by line: Substring) -> String? {
        let start = "# configuration file "
        guard line.hasPrefix(start), line.hasSuffix(":") else { return nil }
        return String(line.dropFirst(start.count).dropLast())
    }

    private struct Expansion {
        let files: [File]
        var budget: Int

        mutating func expanded(_ directives: [NginxDirective], within names: [String]) -> [NginxDirective] {
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
}
