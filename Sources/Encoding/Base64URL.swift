/// base64url without padding (RFC 4648 §5); each value has exactly one accepted text.
package enum Base64URL {
    private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xff, count: 256)
        for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
        return values
    }()

    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            buffer = (buffer << 8 | UInt32(byte)) & 0xffff
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(buffer >> bits & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << (6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text; nil for padding, other characters, an impossible length, or remaining bits that are not zero.
    package static func decode(_ text: String) -> [UInt8]? {
        // Read once, because each access to a global constant asks whether it is initialized.
        let values = values
        let characters = text.utf8Span.span
        var bytes = [UInt8](repeating: 0, count: characters.count * 3 / 4)
        // All values together: over 63 if one character is outside the alphabet.
        var all: UInt8 = 0
        var (from, to) = (0, 0)
        while from + 4 <= characters.count {
            let (a, b) = (values[Int(characters[from])], values[Int(characters[from + 1])])
            let (c, d) = (values[Int(characters[from + 2])], values[Int(characters[from + 3])])
            all |= a | b | c | d
            bytes[to] = a << 2 | b >> 4
            bytes[to + 1] = b << 4 | c >> 2
            bytes[to + 2] = c << 6 | d
            from += 4
            to += 3
        }
        let rest = characters.count - from
        guard rest != 1 else { return nil }
        if rest > 0 {
            let (a, b) = (values[Int(characters[from])], values[Int(characters[from + 1])])
            let c = rest == 3 ? values[Int(characters[from + 2])] : 0
            all |= a | b | c
            bytes[to] = a << 2 | b >> 4
            if rest == 3 { bytes[to + 1] = b << 4 | c >> 2 }
            guard (rest == 3 ? c & 3 : b & 15) == 0 else { return nil }
        }
        return all < 64 ? bytes : nil
    }
}
