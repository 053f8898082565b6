/// A JSON value, read so that no text has two meanings.
///
/// Foundation's decoder takes the first of two equal members without a word, a comma at the end of an object, a byte
/// order mark and UTF-16. Here a text is plain UTF-8 (RFC 8259 §8.1), a repeated member name refuses the whole text
/// (§4), so does half of a surrogate pair (§8.2) or a number that a double cannot hold (§6), and nesting ends at 64
/// levels.
package enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// The longest text that is read, in bytes.
    static let sizeLimit = 1 << 20

    /// Reads one complete text of at most 1 MiB; nil if it breaks any rule.
    package init?(parsing bytes: [UInt8]) {
        guard bytes.count <= Self.sizeLimit, let value = JSONReader.read(bytes) else { return nil }
        self = value
    }

    package var objectValue: [String: JSON]? {
        if case .object(let members) = self { members } else { nil }
    }

    package var arrayValue: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var numberValue: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// A member of an object; nil if it is missing or this is no object.
    package subscript(name: String) -> JSON? {
        objectValue?[name]
    }
}
