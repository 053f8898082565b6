/// The condition of an `if` of nginx about a variable.
struct NginxCondition {
    /// The `if` itself.
    let line: NginxDirective
    let variable: String
    private let comparison: String
    private var value: String

    /// Nil for another directive, and for a condition about files.
    init?(_ directive: NginxDirective) {
        var words = directive.arguments
        guard directive.name == "if", words.first?.hasPrefix("(") == true, words.last?.hasSuffix(")") == true else {
            return nil
        }
        words[0].removeFirst()
        words[words.count - 1].removeLast()
        // A parenthesis can be a word of its own, such as the one after a value in quotes.
        words.removeAll(where: \.isEmpty)
        guard let variable = words.first, variable.hasPrefix("$") else { return nil }
        (line, self.variable) = (directive, variable)
        comparison = words.count > 1 ? words[1] : ""
        value = words.dropFirst(2).joined(separator: " ")
    }

    /// The variable with the scheme that a proxy in front gets from browsers.
    static let scheme = "$http_x_forwarded_proto"

    /// Whether it holds for values that match a regular expression.
    var isOfPattern: Bool { comparison.hasPrefix("~") }

    /// Whether it is about the host to which a request goes.
    var isOfHost: Bool { ["$host", "$http_host"].contains(variable) }

    /// The condition with the value of a variable in place of its name.
    func replacing(_ name: String, with text: String) -> NginxCondition {
        var result = self
        result.value = value.replacing(name, with: text)
        return result
    }

    /// Whether it holds for a value of the variable; false if it compares the value with another variable.
    func holds(for text: String) -> Bool {
        let (isNegated, kind) = (comparison.hasPrefix("!"), comparison.drop { $0 == "!" })
        switch kind {
        case "=" where value.contains("$"): return false
        case "": return !["", "0"].contains(text)
        case "=": return (text == value) != isNegated
        default:
            guard let matches = PathPattern.matches(value, text, ignoringCase: kind == "~*") else { return false }
            return matches != isNegated
        }
    }
}
