/// The escaping of every printed value: the five characters that have a meaning in HTML, found as bytes.
///
/// Bytes, because a `<` or `"` can form one Swift `Character` with its neighbor (U+0600 before it, U+0301 after it) and is
/// still a `<` or `"` to a browser. Control characters, which an HTML document must not contain, become U+FFFD.
enum HTMLEscaping {
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
