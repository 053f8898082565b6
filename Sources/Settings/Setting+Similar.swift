extension Setting {
    /// Returns the setting whose name is most similar to an unknown name; nil if no name is similar.
    ///
    /// Names are also compared without `SIGNIN_` and `LINKEDIN_`, because operators confuse or forget these prefixes.
    static func nearest(to name: String) -> Setting? {
        let name = name.uppercased()
        let candidates = all.map { (setting: $0, distance: distance(name, $0.name)) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, stem(name).count / 3) ? best.setting : nil
    }

    /// Returns the end of a message about an unknown name; empty if no setting is similar.
    static func suggestion(for name: String) -> String {
        nearest(to: name).map { "; did you mean \($0.name)?" } ?? ""
    }

    private static func distance(_ one: String, _ other: String) -> Int {
        min(edits(Array(one.utf8), Array(other.utf8)), edits(Array(stem(one).utf8), Array(stem(other).utf8)))
    }

    private static func stem(_ name: String) -> Substring {
        for prefix in ["SIGNIN_", "LINKEDIN_"] where name.hasPrefix(prefix) { return name.dropFirst(prefix.count) }
        return name[...]
    }

    /// Returns the number of characters to insert, remove or replace (Levenshtein distance).
    private static func edits(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (line, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for column in other.indices {
                let replaced = diagonal + (byte == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[other.count]
    }
}
