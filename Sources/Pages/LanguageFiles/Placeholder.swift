/// A name in braces in a text of a language file.
package enum Placeholder: String, CaseIterable {
    case provider
    case site
    case count

    /// Returns the names in braces, including unknown ones.
    static func names(in text: String) -> Set<String> {
        Set(parts(of: text).compactMap { $0.isName ? String($0.text) : nil })
    }

    /// Replaces the names in braces by values.
    ///
    /// Braces in a value are not replaced.
    static func fill(_ text: String, _ values: [Placeholder: String]) -> String {
        parts(of: text).reduce(into: "") { filled, part in
            guard part.isName else {
                filled += part.text
                return
            }
            filled += Placeholder(rawValue: String(part.text)).flatMap { values[$0] } ?? "{\(part.text)}"
        }
    }

    private static func parts(of text: String) -> [(text: Substring, isName: Bool)] {
        var parts: [(Substring, Bool)] = []
        var rest = text[...]
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
            let close = rest[open...].utf8.firstIndex(of: UInt8(ascii: "}"))
        {
            parts.append((rest[..<open], false))
            parts.append((rest[rest.utf8.index(after: open)..<close], true))
            rest = rest[rest.utf8.index(after: close)...]
        }
        parts.append((rest, false))
        return parts
    }
}
