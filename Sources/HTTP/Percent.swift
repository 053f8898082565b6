import Encoding

/// Percent-encoding (RFC 3986 §2.1).
package enum Percent {
    /// Escapes all bytes except the unreserved ones (RFC 3986 §2.3).
    package static func encode(_ text: String) -> String {
        encode(text, keeping: isUnreserved)
    }

    /// Escapes all bytes except some ASCII ones.
    static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        if text.utf8.allSatisfy(isKept) { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hexDigit(byte >> 4))
                bytes.append(hexDigit(byte & 15))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes one component of a form, with `+` as a space; nil for an invalid escape, invalid UTF-8 or a control
    /// character.
    static func decodeForm(_ encoded: some Sequence<UInt8>) -> String? {
        decode(encoded, plus: UInt8(ascii: " "))
    }

    /// Decodes a text; nil for an invalid escape, invalid UTF-8 or a control character.
    package static func decode(_ encoded: some StringProtocol) -> String? {
        decode(encoded.utf8, plus: UInt8(ascii: "+"))
    }

    private static func decode(_ encoded: some Sequence<UInt8>, plus: UInt8) -> String? {
        var bytes: [UInt8] = []
        var rest = encoded.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"):
                bytes.append(plus)
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(hexValue), let low = rest.next().flatMap(hexValue) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default:
                bytes.append(byte)
            }
        }
        guard !bytes.contains(where: \.isASCIIControl) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Decodes each valid escape once and keeps all other bytes, as web servers do with a path.
    package static func decodePath(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hexValue(bytes[index + 1]),
                let low = hexValue(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte)
    }

    private static func hexDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
