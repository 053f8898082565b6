/// The fields of a query or a form, in order; a name may be repeated.
struct Fields: Sendable, ExpressibleByDictionaryLiteral {
    struct Field: Sendable {
        let name: String
        let value: String
    }

    private(set) var all: [Field]

    init(dictionaryLiteral elements: (String, String)...) {
        all = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// Reads `application/x-www-form-urlencoded` text.
    init(urlEncoded text: String) {
        all = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Field(
                name: Percent.decode(parts[0], plusIsSpace: true),
                value: parts.count > 1 ? Percent.decode(parts[1], plusIsSpace: true) : ""
            )
        }
    }

    /// The first value with a name; nil if there is none.
    subscript(name: String) -> String? {
        all.first { $0.name == name }?.value
    }

    /// The first value with a name; nil if there is none or if it is empty.
    func nonempty(_ name: String) -> String? {
        guard let value = self[name], !value.isEmpty else { return nil }
        return value
    }

    mutating func append(_ name: String, _ value: String?) {
        if let value { all.append(Field(name: name, value: value)) }
    }

    /// The fields as `application/x-www-form-urlencoded` text, with spaces as `+`, as LinkedIn writes them.
    var urlEncoded: String {
        all.map { "\(Percent.encode($0.name))=\(Percent.encode($0.value))" }.joined(separator: "&")
    }

    /// The fields as a list of pairs.
    var json: JSON {
        .array(all.map { .array([.string($0.name), .string($0.value)]) })
    }
}
