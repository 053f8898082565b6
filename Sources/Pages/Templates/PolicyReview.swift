/// Finds parts of a template that the content security policy of the pages forbids, so that browsers ignore them.
struct PolicyReview {
    private static let rule = "which the content security policy forbids: "

    private let text: Substring

    /// - Parameter text: The text of a template; what is in a comment or between braces is ignored.
    init(_ text: String) {
        self.text = Self.without("<!--", "-->", Self.without("{{!", "}}", text[...])[...])[...]
    }

    /// What browsers ignore in a style sheet, with the line.
    static func notes(ofStyleSheet text: String) -> [String] {
        let text = without("/*", "*/", text[...])
        return [
            (/@import/, "@import of a style sheet, \(rule)copy its rules into style.css"),
            (/@font-face[^}]*url\(/, "@font-face with a font file, \(rule)use a font of the visitor's system"),
        ].flatMap { pattern, fault in
            text.ranges(of: pattern.ignoresCase()).map { range in
                "line \(text[..<range.lowerBound].count { $0 == "\n" } + 1): \(fault)"
            }
        }
    }

    /// What browsers ignore in a template, with the line.
    var notes: [String] {
        var found: [String] = []
        var line = 1
        var rest = text
        while let character = rest.first {
            if rest.hasPrefix("{{") {
                // Such as {{<layout}}.
                let end = rest.firstRange(of: "}}")?.upperBound ?? rest.endIndex
                line += rest[..<end].count { $0 == "\n" }
                rest = rest[end...]
            } else if character == "<", rest.dropFirst().first?.isLetter == true {
                let tag = Self.tag(at: rest)
                found += Self.faults(tag, followedBy: rest.dropFirst(tag.count)).map { "line \(line): \($0)" }
                line += tag.count { $0 == "\n" }
                rest = rest.dropFirst(tag.count)
            } else {
                if character == "\n" { line += 1 }
                rest = rest.dropFirst()
            }
        }
        return found
    }

    private static func faults(_ tag: Substring, followedBy content: Substring) -> [String] {
        let name = tag.dropFirst().prefix { $0.isLetter || $0.isNumber }.lowercased()
        var faults: [String] = []
        if name == "style", !isAllowed(content, "{{> style}}") {
            faults.append("a <style> element with other rules than {{> style}}, \(rule)write the rules in style.css")
        }
        if name == "script", !isAllowed(content, "{{script}}") {
            faults.append("a <script> element with another script than {{script}}, \(rule)remove it")
        }
        let attributes = attributes(of: tag)
        let rel = attributes.first { $0.name == "rel" }?.value
        if name == "link", rel?.contains(/stylesheet/.ignoresCase()) == true {
            faults.append("a <link> element with a style sheet, \(rule)copy its rules into style.css")
        }
        if attributes.contains(where: { $0.name == "style" }) {
            faults.append("a style attribute, \(rule)write a class, and its rules in style.css")
        }
        for attribute in attributes where attribute.name.hasPrefix("on") {
            faults.append("the attribute \(attribute.name) with a script, \(rule)remove it")
        }
        return faults
    }

    /// Whether the content of an element is exactly the tag whose text has its hash in the policy.
    private static func isAllowed(_ content: Substring, _ tag: String) -> Bool {
        content.prefix { $0 != "<" }.filter { $0 != " " } == tag.filter { $0 != " " }
    }

    /// The text to the end of a tag.
    private static func tag(at text: Substring) -> Substring {
        var quote: Character?
        var braces = 0
        var end = text.startIndex
        while end < text.endIndex {
            let character = text[end]
            end = text.index(after: end)
            switch character {
            case "{": braces += 1
            case "}": braces = max(0, braces - 1)
            case "\"", "'":
                if quote == nil { quote = character } else if quote == character { quote = nil }
            case ">" where quote == nil && braces == 0: return text[..<end]
            default: break
            }
        }
        return text
    }

    /// The attributes of a tag, with names in lower-case letters.
    private static func attributes(of tag: Substring) -> [(name: String, value: Substring)] {
        var attributes: [(name: String, value: Substring)] = []
        // The name of the element comes first.
        var rest = tag.drop { !$0.isWhitespace && $0 != "/" && $0 != ">" }
        while !rest.isEmpty {
            if rest.hasPrefix("{{") {
                rest = rest.firstRange(of: "}}").map { rest[$0.upperBound...] } ?? ""
                continue
            }
            let name = rest.prefix { !$0.isWhitespace && !"=/>{".contains($0) }
            guard !name.isEmpty else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(name.count)
            let next = rest.drop(while: \.isWhitespace)
            guard next.first == "=" else {
                attributes.append((name.lowercased(), ""))
                continue
            }
            rest = next.dropFirst().drop(while: \.isWhitespace)
            let value: Substring
            if let quote = rest.first, quote == "\"" || quote == "'" {
                value = rest.dropFirst().prefix { $0 != quote }
                rest = rest[value.endIndex...].dropFirst()
            } else {
                value = rest.prefix { !$0.isWhitespace && $0 != ">" }
                rest = rest[value.endIndex...]
            }
            attributes.append((name.lowercased(), value))
        }
        return attributes
    }

    private static func without(_ start: String, _ end: String, _ text: Substring) -> String {
        var result = ""
        var rest = text
        while let found = rest.firstRange(of: start) {
            result += rest[..<found.lowerBound]
            let inner = rest[found.upperBound...]
            let close = inner.firstRange(of: end)?.upperBound ?? inner.endIndex
            // The numbers of the lines stay.
            result += String(repeating: "\n", count: rest[found.lowerBound..<close].count { $0 == "\n" })
            rest = rest[close...]
        }
        return result + rest
    }
}
