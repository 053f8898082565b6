/// The condition of an `if` of nginx about a variable.
struct NginxCondition {
    let variable: String
    private let comparison: String
    private var value: String

    /// Nil for another directive, and for a condition about files.
    init?(_ directive: NginxDirective) {
        guard directive.name == "if", var variable = directive.arguments.first, variable.hasPrefix("($") else {
            return nil
        }
        variable.removeFirst()
        var words = directive.arguments.dropFirst()
        // The parenthesis is a word of its own after a value in quotes.
        let last = words.popLast() ?? ")"
        if last != ")" { words.append(String(last.dropLast())) }
        if words.isEmpty, variable.hasSuffix(")") { variable.removeLast() }
        self.variable = variable
        (comparison, value) = (words.first ?? "", words.dropFirst().joined(separator: " "))
    }

    /// The variable with the scheme that a proxy in front gets from browsers.
    static let scheme = "$http_x_forwarded_proto"

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
            guard let pattern = try? Regex(value) else { return false }
            return (text.firstMatch(of: kind == "~*" ? pattern.ignoresCase() : pattern) != nil) != isNegated
        }
    }
}
