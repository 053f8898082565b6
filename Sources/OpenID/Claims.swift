/// Members of a token or of a userinfo answer, read by type; one of the wrong type is as good as missing.
struct Claims: Sendable {
    let members: [String: JSON]

    subscript(name: String) -> JSON? {
        members[name]
    }

    /// A subject identifier: 1 to 255 ASCII characters, none of them a control (OpenID Connect Core §2).
    var subject: String? {
        guard let subject = members["sub"]?.stringValue, (1...255).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
        else { return nil }
        return subject
    }

    /// A text that is not empty and has no control character; nil also if it is longer than so many bytes.
    func text(_ name: String, limit: Int) -> String? {
        guard let text = members[name]?.stringValue, (1...limit).contains(text.utf8.count),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return text
    }

    /// True only for `true` and for LinkedIn's `"true"`.
    func flag(_ name: String) -> Bool {
        members[name] == .bool(true) || members[name] == .string("true")
    }

    /// Seconds since 1970, fractions kept; nil for anything that is no number from 0 to the year 9999.
    func time(_ name: String) -> Double? {
        guard let seconds = members[name]?.numberValue, (0...253_402_300_799).contains(seconds) else { return nil }
        return seconds
    }

    /// A language tag like `en-US`, be it sent as that, as `en_US`, or as an object of language and country.
    var locale: String? {
        let tag: String
        switch members["locale"] {
        case .string(let text)?:
            tag = text
        case .object(let parts)?:
            guard let language = parts["language"]?.stringValue else { return nil }
            tag = ([language] + [parts["country"]?.stringValue].compactMap { $0 }).joined(separator: "-")
        default:
            return nil
        }
        let characters = tag.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
        let normal = String(decoding: characters, as: UTF8.self)
        let isTag = normal.allSatisfy { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isWholeNumber) }
        return isTag && (2...35).contains(normal.utf8.count) ? normal : nil
    }
}
