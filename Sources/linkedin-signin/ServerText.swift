import class FoundationEssentials.FileManager

/// The configuration of a web server, as the server prints it.
enum ServerText {
    /// - Parameter file: a path, or `-` for standard input.
    /// - Returns: nil if it cannot be read. Bytes that are not UTF-8 are replaced.
    static func read(_ file: String) -> String? {
        guard file == "-" else {
            return FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
        }
        var text = ""
        while let line = readLine(strippingNewline: false) { text += line }
        return text
    }
}
