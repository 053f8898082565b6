/// Text for a terminal.
package enum PrintableText {
    /// Replaces the characters with which a text could change a terminal, begin a line or hide itself by U+FFFD.
    package static func of(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
                result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
