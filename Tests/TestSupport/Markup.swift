/// The elements of a page, read by a strict parser: anything that a browser would repair is an error.
///
/// Every element is closed in order or, in SVG, by its own tag, every attribute is quoted and not repeated, every `&` begins one of five
/// references, and there are no control characters.
package struct Markup {
    package struct Element {
        package let name: String
        package let attributes: [String: String]
        /// All text in the element and its descendants.
        package fileprivate(set) var text = ""
    }

    package struct Fault: Error, CustomStringConvertible {
        package let description: String
    }

    /// In the order of their start tags.
    package private(set) var elements: [Element] = []
    private var open: [Int] = []
    /// Bytes, because a `<` may be part of a larger `Character` and a parser of characters would miss it.
    private var rest: ArraySlice<UInt8>

    package init(_ page: String) throws {
        rest = Array(page.utf8)[...]
        if let character = page.unicodeScalars.first(where: { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7f }) {
            throw Fault(description: "control character \(character.value)")
        }
        guard take("<!DOCTYPE html>\n") else { throw Fault(description: "no document type") }
        while !rest.isEmpty { try readNext() }
        guard open.isEmpty else { throw Fault(description: "never closed: \(open.map { elements[$0].name })") }
    }

    package subscript(name: String) -> [Element] { elements.filter { $0.name == name } }

    /// The elements and the names of their attributes, without text; injected markup would change them.
    package var skeleton: [String] {
        // The places where a line may break depend on the text.
        elements.filter { $0.name != "wbr" }.map { "\($0.name) \($0.attributes.keys.sorted())" }
    }

    /// All texts and attribute values, with references resolved.
    package var texts: [String] { elements.map(\.text) + elements.flatMap(\.attributes.values) }
}

extension Markup {
    private mutating func readNext() throws {
        if let name = open.last.map({ elements[$0].name }), name == "style", !rest.starts(with: "</style>".utf8) {
            add(try take(until: "</style>"))
        } else if take("</") {
            try readEndTag()
        } else if take("<") {
            try readStartTag()
        } else {
            add(try Self.resolve(try take(until: "<", orEnd: true)))
        }
    }

    private mutating func readEndTag() throws {
        let name = try take(until: ">")
        guard take(">"), let last = open.popLast(), elements[last].name == name else {
            throw Fault(description: "misplaced </\(name)>")
        }
    }

    private mutating func readStartTag() throws {
        let name = takeName()
        var attributes: [String: String] = [:]
        while take(" ") {
            let attribute = takeName()
            guard !attribute.isEmpty, attributes[attribute] == nil else {
                throw Fault(description: "<\(name)>: attribute '\(attribute)' is empty or repeated")
            }
            guard take("=\"") else { throw Fault(description: "<\(name)>: \(attribute) has no quoted value") }
            attributes[attribute] = try Self.resolve(try take(until: "\""))
            _ = take("\"")
        }
        let isClosed = take("/")
        guard !name.isEmpty, take(">") else { throw Fault(description: "stray < in <\(name)") }
        elements.append(Element(name: name, attributes: attributes))
        if !isClosed, !["meta", "link", "img", "input", "wbr", "br"].contains(name) { open.append(elements.count - 1) }
    }

    private mutating func add(_ text: String) {
        for position in open { elements[position].text += text }
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    private mutating func take(until end: String, orEnd: Bool = false) throws -> String {
        var tail = rest
        while !tail.starts(with: end.utf8), let first = end.utf8.first {
            tail = tail[(tail.dropFirst().firstIndex(of: first) ?? tail.endIndex)...]
            if tail.isEmpty { break }
        }
        guard orEnd || !tail.isEmpty else { throw Fault(description: "no \(end) to the end") }
        defer { rest = tail }
        return String(decoding: rest[..<tail.startIndex], as: UTF8.self)
    }

    private mutating func takeName() -> String {
        let name = rest.prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
                UInt8(ascii: "1")...UInt8(ascii: "6"):
                true
            default: false
            }
        }
        rest = rest[name.endIndex...]
        return String(decoding: name, as: UTF8.self)
    }

    private static func resolve(_ text: String) throws -> String {
        let references = ["lt;": "<", "gt;": ">", "amp;": "&", "quot;": "\"", "#39;": "'"]
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }) else {
            throw Fault(description: "stray angle bracket in '\(text.prefix(20))'")
        }
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var pieces = text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map(Array.init)
        for index in pieces.indices.dropFirst() {
            guard let (name, value) = references.first(where: { pieces[index].starts(with: $0.key.utf8) }) else {
                throw Fault(description: "stray & in '\(text.prefix(20))'")
            }
            pieces[index] = Array(value.utf8) + pieces[index].dropFirst(name.utf8.count)
        }
        return String(decoding: pieces.joined(), as: UTF8.self)
    }
}
