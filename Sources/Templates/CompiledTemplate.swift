/// A template together with everything it includes, ready to render.
package struct CompiledTemplate: Sendable {
    /// The maximum depth of inclusion, which ends templates that include each other.
    private static let maximumDepth = 32
    private let nodes: [TemplateNode]

    /// Joins a template with its partials and its parent.
    ///
    /// A template that is missing in the library is empty.
    package init(_ name: String, in library: [String: TemplateSource]) {
        var linker = Linker(library: library, depth: Self.maximumDepth)
        nodes = linker.link([.partial(name)], blocks: [:])
    }

    /// Renders the template as UTF-8, with every value escaped for HTML.
    ///
    /// A variable without a value prints nothing; neither does a variable whose value is not a text.
    package func render(_ values: [String: TemplateValue]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(8192)
        Self.render(nodes, [values], to: &output)
        return output
    }

    /// Renders nodes with the values of the page, followed by those of each list element around the nodes.
    private static func render(
        _ nodes: [TemplateNode],
        _ scopes: [[String: TemplateValue]],
        to output: inout [UInt8]
    ) {
        for node in nodes {
            switch node {
            case .literal(let bytes):
                output += bytes
            case .variable(let name):
                if case .text(let text)? = value(name, scopes) { HTMLEscaping.append(text, to: &output) }
            case .section(let name, let isInverted, let content):
                let value = value(name, scopes)
                if isInverted {
                    if !isPresent(value) { render(content, scopes, to: &output) }
                } else if case .list(let elements)? = value {
                    for element in elements { render(content, scopes + [element], to: &output) }
                } else if isPresent(value) {
                    render(content, scopes, to: &output)
                }
            case .partial, .parent, .block:
                break  // Linking has replaced these.
            }
        }
    }

    private static func value(_ name: String, _ scopes: [[String: TemplateValue]]) -> TemplateValue? {
        for scope in scopes.reversed() {
            if let value = scope[name] { return value }
        }
        return nil
    }

    private static func isPresent(_ value: TemplateValue?) -> Bool {
        switch value {
        case nil: false
        case .text(let text)?: !text.isEmpty
        case .flag(let flag)?: flag
        case .list(let elements)?: !elements.isEmpty
        }
    }

    /// Replaces partials, parents and blocks by their content.
    private struct Linker {
        let library: [String: TemplateSource]
        var depth: Int

        mutating func link(_ nodes: [TemplateNode], blocks: [String: [TemplateNode]]) -> [TemplateNode] {
            guard depth > 0 else { return [] }
            depth -= 1
            defer { depth += 1 }
            var linked: [TemplateNode] = []
            for node in nodes {
                for node in expand(node, blocks) { append(node, to: &linked) }
            }
            return linked
        }

        private mutating func expand(_ node: TemplateNode, _ blocks: [String: [TemplateNode]]) -> [TemplateNode] {
            switch node {
            case .literal, .variable:
                return [node]
            case .section(let name, let isInverted, let content):
                return [.section(name, isInverted: isInverted, link(content, blocks: blocks))]
            case .partial(let name):
                return link(library[name]?.nodes ?? [], blocks: blocks)
            case .parent(let name, let own):
                var inner: [String: [TemplateNode]] = [:]
                for (name, content) in own { inner[name] = link(content, blocks: blocks) }
                // The outermost replacement of a block wins.
                return link(library[name]?.nodes ?? [], blocks: inner.merging(blocks) { _, outer in outer })
            case .block(let name, let content):
                return blocks[name] ?? link(content, blocks: blocks)
            }
        }

        private func append(_ node: TemplateNode, to nodes: inout [TemplateNode]) {
            if case .literal(let bytes) = node, case .literal(let before)? = nodes.last {
                nodes[nodes.count - 1] = .literal(before + bytes)
            } else {
                nodes.append(node)
            }
        }
    }
}

/// The value of a tag.
package enum TemplateValue: Sendable, Equatable {
    /// A text, escaped when it is printed.
    case text(String)
    /// Shows or hides a section; prints nothing.
    case flag(Bool)
    /// Repeats a section for each element, whose values hide the outer values with the same names.
    case list([[String: TemplateValue]])
}

/// Escapes the five special characters of HTML in every printed value.
///
/// It works on bytes, because a `<` or `"` can be part of a larger Swift `Character` (with U+0600 before it or U+0301 after
/// it) and is still a `<` or `"` to a browser. Control characters, which HTML does not allow, become U+FFFD.
private enum HTMLEscaping {
    static func append(_ text: String, to output: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "\""): output += "&quot;".utf8
            case UInt8(ascii: "'"): output += "&#39;".utf8
            case 0x09, 0x0A, 0x0D: output.append(byte)
            case 0x00..<0x20, 0x7F: output += "\u{FFFD}".utf8
            default: output.append(byte)
            }
        }
    }
}
