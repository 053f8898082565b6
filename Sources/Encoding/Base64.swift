/// base64 with padding (RFC 4648 §4), as the `Basic` scheme needs it.
package enum Base64 {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let text = Base64URL.encode(bytes).utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self) + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }
}
