package import Sessions

extension NearCache {
    /// Handles a notification: another machine removed a session, or notifications may be lost.
    package func receive(_ notice: DatabaseClient.Notice) {
        switch notice {
        case .message(let text): for id in text.split(separator: " ").compactMap(Self.id) { drop(id) }
        case .lost: dropAll()
        }
    }

    /// Reads the hexadecimal digits of an id; nil for any other text.
    private static func id(_ text: Substring) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 32, text.utf8.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
