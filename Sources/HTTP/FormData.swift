/// The pairs of `application/x-www-form-urlencoded` in their order, with duplicates (WHATWG URL §5, RFC 6749 appendix B).
package struct FormData: Sendable, Equatable {
    package enum Lookup: Sendable, Equatable {
        case none
        case one(String)
        /// OAuth forbids repeated parameters (RFC 6749 §3.1).
        case repeated
    }

    package private(set) var pairs: [(name: String, value: String)] = []

    package init(_ pairs: KeyValuePairs<String, String> = [:]) {
        for (name, value) in pairs { append(name, value) }
    }

    /// Parses a query or a form body; nil if it contains an invalid escape, bytes that are not UTF-8, or a control character.
    package init?(parsing text: String) {
        for piece in text.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            guard let name = Percent.decodeForm(piece[..<equals]),
                let value = Percent.decodeForm(piece[equals...].dropFirst())
            else { return nil }
            append(name, value)
        }
    }

    /// Parses the body of a form, as `init(parsing:)` parses a text.
    package init?(body: [UInt8]) {
        self.init(parsing: String(decoding: body, as: UTF8.self))
    }

    package mutating func append(_ name: String, _ value: String) {
        pairs.append((name, value))
    }

    /// The value of a name, or whether the name is repeated.
    package subscript(name: String) -> Lookup {
        var found = Lookup.none
        // By bytes, because two spellings of a text in Unicode are equal strings, but different names.
        for pair in pairs where pair.name.utf8.elementsEqual(name.utf8) {
            if found != .none { return .repeated }
            found = .one(pair.value)
        }
        return found
    }

    /// The encoded form; all bytes except letters, digits and `-._~` are escaped, so that a value stays one value.
    package var encoded: String {
        pairs.map { "\(Percent.encode($0.name))=\(Percent.encode($0.value))" }.joined(separator: "&")
    }

    package static func == (left: FormData, right: FormData) -> Bool {
        left.pairs.elementsEqual(right.pairs, by: ==)
    }
}
