import HTTP

/// `Cookie` headers, one per line, compared with a second reader that shares no code with the first.
enum CookieInput {
    static func take(_ input: [UInt8]) {
        let lines = String(decoding: input, as: UTF8.self).utf8.split(separator: UInt8(ascii: "\n")).map { Array($0) }
        let cookies = Cookies(lines.map { String(decoding: $0, as: UTF8.self) })
        var values: [[UInt8]: Set<[UInt8]>] = [:]
        for piece in lines.flatMap({ $0.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) }) {
            let equals = piece.firstIndex(of: UInt8(ascii: "="))
            let name = equals.map { trimmed(piece[..<$0]) } ?? []
            let value = trimmed(equals.map { piece[($0 + 1)...] } ?? piece)
            // An empty name with an empty value is not a cookie.
            if !name.isEmpty || !value.isEmpty { values[name, default: []].insert(value) }
        }
        for (name, expected) in values {
            let name = String(decoding: name, as: UTF8.self)
            switch cookies[name] {
            case .none: preconditionFailure("a cookie was not found")
            case .one(let value): precondition(expected == [Array(value.utf8)], "another value was found")
            case .conflicting: precondition(expected.count > 1, "equal values conflict")
            }
            precondition(cookies.names(withPrefix: name).contains(name), "a name is not listed")
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let isText: (UInt8) -> Bool = { $0 != 0x20 && $0 != 0x09 }
        guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText) else { return [] }
        return Array(bytes[first...last])
    }
}
