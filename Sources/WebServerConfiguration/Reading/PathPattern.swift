/// Judges what a regular expression of a web server matches, and where it leads a path.
package enum PathPattern {
    /// Whether an expression matches a part of a text; nil if only the web server can read the expression.
    static func matches(_ expression: some StringProtocol, _ text: String, ignoringCase: Bool = false) -> Bool? {
        guard let pattern = try? Regex(String(expression)) else { return nil }
        return text.firstMatch(of: ignoringCase ? pattern.ignoresCase() : pattern) != nil
    }

    /// False only if the literal text after `^` excludes it.
    static func mayMatch(_ expression: String, below prefix: String, ignoringCase: Bool = false) -> Bool {
        guard expression.hasPrefix("^"), let literal = literal(of: expression.dropFirst()) else { return true }
        let (one, other) = ignoringCase ? (literal.lowercased(), prefix.lowercased()) : (literal, prefix)
        return one.hasPrefix(other) || other.hasPrefix(one)
    }

    /// The path to which a rule of a web server leads a path.
    ///
    /// - Parameters:
    ///   - path: The path of a request.
    ///   - expression: The regular expression of the rule.
    ///   - target: The new path, with `$1` for what the first group matched, and with or without a query.
    /// - Returns: The new path without its query; nil if the rule does not apply.
    static func rewriting(_ path: String, by expression: String, to target: String) -> String? {
        guard let match = (try? Regex(expression)).flatMap({ path.firstMatch(of: $0) }) else { return nil }
        let result = match.output.enumerated().reduce(target) { text, part in
            text.replacing("$\(part.offset)", with: part.element.substring ?? "")
        }
        return String(result.prefix { $0 != "?" })
    }

    /// The literal text at the start of every match; nil if there are alternatives, as in `^/a|^/b`.
    private static func literal(of expression: Substring) -> String? {
        var result = ""
        var depth = 0
        var isLiteral = true
        var rest = expression
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                let next = rest.popFirst()
                guard isLiteral, let next, !next.isLetter, !next.isNumber else {
                    isLiteral = false
                    continue
                }
                result.append(next)
            case "(": (depth, isLiteral) = (depth + 1, false)
            case ")": depth -= 1
            case "|" where depth <= 0: return nil
            case "?", "*", "{":
                // The character before it is optional.
                if isLiteral, !result.isEmpty { result.removeLast() }
                isLiteral = false
            case ".", "[", "]", "}", "+", "^", "$", "|": isLiteral = false
            default: if isLiteral { result.append(character) }
            }
        }
        return result
    }
}
