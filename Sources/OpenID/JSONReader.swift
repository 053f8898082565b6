/// A reader of RFC 8259's grammar, nothing more and nothing less.
struct JSONReader {
    private static let depthLimit = 64

    private struct Malformed: Error {}

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// The value that is the whole of a text, or nil.
    static func read(_ bytes: [UInt8]) -> JSON? {
        // Checked at once for the whole text, so that the parts need no check.
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var reader = JSONReader(bytes: bytes)
        guard let value = try? reader.value(), reader.position == bytes.count else { return nil }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A value with the white space around it.
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
}

// MARK: Strings

extension JSONReader {
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

    /// A scalar of four digits, or of two escapes that are a surrogate pair.
    private mutating func escapedScalar() throws(Malformed) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        try demand(UInt8(ascii: "\\"))
        try demand(UInt8(ascii: "u"))
        let second = try codeUnit()
        // With a low half in the first place the sum is above U+10FFFF, and so no scalar either.
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
}

// MARK: Bytes

extension JSONReader {
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
