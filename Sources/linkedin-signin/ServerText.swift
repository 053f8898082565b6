import class FoundationEssentials.FileManager

/// The configuration that a web server prints.
enum ServerText {
    /// Reads a configuration; bytes that are not UTF-8 are replaced.
    ///
    /// - Parameter file: A path, or `-` for standard input.
    /// - Returns: The text; nil if it cannot be read.
    static func read(_ file: String) -> String? {
        guard file == "-" else {
            return FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
        }
        var text = ""
        while let line = readLine(strippingNewline: false) { text += line }
        return text
    }
}
