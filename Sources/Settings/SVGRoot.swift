/// The first tag of an XML document, if it is `svg`.
struct SVGRoot {
    /// The value of the attribute `xmlns`, with an entity of the document replaced by its text; nil if there is none.
    let namespace: String?

    /// Returns nil if the first tag is not `svg`.
    init?(_ document: String) {
        var rest = document[...]
        var entities: [Substring: Substring] = [:]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            if rest.hasPrefix("<?") {
                rest = rest.after(/\?>/)
            } else if rest.hasPrefix("<!--") {
                rest = rest.after(/-->/)
            } else if rest.hasPrefix("<!") {
                let isWithSubset = rest.prefix { $0 != ">" }.contains("[")
                let end = isWithSubset ? rest.after(/\]\s*>/) : rest.after(/>/)
                entities = Self.entities(in: rest[..<end.startIndex])
                rest = end
            } else {
                break
            }
        }
        guard let name = rest.prefixMatch(of: /<svg(?=[\s\/>])/) else { return nil }
        let value = Self.namespace(in: rest[name.range.upperBound...])
        namespace = value.map { value in
            let entity = value.wholeMatch(of: /&([^;]+);/).flatMap { entities[$0.output.1] }
            return String(entity ?? value)
        }
    }

    /// Returns the entities of a document type declaration (XML 1.0, 4.2.1) by name; Adobe Illustrator writes some.
    private static func entities(in declaration: Substring) -> [Substring: Substring] {
        let found = declaration.matches(of: /<!ENTITY\s+([^\s%]+)\s+["']([^"']*)["']\s*>/)
        // The first declaration counts.
        return Dictionary(found.map { ($0.output.1, $0.output.2) }) { first, _ in first }
    }

    private static func namespace(in attributes: Substring) -> Substring? {
        var rest = attributes
        while let match = rest.prefixMatch(of: /\s+([^\s=\/>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/) {
            if match.output.1 == "xmlns" { return match.output.2 ?? match.output.3 }
            rest = rest[match.range.upperBound...]
        }
        return nil
    }
}

extension Substring {
    /// The text behind the first occurrence of a mark; empty if there is none.
    fileprivate func after(_ mark: Regex<Substring>) -> Substring {
        firstMatch(of: mark).map { self[$0.range.upperBound...] } ?? suffix(0)
    }
}
