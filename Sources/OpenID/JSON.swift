import HTTP

/// A JSON value, read strictly so that no text has two meanings.
///
/// Foundation's decoder accepts repeated members, a comma at the end of an object, a byte order mark and UTF-16. Here a
/// text must be UTF-8 (RFC 8259 §8.1). A repeated member name (§4), half of a surrogate pair (§8.2), a number that a
/// double cannot represent (§6) and more than 64 levels of nesting make the whole text invalid.
package enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// The maximum length of a text, in bytes.
    private static let sizeLimit = 1 << 20

    /// Reads one complete text of at most 1 MiB; nil if it is invalid.
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

    /// A member of an object; nil if it is missing or if this is not an object.
    package subscript(name: String) -> JSON? {
        objectValue?[name]
    }
}

extension ClientResponse {
    /// Whether the content type is JSON, with or without parameters (RFC 8259 §11, RFC 6839 §3.1).
    var isJSON: Bool {
        guard let field = headers[.contentType] else { return false }
        let type = field.prefix { $0 != ";" && $0 != " " }.lowercased()
        return type == "application/json" || type.hasPrefix("application/") && type.hasSuffix("+json")
    }
}

// MARK: - Reading

/// Reads exactly the grammar of RFC 8259.
private struct JSONReader {
    private static let depthLimit = 64

    private struct Malformed: Error {}

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// The value of a whole text; nil if the text is invalid.
    static func read(_ bytes: [UInt8]) -> JSON? {
        // The whole text is validated once, so that its parts need no validation.
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var reader = JSONReader(bytes: bytes)
        guard let value = try? reader.value(), reader.position == bytes.count else { return nil }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads a value and the white space around it.
    private mutating func value() throws(Malformed) -> JSON {
        skipSpace()
        defer { skipSpace() }
        switch peek() {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object() throws(Malformed) -> [String: JSON] {
        try descend()
        defer { depth -= 1 }
        var members: [String: JSON] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return members }
        repeat {
            skipSpace()
            let name = try string()
            skipSpace()
            try demand(UInt8(ascii: ":"))
            guard members.updateValue(try value(), forKey: name) == nil else { throw Malformed() }
        } while take(UInt8(ascii: ","))
        try demand(UInt8(ascii: "}"))
        return members
    }

    private mutating func array() throws(Malformed) -> [JSON] {
        try descend()
        defer { depth -= 1 }
        var elements: [JSON] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return elements }
        repeat { elements.append(try value()) } while take(UInt8(ascii: ","))
        try demand(UInt8(ascii: "]"))
        return elements
    }

    private mutating func literal(_ text: StaticString, _ meaning: JSON) throws(Malformed) -> JSON {
        for byte in "\(text)".utf8 { try demand(byte) }
        return meaning
    }

    private mutating func number() throws(Malformed) -> Double {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)), number.isFinite else {
            throw Malformed()
        }
        return number
    }

    private mutating func digits() throws(Malformed) {
        let start = position
        while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw Malformed() }
    }

    // MARK: - Strings

    private mutating func string() throws(Malformed) -> String {
        try demand(UInt8(ascii: "\""))
        var text: [UInt8] = []
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += String(try escape()).utf8
            case 0..<0x20: throw Malformed()
            default: text.append(byte)
            }
        }
        throw Malformed()
    }

    private mutating func escape() throws(Malformed) -> Unicode.Scalar {
        switch next() {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try escapedScalar()
        default: throw Malformed()
        }
    }

    /// Reads a scalar of one escape, or of two escapes that form a surrogate pair.
    private mutating func escapedScalar() throws(Malformed) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        try demand(UInt8(ascii: "\\"))
        try demand(UInt8(ascii: "u"))
        let second = try codeUnit()
        // If the first unit is a low surrogate, the sum is above U+10FFFF and is not a scalar either.
        guard UTF16.isTrailSurrogate(UInt16(second)),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { throw Malformed() }
        return scalar
    }

    private mutating func codeUnit() throws(Malformed) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw Malformed()
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    // MARK: - Bytes

    private func peek() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func next() -> UInt8? {
        guard let byte = peek() else { return nil }
        position += 1
        return byte
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func demand(_ byte: UInt8) throws(Malformed) {
        guard take(byte) else { throw Malformed() }
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { position += 1 }
    }

    private mutating func descend() throws(Malformed) {
        position += 1
        depth += 1
        guard depth <= Self.depthLimit else { throw Malformed() }
    }
}
