/// A parsed template that is not yet joined with the templates it includes.
package struct TemplateSource: Sendable {
    /// All tags, in the order of the text.
    package let tags: [TemplateTag]
    let nodes: [TemplateNode]

    /// Parses a Mustache template with variables, sections, partials, blocks and comments.
    ///
    /// Tags that would print without escaping, or change the delimiters, are parsed and print nothing, so that the caller can
    /// reject them by their kind.
    ///
    /// - Throws: `TemplateSyntaxError` for the first error.
    package init(_ text: String) throws(TemplateSyntaxError) {
        let tokens = try TemplateScanner.tokens(of: text)
        tags = tokens.compactMap { if case .tag(let tag) = $0 { tag } else { nil } }
        var parser = Parser(tokens: tokens[...])
        nodes = try parser.nodes(until: nil)
    }

    private struct Parser {
        var tokens: ArraySlice<TemplateToken>

        /// Reads to the end of a section or of the text.
        mutating func nodes(until open: TemplateTag?) throws(TemplateSyntaxError) -> [TemplateNode] {
            var nodes: [TemplateNode] = []
            while let token = tokens.popFirst() {
                switch token {
                case .text(let bytes):
                    if !bytes.isEmpty { nodes.append(.literal(Array(bytes))) }
                case .tag(let tag) where tag.kind == .end:
                    guard let open, open.name == tag.name else { throw error(.wrongEnd, tag) }
                    return nodes
                case .tag(let tag):
                    if let node = try node(of: tag) { nodes.append(node) }
                }
            }
            if let open { throw error(.unclosedSection, open) }
            return nodes
        }

        private mutating func node(of tag: TemplateTag) throws(TemplateSyntaxError) -> TemplateNode? {
            switch tag.kind {
            case .variable: .variable(tag.name)
            case .section: .section(tag.name, isInverted: false, try nodes(until: tag))
            case .inverted: .section(tag.name, isInverted: true, try nodes(until: tag))
            case .partial: .partial(tag.name)
            case .parent: .parent(tag.name, blocks: try blocks(of: tag))
            case .block: .block(tag.name, try nodes(until: tag))
            case .comment, .unescaped, .pragma, .end: nil
            }
        }

        /// The blocks inside a parent; only white space may be between them.
        private mutating func blocks(of parent: TemplateTag) throws(TemplateSyntaxError) -> [String: [TemplateNode]] {
            var blocks: [String: [TemplateNode]] = [:]
            for node in try nodes(until: parent) {
                switch node {
                case .block(let name, let content): blocks[name] = content
                case .literal(let bytes) where bytes.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }): continue
                case .literal, .variable, .section, .partial, .parent: throw error(.textInParent, parent)
                }
            }
            return blocks
        }

        private func error(_ reason: TemplateSyntaxError.Reason, _ tag: TemplateTag) -> TemplateSyntaxError {
            TemplateSyntaxError(reason: reason, line: tag.line)
        }
    }
}

/// A part of a parsed template.
indirect enum TemplateNode: Sendable {
    case literal([UInt8])
    case variable(String)
    case section(String, isInverted: Bool, [TemplateNode])
    case partial(String)
    case parent(String, blocks: [String: [TemplateNode]])
    case block(String, [TemplateNode])
}
