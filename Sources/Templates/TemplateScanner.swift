/// A tag of a template: its kind, its name and its line.
package struct TemplateTag: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// `{{name}}`: prints a value, escaped.
        case variable
        /// `{{#name}}`: prints its content if there is a value, and once for each element of a list.
        case section
        /// `{{^name}}`: prints its content if there is no value.
        case inverted
        /// `{{/name}}`: ends a section, a block or a parent.
        case end
        /// `{{> name}}`: includes another template.
        case partial
        /// `{{<name}}`: includes another template and replaces its blocks by the blocks in its content.
        case parent
        /// `{{$name}}`: a part that another template can replace.
        case block
        /// `{{! … }}`
        case comment
        /// `{{{name}}}` or `{{&name}}`, which Mustache prints without escaping: always rejected.
        case unescaped
        /// `{{=…=}}` or `{{%…}}`, which Mustache reads as delimiters and pragmas: always rejected.
        case pragma
    }

    package let kind: Kind
    package let name: String
    /// Counted from 1.
    package let line: Int
}

/// A part of a template's text: bytes or a tag.
enum TemplateToken {
    case text(ArraySlice<UInt8>)
    case tag(TemplateTag)
}

/// Why a text is not a valid template.
package struct TemplateSyntaxError: Error, Equatable, CustomStringConvertible {
    package enum Reason: String, Sendable {
        case unclosedTag = "a tag is never closed"
        case badName = "a tag has no valid name or end"
        case unclosedSection = "a section is never closed"
        case wrongEnd = "this tag does not close the open section"
        case textInParent = "only blocks are allowed inside {{<…}}"
    }

    package let reason: Reason
    /// Counted from 1.
    package let line: Int

    package var description: String { "line \(line): \(reason.rawValue)" }
}

/// Splits a template into text and tags (mustache(5)).
struct TemplateScanner {
    private static let newline = UInt8(ascii: "\n")
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    static func tokens(of text: String) throws(TemplateSyntaxError) -> [TemplateToken] {
        var scanner = TemplateScanner(text)
        var tokens: [TemplateToken] = []
        while let token = try scanner.next() { tokens.append(contentsOf: token) }
        return tokens
    }

    private mutating func next() throws(TemplateSyntaxError) -> [TemplateToken]? {
        guard position < bytes.count else { return nil }
        guard let open = findPair(of: UInt8(ascii: "{"), from: position) else {
            defer { position = bytes.count }
            return [.text(bytes[position...])]
        }
        let start = position
        line += bytes[start..<open].count { $0 == Self.newline }
        guard let close = findPair(of: UInt8(ascii: "}"), from: open + 2) else { throw error(.unclosedTag) }
        let tag = try tag(bytes[(open + 2)..<close])
        line += bytes[open..<close].count { $0 == Self.newline }
        // The third brace of `{{{name}}}`.
        let isTriple = tag.kind == .unescaped && close + 2 < bytes.count && bytes[close + 2] == UInt8(ascii: "}")
        let end = isTriple ? close + 3 : close + 2
        if tag.kind.canStandAlone, let alone = lineAlone(around: open..<end) {
            if alone.upperBound > end { line += 1 }
            position = alone.upperBound
            return [.text(bytes[start..<max(start, alone.lowerBound)]), .tag(tag)]
        }
        position = end
        return [.text(bytes[start..<open]), .tag(tag)]
    }

    private func tag(_ content: ArraySlice<UInt8>) throws(TemplateSyntaxError) -> TemplateTag {
        let kind = TemplateTag.Kind(sigil: content.first)
        let rest = kind == .variable ? content : content.dropFirst()
        if kind == .comment || kind == .pragma { return TemplateTag(kind: kind, name: "", line: line) }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let name = rest.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        // The names of partials are file names, which may contain more characters.
        let isFit = kind == .partial || kind == .parent ? { !isBlank($0) } : Self.isOfName
        guard !name.isEmpty, name.allSatisfy(isFit) else { throw error(.badName) }
        return TemplateTag(kind: kind, name: String(decoding: name, as: UTF8.self), line: line)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The whole line of a tag, including its end; nil if the line contains anything else.
    private func lineAlone(around tag: Range<Int>) -> Range<Int>? {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let before = bytes[..<tag.lowerBound].reversed().prefix(while: isSpace).count
        let start = tag.lowerBound - before
        guard start == 0 || bytes[start - 1] == Self.newline else { return nil }
        let end = tag.upperBound + bytes[tag.upperBound...].prefix(while: isSpace).count
        if end == bytes.count { return start..<end }
        return bytes[end] == Self.newline ? start..<(end + 1) : nil
    }

    private func findPair(of byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index + 1 < bytes.count {
            if bytes[index] == byte, bytes[index + 1] == byte { return index }
            index += 1
        }
        return nil
    }

    private func error(_ reason: TemplateSyntaxError.Reason) -> TemplateSyntaxError {
        TemplateSyntaxError(reason: reason, line: line)
    }
}

extension TemplateTag.Kind {
    fileprivate init(sigil: UInt8?) {
        switch sigil {
        case UInt8(ascii: "#"): self = .section
        case UInt8(ascii: "^"): self = .inverted
        case UInt8(ascii: "/"): self = .end
        case UInt8(ascii: ">"): self = .partial
        case UInt8(ascii: "<"): self = .parent
        case UInt8(ascii: "$"): self = .block
        case UInt8(ascii: "!"): self = .comment
        case UInt8(ascii: "{"), UInt8(ascii: "&"): self = .unescaped
        case UInt8(ascii: "="), UInt8(ascii: "%"): self = .pragma
        default: self = .variable
        }
    }

    /// Whether a line that contains only such a tag prints nothing, not even its line end.
    fileprivate var canStandAlone: Bool { self != .variable && self != .unescaped }
}
