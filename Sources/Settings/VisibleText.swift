/// Makes invisible characters visible by their names.
enum VisibleText {
    private static let names: [UInt32: String] = [
        0x0009: "tab", 0x000d: "carriage return", 0x00a0: "no-break space", 0x00ad: "soft hyphen",
        0x200b: "zero-width space", 0x200c: "zero-width non-joiner", 0x200d: "zero-width joiner",
        0x200e: "left-to-right mark", 0x200f: "right-to-left mark", 0x2060: "word joiner", 0x3000: "ideographic space",
        0xfeff: "byte order mark",
    ]

    /// Returns the text with each invisible character replaced by its name, such as `<U+00A0 no-break space>`.
    static func of(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isInvisible) else { return text }
        return text.unicodeScalars.reduce(into: "") { shown, scalar in
            if isInvisible(scalar) { shown += "<\(name(scalar))>" } else { shown.unicodeScalars.append(scalar) }
        }
    }

    /// Returns the name of the first invisible character, or nil.
    static func firstInvisible(in text: String) -> String? {
        text.unicodeScalars.first(where: isInvisible).map(name)
    }

    private static func name(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return names[scalar.value].map { "\(code) \($0)" } ?? code
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        case .spaceSeparator: scalar != " "
        default: false
        }
    }
}
