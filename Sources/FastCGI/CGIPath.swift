/// The path a request is decided on.
enum CGIPath {
    /// Joins what the server routed on; nil for bytes that are no UTF-8, a control character, or no leading slash.
    ///
    /// `SCRIPT_NAME` and `PATH_INFO` together are the path (RFC 3875 §4.1.5, §4.1.13); nginx puts all of it in the
    /// first. `DOCUMENT_URI` is nginx's other name for it.
    static func routed(_ first: String, _ second: String = "") -> String? {
        let path = second.isEmpty ? first : first + second
        return isValid(path) ? path : nil
    }

    /// Derives a path from the client's own spelling, for lighttpd's authorizer, which is told nothing better.
    ///
    /// A dot segment is refused: the server has resolved it, and to guess how would be to decide on another path.
    static func derived(fromURI uri: String) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(uri.utf8.count)
        var rest = uri.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next().flatMap(hexValue), let low = rest.next().flatMap(hexValue) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte)
            }
            // Servers take several slashes for one.
            if bytes.count > 1, bytes.suffix(2).elementsEqual("//".utf8) { bytes.removeLast() }
        }
        for segment in bytes.split(separator: UInt8(ascii: "/")) where segment.count <= 2 {
            if segment.allSatisfy({ $0 == UInt8(ascii: ".") }) { return nil }
        }
        guard let path = String(validating: bytes, as: UTF8.self), isValid(path) else { return nil }
        return path
    }

    private static func isValid(_ path: String) -> Bool {
        path.utf8.first == UInt8(ascii: "/") && path.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
