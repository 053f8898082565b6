/// Makes untrusted text safe for a log that people read in a terminal.
enum LogText {
    private static let maximumLength = 256

    /// Returns plain text unchanged, and other text in quotes, cut to the maximum length, with `\u{…}` for line breaks,
    /// control characters and invisible characters.
    static func quoted(_ text: String) -> String {
        let isPlain: (UInt8) -> Bool = { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") }
        if !text.isEmpty, text.utf8.count <= maximumLength, text.utf8.allSatisfy(isPlain) { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars.prefix(maximumLength) {
            quoted += escaped(scalar)
        }
        return quoted + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            "\\u{\(String(scalar.value, radix: 16))}"
        default:
            scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
        }
    }
}
