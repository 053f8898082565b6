/// A tag of a template as it is written: what kind it is and what it names.
struct TemplateTag: Hashable {
    enum Kind: Hashable {
        case variable
        case section
        case sectionEnd
        case partial
        case parent
        case block
        case comment
        /// `{{{name}}}` or `{{&name}}`.
        case unescaped
        /// `{{=…=}}` or `{{%…}}`.
        case pragma
    }

    let kind: Kind
    let name: String
    let line: Int

    /// Finds the tags of a template that Mustache has parsed, so that all of them are complete.
    static func all(in text: String) -> [TemplateTag] {
        var tags: [TemplateTag] = []
        var rest = text[...]
        var line = 1
        while let open = rest.firstRange(of: "{{") {
            line += rest[..<open.lowerBound].count { $0.isNewline }
            rest = rest[open.upperBound...]
            guard let close = rest.firstRange(of: "}}") else { break }
            tags.append(TemplateTag(rest[..<close.lowerBound], line: line))
            line += rest[..<close.lowerBound].count { $0.isNewline }
            rest = rest[close.upperBound...]
        }
        return tags
    }

    private init(_ content: Substring, line: Int) {
        let kinds: [Character: Kind] = [
            "#": .section, "^": .section, "/": .sectionEnd, ">": .partial, "<": .parent, "$": .block, "!": .comment,
            "{": .unescaped, "&": .unescaped, "=": .pragma, "%": .pragma,
        ]
        let kind = content.first.flatMap { kinds[$0] }
        let name = (kind == nil ? content : content.dropFirst()).filter { !$0.isWhitespace }
        self.kind = kind ?? .variable
        self.name = name
        self.line = line
    }
}
