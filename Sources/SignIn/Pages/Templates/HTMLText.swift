internal import Mustache

/// The escaping behind every `{{…}}`: the five characters that mean something in HTML, found as bytes.
///
/// Control characters, which no HTML document may hold, become U+FFFD.
///
/// It stands in place of Mustache's own, because that one compares whole `Character`s: a `<` or `"` that forms one with
/// its neighbour (U+0600 before it, U+0301 behind it) is none of the five to it and goes out as it came.
struct HTMLText: MustacheContentType {
    /// The name under which templates ask for it.
    static let name = "ESCAPED"

    func escapeText(_ text: String) -> String {
        guard text.utf8.contains(where: { Self.entity(for: $0) != nil }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 32)
        for byte in text.utf8 {
            if let entity = Self.entity(for: byte) {
                bytes += entity.utf8
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func entity(for byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        case 0x09, 0x0A, 0x0D: nil
        case 0x00..<0x20, 0x7F: "\u{FFFD}"
        default: nil
        }
    }
}
