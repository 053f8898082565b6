/// The alphabet and the padding of RFC 4648 §4, which `Basic` wants.
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
