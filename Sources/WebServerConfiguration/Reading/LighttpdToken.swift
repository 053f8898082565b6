/// A token in the configuration of lighttpd.
enum LighttpdToken: Equatable {
    case word(String)
    case string(String)
    /// `=`, `=>`, `=~`, `+=`, `{` and the like.
    case sign(String)
}

/// Reads tokens from any text.
struct LighttpdTokens {
    private static let signs = ["=>", "=~", "=^", "=$", "==", "!=", "!~", "+=", ":="]

    private let bytes: [UInt8]
    private var position = 0
    private(set) var line = 1

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func next() -> LighttpdToken? {
        while position < bytes.count {
            switch bytes[position] {
            case 0x0a: (line, position) = (line + 1, position + 1)
            case 0x20, 0x09, 0x0d: position += 1
            case UInt8(ascii: "#"): while position < bytes.count, bytes[position] != 0x0a { position += 1 }
            case UInt8(ascii: "\""): return .string(string())
            case let byte where Self.isWord(byte): return .word(word())
            default: return .sign(sign())
            }
        }
        return nil
    }

    private mutating func string() -> String {
        var text: [UInt8] = []
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "\"")
            {
                position += 1
            }
            if bytes[position] == 0x0a { line += 1 }
            text.append(bytes[position])
            position += 1
        }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func word() -> String {
        let start = position
        while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func sign() -> String {
        let two = String(decoding: bytes[position..<min(position + 2, bytes.count)], as: UTF8.self)
        position += Self.signs.contains(two) ? 2 : 1
        return Self.signs.contains(two) ? two : String(two.unicodeScalars.prefix(1))
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
